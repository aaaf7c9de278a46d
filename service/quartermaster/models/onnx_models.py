"""Opens models from folders for the service, and converts their errors to the service's."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

from quartermaster.core.errors import QmError
from quartermaster.models.device import available_providers, check_device, choose_providers
from quartermaster.settings.models import Device
from quartermaster_db.embedding import Encoder
from quartermaster_db.model_folder import ModelError
from quartermaster_db.reranking import CrossEncoder

# The usual lengths: a goal, a tool description, and a text at the limit.
_WARM_UP_WORDS = (8, 60, 400)


def open_encoder(model_dir: Path, threads: int = 1, device: Device = "cpu") -> Encoder:
    """Load an encoder from a folder.

    Args:
        model_dir: the folder, see `quartermaster_db.embedding.Encoder`.
        threads: number of texts that one call encodes at a time.
        device: device to run on; if it is unavailable, the CPU is used, and a log line reports it.

    Raises:
        QmError: 404 model_file_missing, 422 model_unreadable, 422 dimension_mismatch.
    """
    with _explained():
        model = Encoder(model_dir, threads, choose_providers(device, available_providers()))
    check_device(device, model.provider)
    return model


def open_cross_encoder(
    model_dir: Path, threads: int = 1, device: Device = "cpu", max_tokens: int | None = None
) -> CrossEncoder:
    """Load a reranker from a folder.

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
    """Run a model on short and long texts, so that the first request is not slow.

    Args:
        use: runs the model on a text.
        seconds: time after which no further text is started.

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
