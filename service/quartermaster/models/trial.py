"""Tries the models in the settings, for qm doctor."""

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
from quartermaster.settings.settings import Settings


@dataclass(frozen=True)
class ModelTrial:
    """The result of trying a model.

    Attributes:
        use: use of the model: embedding or reranker.
        provider: provider of the model: onnx_local, api_remote or none.
        model: name of the model.
        device: device on which the model runs: cpu, cuda, coreml or remote; None if the model could
            not be tried.
        milliseconds: time for one short text after loading, in milliseconds.
        problem: why the model cannot be used, and what to do; None if it can be used.
    """

    use: str
    provider: str
    model: str | None
    device: str | None = None
    milliseconds: float | None = None
    problem: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """Returns the result for JSON output."""
        return asdict(self)


def try_models(settings: Settings, runtime_dir: Path, secrets: SecretStore) -> list[ModelTrial]:
    """Opens the embedding model and the reranker in the settings, and runs each on a text.

    Args:
        settings: the settings; sections `embedding` and `reranker` are used.
        runtime_dir: the runtime directory, in which models are stored by name.
        secrets: the secret store with the server's key.
    """
    embedding, reranker = settings.embedding, settings.reranker

    def open_first() -> tuple[object, Callable[[], object]]:
        model = open_embedding(embedding, runtime_dir, secrets)
        return model, lambda: model.embed(["a trial"])

    def open_second() -> tuple[object, Callable[[], object]] | None:
        model = open_reranker(reranker, runtime_dir, secrets)
        return None if model is None else (model, lambda: model.score("a trial", ["a text"]))

    return [
        _tried(ModelTrial("embedding", embedding.provider, embedding.model), open_first),
        _tried(ModelTrial("reranker", reranker.provider, reranker.model), open_second),
    ]


def _tried(
    trial: ModelTrial, opened: Callable[[], tuple[object, Callable[[], object]] | None]
) -> ModelTrial:
    given = (trial.use, trial.provider, trial.model)
    try:
        found = opened()
        if found is None:
            return trial
        model, use = found
        begun = perf_counter()
        use()
    except QmError as error:
        return ModelTrial(*given, problem=f"{error.message} {error.hint}")
    return ModelTrial(*given, describe(model), round((perf_counter() - begun) * 1000, 1))
