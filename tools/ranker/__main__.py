"""Train the rankers of relations: the large one, then the small one after it.

    python -m tools.ranker large --network FOLDER
    python -m tools.ranker small --network FOLDER

The first learns what is added to all-MiniLM-L6-v2, whose folder is named, from the questions in
`examples/phrasings`. The second is small enough to be part of the package; it learns from the same
questions and from what the first one says of them. Both are written to where the package has them,
unless `--out` names another folder. Each takes some 15 minutes on two cores.
"""

import argparse
import json
import re
from pathlib import Path

import numpy as np
import torch
from safetensors.numpy import save
from torch import Tensor

from memnets.files import write_bytes, write_json
from memnets.kb.questions import ranking
from memnets.kb.questions.ranking import BASE, CHANGES, HEAD, LARGE, SMALL, large_ranker
from memnets.kb.questions.sentences import CONFIG, INTO, OUT, STEP, TOKENIZER, WEIGHTS, WORDS
from memnets.kb.questions.tokens import Pieces, WholeWords
from tools.ranker.networks import FACTOR, Encoder, Head, Linear, Shape
from tools.ranker.phrasings import Table, read_tables
from tools.ranker.training import Model, Teacher, train

RANK, FIXED = 8, 2
"""Of the changes, and how many layers have none."""
NUMBERED = 16
"""So many weights tell the network from others."""
DIM, WIDE, HEADS, LAYERS, LONGEST = 128, 512, 4, 2, 48
"""Of the small encoder."""
NO_WORDS = ("<none>", "<unknown>", "<number>", "<year>")
UNKNOWN = 0.05
"""The share of words that the small one takes for unknown while it learns."""
WORD = re.compile(r"[a-z][a-z'-]*|'s")
Folder = dict[str, np.ndarray]


def main() -> None:
    """Train what is asked for, and write it."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("which", choices=("large", "small"))
    parser.add_argument("--network", type=Path, required=True, help="folder of all-MiniLM-L6-v2")
    parser.add_argument("--out", type=Path, default=Path(ranking.__file__).parent)
    parser.add_argument("--epochs", type=int, help="2 for the large one, 10 for the small one")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    torch.manual_seed(given.seed)
    tables = read_tables()
    if given.which == "large":
        model = large_model(given.network)
        model.encoder.change(RANK, FIXED)
        train(model, tables, given.epochs or 2, 64, 1.2e-3, seed=given.seed)
        write_large(model, given.out / LARGE)
    else:
        words = vocabulary(tables, given.network)
        model = small_model(given.network, words)
        teacher = Teacher(changed_model(given.network), tables)
        train(model, tables, given.epochs or 10, 128, 2e-3, teacher, others=3, seed=given.seed)
        write_small(model, words, given.out / SMALL)


def large_model(network: Path) -> Model:
    """Return all-MiniLM-L6-v2 as it is, with a new head."""
    from safetensors.torch import load_file

    return _model(network, load_file(network / WEIGHTS))


def changed_model(network: Path) -> Model:
    """Return all-MiniLM-L6-v2 as a ranker that was trained."""
    ranker = large_ranker(network)
    weights = {name: torch.tensor(one) for name, one in ranker.encoder.weights.items()}
    model = _model(network, weights)
    for name, part in (("hop.weight", "weight"), ("hop.bias", "bias")):
        getattr(model.head.hop, part).data = torch.tensor(ranker.head[name])
    model.head.log_scale.data = torch.tensor(ranker.head["scale"]).log()
    model.head.biases.data = torch.tensor(ranker.head["biases"])
    return model


def _model(network: Path, weights: dict[str, Tensor]) -> Model:
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
    encoder.load(weights, config["layer_norm_eps"])
    return Model(encoder, Head(shape.dim), Pieces(network / TOKENIZER))


def small_model(network: Path, words: list[str]) -> Model:
    """Return a new small model, of which only the words' vectors mean something."""
    encoder = Encoder(Shape(len(words), DIM, WIDE, HEADS, LAYERS, LONGEST), UNKNOWN)
    encoder.words.weight.data = narrowed(vectors(words, network), DIM)
    encoder.places.weight.data *= 0.02
    encoder.segments.weight.data.zero_()
    return Model(encoder, Head(DIM), WholeWords(words))


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


def vectors(words: list[str], network: Path) -> Tensor:
    """Return what the network makes of each word alone."""
    model = large_model(network)
    model.encoder.eval()
    with torch.inference_mode():
        return model.encode([word.strip("<>") for word in words]).clone()


def narrowed(rows: Tensor, dim: int) -> Tensor:
    """Return rows along their principal components, their mean length 1; the first one is zero."""
    rows = rows - rows.mean(0)
    rows = rows @ torch.linalg.svd(rows, full_matrices=False)[2][:dim].T
    rows = rows / rows.norm(dim=1).mean()
    rows[0] = 0
    return rows


def write_large(model: Model, folder: Path) -> None:
    """Write what is added to the network, and its head."""
    changes: Folder = {}
    for name, part in model.encoder.named().items():
        if isinstance(part, Linear) and hasattr(part, "into"):
            changes[f"{name}.weight{OUT}"] = _half(FACTOR * part.out)
            changes[f"{name}.weight{INTO}"] = _half(part.into)
    write_bytes(folder / CHANGES, save(changes))
    base = model.encoder.words.weight[0, :NUMBERED].detach().numpy()
    write_bytes(folder / HEAD, save(_head(model) | {BASE: base}))


def write_small(model: Model, words: list[str], folder: Path) -> None:
    """Write a small encoder, its words and their vectors as whole numbers, and its head."""
    weights: Folder = {}
    for name, part in model.encoder.named().items():
        for kind, weight in part.named_parameters(recurse=False):
            weights[f"{name}.{kind}"] = _half(weight)
    rows = model.encoder.words.weight.detach().numpy()
    step = np.abs(rows).max(1) / 127 + 1e-12
    name = "embeddings.word_embeddings.weight"
    weights[name] = np.rint(rows / step[:, None]).astype(np.int8)
    weights[name + STEP] = step.astype(np.float32)
    write_bytes(folder / WORDS, "\n".join(words).encode())
    write_bytes(folder / WEIGHTS, save(weights))
    write_bytes(folder / HEAD, save(_head(model)))
    config = {
        **{"model_type": "bert", "hidden_act": "gelu", "hidden_size": DIM},
        **{"intermediate_size": WIDE, "num_attention_heads": HEADS, "num_hidden_layers": LAYERS},
        **{"max_position_embeddings": LONGEST, "vocab_size": len(words), "layer_norm_eps": 1e-5},
    }
    write_json(folder / CONFIG, config)


def _head(model: Model) -> Folder:
    head = model.head
    return {
        "hop.weight": _half(head.hop.weight),
        "hop.bias": head.hop.bias.detach().numpy(),
        "scale": head.log_scale.exp().detach().numpy(),
        "biases": head.biases.detach().numpy(),
    }


def _half(weight: Tensor) -> np.ndarray:
    return weight.detach().numpy().astype(np.float16)


if __name__ == "__main__":
    main()
