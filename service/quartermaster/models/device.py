"""Where models run: ONNX Runtime's execution providers by the names people use."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, cast

from quartermaster.core.logs import get_logger
from quartermaster.settings.models import Device
from quartermaster_db.embedding import Encoder
from quartermaster_db.reranking import CrossEncoder
from quartermaster_db.token_graph import CPU

_PROVIDERS: Final = {
    "cuda": "CUDAExecutionProvider",
    "coreml": "CoreMLExecutionProvider",
    "cpu": CPU,
}
# Every ONNX Runtime for macOS has CoreML, but it suits few graphs, so it is used only if named.
_AUTOMATIC: Final = (_PROVIDERS["cuda"], CPU)

log = get_logger(part="models")


def available_providers() -> list[str]:
    """The execution providers that the installed ONNX Runtime was built with."""
    import onnxruntime

    return cast("Any", onnxruntime).get_available_providers()


def choose_providers(device: Device, available: Sequence[str]) -> list[str]:
    """The execution providers to run on, the preferred one first; the processor always helps out.

    Args:
        device: auto takes cuda if it is available, else the processor; a device that is not
            available gives the processor, and a warning in the log.
        available: of the installed ONNX Runtime.
    """
    wanted = _AUTOMATIC if device == "auto" else (_PROVIDERS[device],)
    found = [provider for provider in wanted if provider in available]
    if not found:
        _warn(device, "this ONNX Runtime was built without it")
    return list(dict.fromkeys([*found, CPU]))


def device_of(provider: str) -> str:
    """The name people use for an execution provider."""
    return next((name for name, known in _PROVIDERS.items() if known == provider), provider)


def folder_of(model: object) -> Path | None:
    """The folder of a model that runs here; None for one on a server."""
    return model.directory.absolute() if isinstance(model, Encoder | CrossEncoder) else None


def describe(model: object) -> str:
    """Where a model runs: cpu, cuda, coreml, or remote."""
    return device_of(model.provider) if isinstance(model, Encoder | CrossEncoder) else "remote"


def check_device(device: Device, provider: str) -> None:
    """Warns if a model runs elsewhere than requested, since drivers or libraries may be missing.

    Args:
        device: wanted.
        provider: on which the loaded model runs.
    """
    if device not in {"auto", device_of(provider)} and _PROVIDERS[device] in available_providers():
        _warn(device, "it could not be started")


def _warn(device: Device, reason: str) -> None:
    log.warning("device_unavailable", wanted=device, used="cpu", reason=reason)
