"""The devices on which models run: ONNX Runtime's execution providers under common names."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, cast

from quartermaster.core.logs import get_logger
from quartermaster.settings.sections import Device
from quartermaster_db.embedding import SentenceEncoder
from quartermaster_db.reranking import CrossEncoder
from quartermaster_db.token_graph import CPU

_PROVIDERS: Final = {
    "cuda": "CUDAExecutionProvider",
    "coreml": "CoreMLExecutionProvider",
    "cpu": CPU,
}
# Every ONNX Runtime for macOS has CoreML, but CoreML suits few graphs, so it is used only on
# request.
_AUTOMATIC_PROVIDERS: Final = (_PROVIDERS["cuda"], CPU)

log = get_logger(part="models")


def available_providers() -> list[str]:
    """Returns the execution providers that the installed ONNX Runtime was built with."""
    import onnxruntime

    return cast("Any", onnxruntime).get_available_providers()


def choose_providers(device: Device, available: Sequence[str]) -> list[str]:
    """Chooses the execution providers to run on, the preferred one first, with the CPU as fallback.

    Args:
        device: name of the device; auto chooses cuda if it is available, otherwise the CPU. If the
            device is not available, the CPU is used, and a warning is logged.
        available: the installed ONNX Runtime's execution providers.
    """
    wanted = _AUTOMATIC_PROVIDERS if device == "auto" else (_PROVIDERS[device],)
    found = [provider for provider in wanted if provider in available]
    if not found:
        _warn(device, "this ONNX Runtime does not include support for it")
    return list(dict.fromkeys([*found, CPU]))


def device_of(provider: str) -> str:
    """Returns the common name for an execution provider."""
    return next((name for name, known in _PROVIDERS.items() if known == provider), provider)


def folder_of(model: object) -> Path | None:
    """Returns the folder of a local model; None for a model on a server."""
    return model.directory.absolute() if isinstance(model, SentenceEncoder | CrossEncoder) else None


def describe(model: object) -> str:
    """Returns the device on which a model runs: cpu, cuda, coreml, or remote."""
    return (
        device_of(model.provider) if isinstance(model, SentenceEncoder | CrossEncoder) else "remote"
    )


def check_device(device: Device, provider: str) -> None:
    """Warns if a model is not running on the requested device, for example because a driver is
    missing.

    Args:
        device: the requested device.
        provider: execution provider of the loaded model.
    """
    if device not in {"auto", device_of(provider)} and _PROVIDERS[device] in available_providers():
        _warn(device, "it could not be started")


def _warn(device: Device, reason: str) -> None:
    log.warning("device_unavailable", wanted=device, used="cpu", reason=reason)
