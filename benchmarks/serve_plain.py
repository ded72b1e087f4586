"""The plainest server of a run or a knowledge base, which ours is compared with.

python benchmarks/serve_plain.py runs/quickstart
"""

import socket
import sys

import torch
import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel

import memnets


class Question(BaseModel):
    question: str
    story: list[str] | None = None


app = FastAPI()
torch.set_num_threads(1)
model = memnets.load(sys.argv[1])


@app.post("/v1/plain/ask")
def ask(asked: Question):
    return model.ask(**asked.model_dump(exclude_none=True)).to_json()


if __name__ == "__main__":
    with socket.create_server(("127.0.0.1", 0)) as listening:
        print(f"http://127.0.0.1:{listening.getsockname()[1]}")
        config = uvicorn.Config(app, access_log=False, log_level="warning")
        uvicorn.Server(config).run([listening])
