"""Networks as others published them, and what is learnt of them: read, and written."""

import json
from pathlib import Path

import torch
from safetensors.numpy import save
from torch import Tensor

from memnets.files import write_bytes
from memnets.kb.questions.sentences import CONFIG, EMBEDDED, WEIGHTS
from tools.ranker.networks import Encoder, Head, Shape
from tools.ranker.pieces import Pieces
from tools.ranker.training import Model

TOKENIZER = "tokenizer.json"
"""Of the network, where its other files are as those of the ranker."""
MPNET = {
    **{f"attention.attn.{one[0]}.": f"attention.self.{one}." for one in ("query", "key", "value")},
    "attention.attn.o.": "attention.output.dense.",
    "attention.LayerNorm.": "attention.output.LayerNorm.",
}
"""What MPNet calls parts of a layer, and what BERT does."""
FIRST = {"mpnet": 2, "bert": 0}
"""The first place of a token that these networks know."""


def read_network(folder: Path) -> Model:
    """Return all-MiniLM-L6-v2 or all-mpnet-base-v2, with a new head.

    Raises:
        ValueError: it is a network of another kind.
    """
    from safetensors.torch import load_file

    config = json.loads((folder / CONFIG).read_text("utf-8"))
    kind = config["model_type"]
    if kind not in FIRST:
        raise ValueError(
            f"{folder / CONFIG}: came model_type {kind!r}; expected one of {', '.join(FIRST)}: "
            "name the folder of all-MiniLM-L6-v2 or of all-mpnet-base-v2."
        )
    shape = Shape(
        config["vocab_size"],
        config["hidden_size"],
        config["intermediate_size"],
        config["num_attention_heads"],
        config["num_hidden_layers"],
        config["max_position_embeddings"] - FIRST[kind],
        distances=config.get("relative_attention_num_buckets", 0),
    )
    weights = load_file(folder / WEIGHTS)
    for its, name in MPNET.items():
        weights = {of.replace(its, name): one for of, one in weights.items()}
    _, places, segments = EMBEDDED
    weights[places] = weights[places][FIRST[kind] :]
    weights.setdefault(segments, torch.zeros(1, shape.dim))
    encoder = Encoder(shape)
    encoder.load(weights, config["layer_norm_eps"])
    return Model(encoder, Head(shape.dim), Pieces(folder / TOKENIZER))


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
