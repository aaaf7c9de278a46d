"""Files that are equal if what they say is equal."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

DIGITS: Final = 6


@dataclass(frozen=True)
class Output:
    """Where a part writes, and what it reads.

    Attributes:
        folder: folder of all outputs.
        data: folder of the shared data.
        tell: told what is done now.
    """

    folder: Path
    data: Path
    tell: Callable[[str], None]

    def write(self, name: str, text: str) -> None:
        """Writes a file below the folder."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.rstrip("\n") + "\n", encoding="utf-8")

    def remove(self, name: str) -> None:
        """Removes what an earlier run has left there."""
        path = self.folder / name
        if path.is_dir():
            shutil.rmtree(path)
        path.unlink(missing_ok=True)


def read_lines(path: Path) -> list[dict[str, Any]]:
    """Returns the objects of a file of JSON Lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def as_json(value: object, without: str = "", indent: int | None = 1) -> str:
    """Returns JSON with sorted members and rounded numbers.

    Args:
        value: what is written.
        without: expression for the names of members that are left out at any depth.
        indent: of the lines; None writes one line.
    """
    stable = _stable(value, re.compile(without))
    return json.dumps(stable, indent=indent, sort_keys=True, ensure_ascii=False)


def _stable(value: object, without: re.Pattern[str]) -> object:
    if isinstance(value, float):
        return round(value, DIGITS)
    if isinstance(value, Mapping):
        members = cast("Mapping[str, object]", value)
        retained = {name: one for name, one in members.items() if not without.fullmatch(name)}
        return {name: _stable(one, without) for name, one in retained.items()}
    if isinstance(value, list | tuple):
        return [_stable(one, without) for one in cast("Sequence[object]", value)]
    return value
