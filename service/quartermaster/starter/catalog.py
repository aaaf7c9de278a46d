"""The starter upstreams, from `starter.json`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

_FILE: Final = Path(__file__).with_name("starter.json")


@dataclass(frozen=True, slots=True)
class Starter:
    """One starter upstream, pinned. ``{data}`` in values stands for the data directory.

    Attributes:
        name: of the origin.
        program: the executable that the package brings.
        arguments: given to it.
        env: variables given to it.
        files: text by path below the data directory, written where missing.
    """

    name: str
    registry: Literal["pypi", "npm"]
    package: str
    version: str
    program: str
    description: str
    arguments: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    files: Mapping[str, str] = field(default_factory=dict[str, str])


def load_starters() -> list[Starter]:
    """All starter upstreams in the order of the file."""
    listed: dict[str, dict[str, Any]] = json.loads(_FILE.read_text(encoding="utf-8"))
    return [
        Starter(name=name, arguments=tuple(fields.pop("arguments", ())), **fields)
        for name, fields in listed.items()
    ]
