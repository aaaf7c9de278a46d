"""Cross-encoders for tests: a tiny one that is made in a moment, and its plain computation."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save_file

from quartermaster.models.cross_encoder import write_cross_encoder
from tests.support.model import TINY, TINY_CONFIG, tiny_tokenizer, tiny_weights

_erf = np.vectorize(math.erf)


def tiny_cross_weights(*, pooler: bool = True) -> dict[str, NDArray[np.float32]]:
    """Returns random weights of a cross-encoder of `TINY` size, the same at every call."""
    random = np.random.default_rng(1)
    hidden = TINY.hidden
    shapes: dict[str, tuple[int, ...]] = {
        "classifier.weight": (1, hidden),
        "classifier.bias": (1,),
    }
    if pooler:
        shapes |= {"pooler.dense.weight": (hidden, hidden), "pooler.dense.bias": (hidden,)}
    own = {name: random.normal(size=size).astype(np.float32) for name, size in shapes.items()}
    return tiny_weights() | own


def write_tiny_cross_encoder(folder: Path, *, pooler: bool = True) -> Path:
    """Writes a model folder, in float32, from a checkpoint folder beside it."""
    checkpoint = folder.with_name(f"{folder.name}-checkpoint")
    checkpoint.mkdir(parents=True)
    save_file(tiny_cross_weights(pooler=pooler), checkpoint / "model.safetensors")
    (checkpoint / "config.json").write_text(TINY_CONFIG)
    tiny_tokenizer().save(str(checkpoint / "tokenizer.json"))
    write_cross_encoder(checkpoint, folder, "fp32")
    return folder


def reference_score(
    weights: dict[str, NDArray[np.float32]], ids: list[int], types: list[int]
) -> float:
    """Returns the score of one unpadded pair: a plain forward pass in float64."""
    w = {name: tensor.astype(np.float64) for name, tensor in weights.items()}

    def dense(x: NDArray[np.float64], name: str) -> NDArray[np.float64]:
        return x @ w[f"{name}.weight"].T + w[f"{name}.bias"]

    def norm(x: NDArray[np.float64], name: str) -> NDArray[np.float64]:
        centred = x - x.mean(-1, keepdims=True)
        scaled = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + TINY.epsilon)
        return scaled * w[f"{name}.weight"] + w[f"{name}.bias"]

    x = w["embeddings.word_embeddings.weight"][ids]
    x = x + w["embeddings.position_embeddings.weight"][: len(ids)]
    x = norm(x + w["embeddings.token_type_embeddings.weight"][types], "embeddings.LayerNorm")
    for number in range(TINY.layers):
        layer = f"encoder.layer.{number}"
        parts = [dense(x, f"{layer}.attention.self.{part}") for part in ("query", "key", "value")]
        heads: list[NDArray[np.float64]] = []
        for q, k, v in zip(*(np.split(part, TINY.heads, axis=-1) for part in parts), strict=True):
            weight = np.exp(q @ k.T / math.sqrt(q.shape[-1]))
            heads.append(weight / weight.sum(-1, keepdims=True) @ v)
        attended = dense(np.concatenate(heads, axis=-1), f"{layer}.attention.output.dense")
        x = norm(attended + x, f"{layer}.attention.output.LayerNorm")
        inner = dense(x, f"{layer}.intermediate.dense")
        inner = inner * (1 + _erf(inner / math.sqrt(2))) / 2
        x = norm(dense(inner, f"{layer}.output.dense") + x, f"{layer}.output.LayerNorm")
    first = x[0]
    if "pooler.dense.weight" in w:
        first = np.tanh(dense(first, "pooler.dense"))
    return float(dense(first, "classifier")[0])
