"""An embedding model that caches its vectors in a file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from quartermaster.core import paths
from quartermaster.models.embedding_model import EmbeddingModel

_PROBE: Final = "The vector of this text shows whether two model files with the same name differ."


def memory_dir(data_dir: Path) -> Path:
    """Returns the folder in which vectors are cached between runs."""
    return paths.runtime_dir(data_dir) / "evaluation"


def memory_file(folder: Path, model: EmbeddingModel) -> Path:
    """Returns the file with the vectors of a model. Models with different weights have different
    files.

    Args:
        folder: folder for all models.
        model: the model, from which one vector is requested.
    """
    digest = sha256(model.embed([_PROBE])[0].tobytes()).hexdigest()[:12]
    return folder / f"{model.name.replace('/', '_')}-{digest}.npz"


class RememberedModel:
    """An embedding model that embeds each text only once, even if several runs need its vector.

    Args:
        model: the model that embeds new texts.
        file: file with hashes and vectors of texts, which `save` creates.

    Attributes:
        name, dimension, query_prefix, passage_prefix, goal_text, goal_texts: attributes of the
            model.
        computed: number of texts that the model has embedded.
    """

    def __init__(self, model: EmbeddingModel, file: Path) -> None:
        self.name, self.dimension = model.name, model.dimension
        self.query_prefix, self.passage_prefix = model.query_prefix, model.passage_prefix
        self.goal_text = model.goal_text
        self.goal_texts = model.goal_texts
        self._model = model
        self._file = file
        self._vectors: dict[bytes, NDArray[np.float32]] = {}
        self.computed = 0
        if file.is_file():
            with np.load(file) as retained:
                keys = (row.tobytes() for row in retained["hashes"])
                self._vectors = dict(zip(keys, retained["vectors"], strict=True))

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embeds texts in order: float32 [len(texts), dimension]; each vector has L2 norm 1."""
        keys = [sha256(text.encode()).digest() for text in texts]
        unknown = {
            key: text for key, text in zip(keys, texts, strict=True) if key not in self._vectors
        }
        if unknown:
            vectors = self._model.embed(list(unknown.values()))
            self._vectors.update(zip(unknown, vectors, strict=True))
            self.computed += len(unknown)
        if not keys:
            return np.empty((0, self.dimension), np.float32)
        return np.stack([self._vectors[key] for key in keys])

    def save(self) -> None:
        """Writes the file if there are new vectors. The file is replaced atomically."""
        if not self.computed:
            return
        self._file.parent.mkdir(parents=True, exist_ok=True)
        hashes = np.frombuffer(b"".join(self._vectors), dtype=np.uint8).reshape(-1, 32)
        partial = self._file.with_name(f".{os.getpid()}.{self._file.name}")
        try:
            np.savez(partial, hashes=hashes, vectors=np.stack(list(self._vectors.values())))
            partial.replace(self._file)
        finally:
            partial.unlink(missing_ok=True)
