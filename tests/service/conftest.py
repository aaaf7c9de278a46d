from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest

from quartermaster.models import registered
from quartermaster.models.embedding_model import EmbeddingModel
from quartermaster.models.registry import open_embedding
from quartermaster.secret_store import SecretStore
from quartermaster.settings_models import Embedding


@pytest.fixture(scope="session", autouse=True)
def one_embedding_model() -> Generator[None]:
    """Services share the loaded model: reading it anew would be most of what their start costs."""
    loaded: dict[tuple[str, Path], EmbeddingModel] = {}

    def open_once(options: Embedding, runtime_dir: Path, secrets: SecretStore) -> EmbeddingModel:
        if options.provider != "onnx_local":
            return open_embedding(options, runtime_dir, secrets)
        key = options.model_dump_json(), runtime_dir
        if key not in loaded:
            loaded[key] = open_embedding(options, runtime_dir, secrets)
        return loaded[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registered, "open_embedding", open_once)
        yield
