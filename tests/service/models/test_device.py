"""Where models run. No accelerator is needed: the choice is made from names alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from quartermaster.core import logs
from quartermaster.models import device, registry
from quartermaster.models.device import choose_providers, device_of
from quartermaster.models.registry import open_encoder
from quartermaster.settings.sections import Device

CPU, CUDA, COREML = "CPUExecutionProvider", "CUDAExecutionProvider", "CoreMLExecutionProvider"


@pytest.fixture(autouse=True)
def json_logs() -> None:
    logs.configure("info")


@pytest.mark.parametrize(
    ("wanted", "available", "chosen"),
    [
        ("auto", [CPU], [CPU]),
        ("auto", [CUDA, CPU], [CUDA, CPU]),
        ("auto", [COREML, CPU], [CPU]),
        ("cpu", [CUDA, COREML, CPU], [CPU]),
        ("cuda", [CUDA, CPU], [CUDA, CPU]),
        ("coreml", [COREML, CPU], [COREML, CPU]),
    ],
)
def test_the_device_of_the_settings_is_taken(
    wanted: Device, available: list[str], chosen: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert choose_providers(wanted, available) == chosen
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("wanted", ["cuda", "coreml"])
def test_the_processor_stands_in_and_one_line_says_so(
    wanted: Device, tiny_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if device.available_providers()[0] in {CUDA, COREML}:
        pytest.skip("this machine's ONNX Runtime has an accelerator")
    model = open_encoder(tiny_dir, device=wanted)
    [line] = capsys.readouterr().err.splitlines()
    assert "device_unavailable" in line
    assert wanted in line
    assert device_of(model.provider) == "cpu"
    assert model.embed(["red"]).shape == (1, 8)


def test_a_device_that_does_not_start_is_told(
    tiny_dir: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # The runtime was built for it, but the session ended up on the processor.
    for module in (device, registry):
        monkeypatch.setattr(module, "available_providers", lambda: [CUDA, CPU])
    monkeypatch.setattr(registry, "choose_providers", lambda *_: [CPU])
    open_encoder(tiny_dir, device="cuda")
    [line] = capsys.readouterr().err.splitlines()
    assert "could not be started" in line
