"""Train the ranker of relations, which is part of the package.

    python -m tools.ranker --network FOLDER --teacher FILE

A teacher is trained first, on the questions in `examples/phrasings`: changes of low rank to
all-MiniLM-L6-v2, whose folder is named. They are kept in the file, and taken from there if they are
there already. The ranker begins as some of the teacher's layers, over words and not pieces of them,
whose vectors are narrower. It learns from the same questions and from what the teacher makes of
them, and is written to where the package has it, unless `--out` names another folder. On two cores
the teacher takes some 15 minutes, and the ranker 25.
"""

import argparse
import hashlib
import json
import re
from pathlib import Path

import numpy as np
import torch
from safetensors.numpy import save
from torch import Tensor

from memnets.files import write_bytes, write_json
from memnets.kb.questions import ranking
from memnets.kb.questions.ranking import FOLDER, HEAD
from memnets.kb.questions.sentences import CONFIG, EMBEDDED, STEP, WEIGHTS, WIDENED, WORDS
from memnets.kb.questions.tokens import WholeWords
from tools.ranker.networks import Encoder, Head, Shape
from tools.ranker.phrasings import Table, read_tables
from tools.ranker.pieces import Pieces
from tools.ranker.training import Model, Teacher, train

TOKENIZER = "tokenizer.json"
"""Of the network, where its other files are as those of the ranker."""
RANK, FIXED = 8, 2
"""Of the teacher's changes, and how many layers have none."""
LAYERS, NARROW, LONGEST = (0, 1, 3, 5), 128, 64
"""Which layers of the teacher the ranker has, the width of its words, and its longest text."""
NO_WORDS = ("<none>", "<unknown>", "<number>", "<year>")
UNKNOWN = 0.05
"""The share of words that it takes for unknown while it learns."""
WORD = re.compile(r"[a-z][a-z'-]*|'s")
Folder = dict[str, np.ndarray]


def main() -> None:
    """Train the teacher if it is not there, then the ranker, and write both."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--network", type=Path, required=True, help="folder of all-MiniLM-L6-v2")
    parser.add_argument("--teacher", type=Path, required=True, help="file of the changes to it")
    parser.add_argument("--out", type=Path, default=Path(ranking.__file__).parent / FOLDER)
    parser.add_argument("--epochs", type=int, default=5, help="of the ranker")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    torch.manual_seed(given.seed)
    tables = read_tables()
    teacher = teacher_of(given.network)
    if given.teacher.is_file():
        read_changes(teacher, given.teacher)
    else:
        train(teacher, tables, 2, 64, 1.2e-3, seed=given.seed)
        write_changes(teacher, given.teacher)
    words = vocabulary(tables, given.network)
    model = begun(teacher, words)
    taught = Teacher(teacher, tables)
    train(model, tables, given.epochs, 140, 5e-4, taught, others=1, seed=given.seed)
    write_ranker(model, words, given.out)


def teacher_of(network: Path) -> Model:
    """Return all-MiniLM-L6-v2 with changes that are to be learnt, and a new head."""
    from safetensors.torch import load_file

    config = json.loads((network / CONFIG).read_text("utf-8"))
    shape = Shape(
        config["vocab_size"],
        config["hidden_size"],
        config["intermediate_size"],
        config["num_attention_heads"],
        config["num_hidden_layers"],
        config["max_position_embeddings"],
    )
    encoder = Encoder(shape)
    encoder.load(load_file(network / WEIGHTS), config["layer_norm_eps"])
    encoder.change(RANK, FIXED)
    return Model(encoder, Head(shape.dim), Pieces(network / TOKENIZER))


def learnt(model: Model) -> dict[str, Tensor]:
    """Return what a model learns, by name."""
    parts = {"encoder": model.encoder, "head": model.head}
    return {
        f"{name}.{of}": one
        for name, part in parts.items()
        for of, one in part.named_parameters()
        if one.requires_grad
    }


def write_changes(teacher: Model, path: Path) -> None:
    """Write what a teacher learnt."""
    found = {name: one.detach().numpy() for name, one in learnt(teacher).items()}
    write_bytes(path, save(found))


def read_changes(teacher: Model, path: Path) -> None:
    """Read what a teacher learnt."""
    from safetensors.torch import load_file

    kept = load_file(path)
    for name, one in learnt(teacher).items():
        one.data = kept[name]


def begun(teacher: Model, words: list[str]) -> Model:
    """Return a ranker as it begins: some layers of a teacher, over narrower vectors of words."""
    old = teacher.encoder.weights()
    table, places, segments = (old[name] for name in EMBEDDED)
    pieces = teacher.tokens.numbers([word.strip("<>") for word in words])
    rows = torch.stack([table[one[1:-1]].mean(0) for one in pieces])  # without what stands around
    mean = rows.mean(0)
    basis = torch.linalg.svd(rows - mean, full_matrices=False)[2][:NARROW].T
    begins = ((rows - mean) @ basis, places[1:], segments + mean)
    new = {**old, **dict(zip(EMBEDDED, begins, strict=True)), WIDENED: basis}
    for layer, of in enumerate(map("encoder.layer.{}.".format, LAYERS)):
        some = {name.removeprefix(of): one for name, one in old.items() if name.startswith(of)}
        new |= {f"encoder.layer.{layer}.{name}": one for name, one in some.items()}
    shape = teacher.encoder.shape._replace(
        words=len(words), layers=len(LAYERS), longest=LONGEST, narrow=NARROW
    )
    encoder, head = Encoder(shape, UNKNOWN), Head(shape.dim)
    encoder.load(new, teacher.encoder.norm.eps)
    head.load_state_dict(teacher.head.state_dict())
    return Model(encoder, head, WholeWords("\n".join(words)))


def vocabulary(tables: list[Table], network: Path) -> list[str]:
    """Return the words of all tables, and those that are pieces of their own in the network."""
    texts = {one.text for table in tables for one in table.phrasings}
    columns = (one for table in tables for one in table.columns.values())
    texts |= {text for one in columns for text in ranking.asking(*one)}
    pieces = json.loads((network / TOKENIZER).read_text("utf-8"))["model"]["vocab"]
    found = {word for text in texts for word in text.split()} | {
        one for one in pieces if len(one) > 1
    }
    return [*NO_WORDS, *sorted(filter(WORD.fullmatch, found))]


def write_ranker(model: Model, words: list[str], folder: Path) -> None:
    """Write an encoder, its matrices as whole numbers and a step a row, its words and its head."""
    weights = Folder()
    for name, weight in model.encoder.weights().items():
        rows = weight.numpy()
        if rows.ndim == 1 or name in EMBEDDED[1:]:
            weights[name] = rows.astype(np.float16)
        else:
            step = np.abs(rows).max(1) / 127 + 1e-12
            weights[name] = np.rint(rows / step[:, None]).astype(np.int8)
            weights[name + STEP] = step.astype(np.float32)
    files = {
        WORDS: "\n".join(words).encode(),
        WEIGHTS: save(weights),
        HEAD: save(_head(model)),
    }
    for name, data in files.items():
        write_bytes(folder / name, data)
    shape = model.encoder.shape
    config = {
        **{"model_type": "bert", "hidden_act": "gelu", "hidden_size": shape.dim},
        **{"intermediate_size": shape.wide, "num_attention_heads": shape.heads},
        **{"num_hidden_layers": shape.layers, "max_position_embeddings": shape.longest},
        **{"embedding_size": shape.narrow, "vocab_size": shape.words},
        "layer_norm_eps": model.encoder.norm.eps,
        "fingerprint": hashlib.sha256(b"".join(files.values())).hexdigest()[:16],
    }
    write_json(folder / CONFIG, config)


def _head(model: Model) -> Folder:
    head = model.head
    return {
        "hop.weight": head.hop.weight.detach().numpy().astype(np.float16),
        "hop.bias": head.hop.bias.detach().numpy(),
        "scale": head.log_scale.exp().detach().numpy(),
        "biases": head.biases.detach().numpy(),
    }


if __name__ == "__main__":
    main()
