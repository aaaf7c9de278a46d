"""Installed distributions for tests."""

from __future__ import annotations

from pathlib import Path

PARCELS = {
    "acme_parcels/__init__.py": '''"""Parcels and how they travel."""
from ._core import *
from ._log import Logger as _Logger

logger = _Logger()
''',
    "acme_parcels/_core.py": '''__all__ = ["Parcel", "send", "track"]


class Parcel:
    """A box with an address."""

    def weigh(self) -> int:
        """Tell the weight in grams."""
        return 0


def send(parcel: Parcel, *, by_air: bool = False) -> str:
    """Hand a parcel to the carrier and return its number."""
    return ""


def track(number: str) -> str:
    """Tell where a parcel is now."""
    return ""
''',
    "acme_parcels/_log.py": '''class Logger:
    def warn_once(self, text: str) -> None:
        """Write a warning that is not repeated."""
''',
    "acme_parcels/py.typed": "",
}


def install(folder: Path, name: str, version: str, files: dict[str, str]) -> None:
    """Makes an installed distribution."""
    for path, text in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    info = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir(exist_ok=True)
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\nSummary: About {name}.\n\n"
    )
    (info / "RECORD").write_text("".join(f"{path},,\n" for path in files))
