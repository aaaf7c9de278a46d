"""Opens embedding models and rerankers by name, by folder or from the settings."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from time import monotonic

from quartermaster.core.errors import QmError
from quartermaster.models.convert import TRAINED_LAYERS
from quartermaster.models.device import available_providers, check_device, choose_providers
from quartermaster.models.embedding_model import EmbeddingModel
from quartermaster.models.remote import ModelServerClient
from quartermaster.models.remote_models import RemoteEmbedding, RemoteReranker
from quartermaster.models.reranker import Reranker
from quartermaster.secrets.store import SecretStore
from quartermaster.settings.sections import (
    Device,
    EmbeddingSettings,
    RemoteModelSettings,
    RerankerSettings,
)
from quartermaster_db.embedding import SentenceEncoder
from quartermaster_db.model_folder import ModelError
from quartermaster_db.reranking import CrossEncoder

# The usual lengths: a goal, a tool description, and a text at the limit.
_WARM_UP_WORDS = (8, 60, 400)
# Other programs' configurations put the publisher before the default model's name.
_PUBLISHER = "sentence-transformers/"


def open_encoder(model_dir: Path, threads: int = 1, device: Device = "cpu") -> SentenceEncoder:
    """Loads an encoder from a folder.

    Args:
        model_dir: the folder, see `quartermaster_db.embedding.SentenceEncoder`.
        threads: number of texts that one call encodes at a time.
        device: device to run on; if it is unavailable, the CPU is used, and a log line reports it.

    Raises:
        QmError: 404 model_file_missing, 422 model_unreadable, 422 dimension_mismatch.
    """
    with _explained():
        model = SentenceEncoder(model_dir, threads, choose_providers(device, available_providers()))
    check_device(device, model.provider)
    return model


def open_cross_encoder(
    model_dir: Path, threads: int = 1, device: Device = "cpu", max_tokens: int | None = None
) -> CrossEncoder:
    """Loads a reranker from a folder.

    Args:
        model_dir: the folder, see `quartermaster_db.reranking.CrossEncoder`.
        threads: number of pairs that one call scores at a time.
        device: device to run on; if it is unavailable, the CPU is used, and a log line reports it.
        max_tokens: largest number of word pieces read from a pair; None uses the number in the
            model's description.

    Raises:
        QmError: 404 model_file_missing, 422 model_unreadable.
    """
    with _explained():
        providers = choose_providers(device, available_providers())
        model = CrossEncoder(model_dir, threads, providers, max_tokens)
    check_device(device, model.provider)
    return model


def warm_up(use: Callable[[str], object], seconds: float = 1.0) -> float:
    """Runs a model on short and long texts, so that the first request is not slow.

    Args:
        use: function that runs the model on a text.
        seconds: time after which no further text is run.

    Returns:
        The duration in seconds.
    """
    begun = monotonic()
    for words in _WARM_UP_WORDS:
        if monotonic() - begun >= seconds:
            break
        use("word " * words)
    return monotonic() - begun


@contextmanager
def _explained() -> Generator[None]:
    try:
        yield
    except ModelError as error:
        raise QmError(error.status, error.slug, error.message, error.hint) from error


def open_embedding(
    options: EmbeddingSettings, runtime_dir: Path, secrets: SecretStore
) -> EmbeddingModel:
    """Opens the embedding model in the settings, and warms it up.

    Args:
        options: section `embedding`.
        runtime_dir: the runtime directory, in which models are stored by name.
        secrets: the secret store with the server's key.

    Raises:
        QmError: the errors of `load_embedding`; for a server 422 settings_invalid (no URL), 404
            secret_not_found, 503 model_unavailable, 502 model_refused or model_answer_invalid.
    """
    if options.provider == "api_remote":
        return RemoteEmbedding(
            _server("embedding", options, secrets),
            options.model,
            dimension=options.dimension,
            query_prefix=options.query_prefix,
            passage_prefix=options.passage_prefix,
            batch_size=options.batch_size,
        )
    if options.query_prefix or options.passage_prefix:
        raise QmError(
            422,
            "settings_invalid",
            "embedding.query_prefix and embedding.passage_prefix apply only to the provider"
            " api_remote.",
            "Write the prefixes to model.json in the model's folder. The database functions also"
            " read that file.",
        )
    threads = options.threads or os.cpu_count() or 1
    model = load_embedding(options.model, runtime_dir, threads, options.dimension, options.device)
    warm_up(lambda text: model.embed([model.goal_text(text)]))
    return model


def open_reranker(
    options: RerankerSettings, runtime_dir: Path, secrets: SecretStore
) -> Reranker | None:
    """Opens the reranker in the settings, and warms it up; None if the settings name no reranker.

    Args:
        options: section `reranker`.
        runtime_dir: the runtime directory, in which models are stored by name.
        secrets: the secret store with the server's key.

    Raises:
        QmError: 422 settings_invalid (no model or no URL), 404 model_not_found,
            model_file_missing or secret_not_found, 422 model_unreadable.
    """
    if options.provider == "none":
        return None
    if options.model is None:
        raise _unset("reranker", "model")
    if options.provider == "api_remote":
        server = _server("reranker", options, secrets)
        return RemoteReranker(server, options.model, options.documents_field)
    folder = find_folder(options.model, runtime_dir / "models", "reranker")
    threads = options.threads or os.cpu_count() or 1
    model = open_cross_encoder(folder, threads, options.device, options.max_tokens)
    warm_up(lambda text: model.score("a goal of some words", [text]))
    return model


def load_embedding(
    name_or_dir: str | Path,
    runtime_dir: Path,
    threads: int = 1,
    dimension: int | None = None,
    device: Device = "cpu",
) -> EmbeddingModel:
    """Loads an embedding model from a folder, without downloading or converting anything.

    Args:
        name_or_dir: a name under `runtime_dir/models`, or the path of any folder with model.onnx
            and tokenizer.json. The path must contain a separator.
        runtime_dir: the runtime directory, which contains the converted models.
        threads: number of texts that one call encodes at a time.
        dimension: required length of a vector; None accepts any length.
        device: device to run on.

    Raises:
        QmError: 404 model_not_found (the nearest names in the hint), 404 model_file_missing,
            422 model_unreadable, 422 dimension_mismatch.
    """
    folder = find_folder(name_or_dir, runtime_dir / "models", "embedding model")
    model = open_encoder(folder, threads, device)
    if dimension not in {None, model.dimension}:
        raise QmError(
            422,
            "dimension_mismatch",
            f"The vectors of the model {model.name} have {model.dimension} dimensions, not"
            f" {dimension}.",
            f"Set the dimension to {model.dimension}, or choose another model.",
        )
    return model


def find_folder(name_or_dir: str | Path, models: Path, what: str) -> Path:
    """Finds the folder of a model.

    Args:
        name_or_dir: a name in `models`, or a path with at least one separator.
        models: folder in which models are stored by name.
        what: the kind of model, for error messages.

    Raises:
        QmError: 404 model_not_found (the nearest names in the hint), 404 model_file_missing (the
            default model, not converted yet).
    """
    named = str(name_or_dir).removeprefix(_PUBLISHER)
    is_path = isinstance(name_or_dir, Path) or Path(named).name != named
    folder = Path(named).expanduser() if is_path else models / named
    if folder.is_dir():
        return folder
    if named in TRAINED_LAYERS:
        raise QmError(
            404,
            "model_file_missing",
            f"The model {named} has not been converted yet: {folder} does not exist.",
            "Run `make setup` or `qm up`: both convert the model.",
        )
    known = sorted({*TRAINED_LAYERS, *(path.parent.name for path in models.glob("*/model.onnx"))})
    nearest = get_close_matches(named, known, n=3, cutoff=0.3) or known
    raise QmError(
        404,
        "model_not_found",
        f"There is no {what} {str(name_or_dir)!r}.",
        f"Use one of {', '.join(nearest)}, or give the path of a folder with model.onnx and "
        "tokenizer.json.",
    )


def _server(section: str, options: RemoteModelSettings, secrets: SecretStore) -> ModelServerClient:
    if options.url is None:
        raise _unset(section, "url")
    key = secrets.resolve(options.api_key) if options.api_key else None
    return ModelServerClient(options.url, key, options.request_timeout_s)


def _unset(section: str, name: str) -> QmError:
    return QmError(
        422,
        "settings_invalid",
        f"{section}.provider needs {section}.{name}, which is not set.",
        "Add this setting; docs/models.md has an example of each provider.",
    )
