"""Tries the models of the settings, for qm doctor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from quartermaster.core.errors import QmError
from quartermaster.models.device import describe
from quartermaster.models.registry import open_embedding, open_reranker
from quartermaster.secrets.store import SecretStore
from quartermaster.settings import Settings


@dataclass(frozen=True)
class Trial:
    """How a model fared.

    Attributes:
        use: embedding or reranker.
        provider: onnx_local, api_remote or none.
        model: its name.
        device: where it runs: cpu, cuda, coreml or remote; None where it could not be tried.
        milliseconds: that one short text took, after loading.
        problem: why it cannot be used, and what to do.
    """

    use: str
    provider: str
    model: str | None
    device: str | None = None
    milliseconds: float | None = None
    problem: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def try_models(settings: Settings, runtime_dir: Path, secrets: SecretStore) -> list[Trial]:
    """Opens the embedding model and the reranker of the settings and gives each a text.

    Args:
        settings: sections `embedding` and `reranker` count.
        runtime_dir: where models lie by name.
        secrets: holds the key of a server.
    """
    embedding, reranker = settings.embedding, settings.reranker

    def open_first() -> tuple[object, Callable[[], object]]:
        model = open_embedding(embedding, runtime_dir, secrets)
        return model, lambda: model.embed(["a trial"])

    def open_second() -> tuple[object, Callable[[], object]] | None:
        model = open_reranker(reranker, runtime_dir, secrets)
        return None if model is None else (model, lambda: model.score("a trial", ["a text"]))

    return [
        _tried(Trial("embedding", embedding.provider, embedding.model), open_first),
        _tried(Trial("reranker", reranker.provider, reranker.model), open_second),
    ]


def _tried(trial: Trial, opened: Callable[[], tuple[object, Callable[[], object]] | None]) -> Trial:
    given = (trial.use, trial.provider, trial.model)
    try:
        found = opened()
        if found is None:
            return trial
        model, use = found
        begun = perf_counter()
        use()
    except QmError as error:
        return Trial(*given, problem=f"{error.message} {error.hint}")
    return Trial(*given, describe(model), round((perf_counter() - begun) * 1000, 1))
