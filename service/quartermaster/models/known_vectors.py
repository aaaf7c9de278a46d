"""Reads and writes the vectors that come with Quartermaster, so that no machine has to compute them
again.

Some texts are the same on every machine: the notes of the experts, the questions that these notes
answer, and the definitions of Quartermaster's own tools. A file next to this module contains their
vectors. `make known-vectors` writes the file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray
from safetensors import safe_open
from safetensors.numpy import save

from quartermaster.models.device import folder_of
from quartermaster.models.embedding_model import EmbeddingModel

KNOWN_VECTORS_FILE: Final = Path(__file__).with_name("minilm_tools_4_vectors.safetensors")

_MAX_COMPONENT: Final = 127


def read_known(
    model: EmbeddingModel, file: Path = KNOWN_VECTORS_FILE
) -> dict[bytes, NDArray[np.float32]]:
    """Reads the known vectors of a model.

    Args:
        model: the model. The result is empty if the file was written with another model, with other
            weights or with another description (such as other prefixes).
        file: the file.

    Returns:
        A mapping from the SHA-256 of each text to its vector, which has L2 norm 1. The file stores
        vectors rounded to 8 bits. The rounding changes a vector (cosine above .9999) less than
        another kind of CPU does (cosine above .9998).
    """
    if not file.is_file():
        return {}
    with cast("Any", safe_open)(file, framework="np") as held:
        if held.metadata() != _made_with(model):
            return {}
        hashes: NDArray[np.uint8] = held.get_tensor("hashes")
        vectors: NDArray[np.float32] = held.get_tensor("vectors").astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return {each.tobytes(): vector for each, vector in zip(hashes, vectors, strict=True)}


def write_known(
    model: EmbeddingModel,
    vectors: Mapping[bytes, NDArray[np.float32]],
    file: Path = KNOWN_VECTORS_FILE,
) -> None:
    """Writes the file of known vectors; equal arguments give an equal file.

    Args:
        model: the model that computed the vectors, converted by `convert_model`.
        vectors: maps the SHA-256 of each text to its vector.
        file: the file.
    """
    hashes = sorted(vectors)
    rows = np.stack([vectors[each] for each in hashes])
    # The length of a vector does not count, so each has a scale of its own, which is not kept.
    rounded = np.rint(rows * (_MAX_COMPONENT / np.abs(rows).max(axis=1, keepdims=True)))
    made_with = _made_with(model)
    assert made_with is not None, "only a converted model has a description"
    tensors = {
        "hashes": np.frombuffer(b"".join(hashes), np.uint8).reshape(len(hashes), -1),
        "vectors": rounded.astype(np.int8),
    }
    file.write_bytes(save(tensors, made_with))


def _made_with(model: EmbeddingModel) -> dict[str, str] | None:
    """Returns the description of a local model: its name, its weights, and everything else that its
    vectors depend on. Returns None for a model on a server.
    """
    folder = folder_of(model)
    if folder is None or not (folder / "model.json").is_file():
        return None
    described: dict[str, Any] = json.loads((folder / "model.json").read_text(encoding="utf-8"))
    # The same weights may give files with other bytes on another machine.
    described.pop("files", None)
    # The format does not keep the order of several members.
    return {"model": json.dumps(described, sort_keys=True)}
