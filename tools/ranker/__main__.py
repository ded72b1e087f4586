"""Train the ranker of relations, which is part of the package.

    python -m tools.ranker --network FOLDER --begins FOLDER --teacher FILE

A teacher is trained first, on the questions in `examples/phrasings`: changes of low rank to
all-mpnet-base-v2, whose folder is named. They are kept in the file, and taken from there if they
are there already. The ranker begins as some of the layers of all-MiniLM-L6-v2, over vectors of
pieces of words that are narrower. It learns from the same questions, from what the teacher makes of
them, and from what that makes of every single word and of questions with other words; and is
written to where the package has it, unless `--out` names another folder. On two cores the teacher
takes some 35 minutes, its vectors of all texts 14, and the ranker 60.
"""

import argparse
import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np
import torch
from safetensors.numpy import save

from memnets.files import write_bytes, write_json
from memnets.kb.questions import ranking
from memnets.kb.questions.ranking import FOLDER, HEAD
from memnets.kb.questions.sentences import CONFIG, EMBEDDED, PIECES, STEP, WEIGHTS, WIDENED
from memnets.kb.questions.tokens import WordPieces
from tools.ranker.further import asked_alone, with_other_words, words_of
from tools.ranker.networks import Encoder, Head
from tools.ranker.phrasings import read_tables
from tools.ranker.reading import TOKENIZER, read_changes, read_network, write_changes
from tools.ranker.teacher import Teacher
from tools.ranker.training import Model, train

RANK, FIXED = 8, 4
"""Of the teacher's changes, and how many layers have none."""
LAYERS, NARROW, LONGEST = (0, 1, 3, 5), 192, 64
"""Which layers of a network the ranker has, the width of its pieces, and its longest text."""
AROUND = ("[UNK]", "[CLS]", "[SEP]")
"""Tokens that are no pieces, as a network calls them; the ranker has them first."""
KEPT = re.compile(r"(##)?[a-z0-9]+|[^\w\s]|_")
"""Pieces that the ranker knows, of those that a network does."""
Folder = dict[str, np.ndarray]


def main() -> None:
    """Train the teacher if it is not there, then the ranker, and write both."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--network", type=Path, required=True, help="folder of all-mpnet-base-v2")
    parser.add_argument("--begins", type=Path, required=True, help="folder of all-MiniLM-L6-v2")
    parser.add_argument("--teacher", type=Path, required=True, help="file of the changes to it")
    parser.add_argument("--out", type=Path, default=Path(ranking.__file__).parent / FOLDER)
    parser.add_argument("--epochs", type=int, default=9, help="of the ranker")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    torch.manual_seed(given.seed)
    tables = read_tables()
    teacher = read_network(given.network)
    teacher.encoder.change(RANK, FIXED)
    if given.teacher.is_file():
        read_changes(teacher, given.teacher)
    else:
        train(teacher, tables, 1.3, 128, 1e-3, seed=given.seed)
        write_changes(teacher, given.teacher)
    pieces = vocabulary(given.begins)
    model = begun(read_network(given.begins), pieces)
    words = words_of(tables, given.begins / TOKENIZER)
    taught = Teacher(teacher, tables, [*asked_alone(words), *with_other_words(tables, words)])
    taught.turn_to(model)
    model.head.load_state_dict(taught.head.state_dict())
    train(model, tables, given.epochs, 140, 4e-4, taught, others=1, seed=given.seed)
    write_ranker(model, pieces, given.out)


def begun(network: Model, pieces: Mapping[str, int]) -> Model:
    """Return a ranker as it begins: some layers of a network, over narrower vectors of pieces.

    These keep what they are in the directions of the tokens around a text, on which attention
    rests, and in those in which the others differ most.
    """
    old = network.encoder.weights()
    table, places, segments = (old[name] for name in EMBEDDED)
    rows = table[[*pieces.values()]]
    mean = rows.mean(0)
    rows = rows - mean
    around = torch.linalg.qr(rows[1 : len(AROUND)].T)[0]
    others = torch.linalg.svd(rows - rows @ around @ around.T, full_matrices=False)[2].T
    basis = torch.linalg.qr(torch.cat([around, others], 1)[:, :NARROW])[0]
    begins = (rows @ basis, places, segments + mean)
    new = {**old, **dict(zip(EMBEDDED, begins, strict=True)), WIDENED: basis}
    for layer, of in enumerate(map("encoder.layer.{}.".format, LAYERS)):
        some = {name.removeprefix(of): one for name, one in old.items() if name.startswith(of)}
        new |= {f"encoder.layer.{layer}.{name}": one for name, one in some.items()}
    shape = network.encoder.shape._replace(
        words=len(pieces), layers=len(LAYERS), longest=LONGEST, narrow=NARROW
    )
    encoder = Encoder(shape)
    encoder.load(new, network.encoder.norm.eps)
    return Model(encoder, Head(shape.dim), WordPieces("\n".join(pieces)))


def vocabulary(network: Path) -> dict[str, int]:
    """Return the pieces that a ranker knows, those of a network in the letters of English, with
    their numbers in that."""
    known = json.loads((network / TOKENIZER).read_text("utf-8"))["model"]["vocab"]
    return {one: known[one] for one in (*AROUND, *sorted(filter(KEPT.fullmatch, known)))}


def write_ranker(model: Model, pieces: Iterable[str], folder: Path) -> None:
    """Write an encoder, its matrices as whole numbers and a step a row, its pieces and its head."""
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
        PIECES: "\n".join(pieces).encode(),
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
