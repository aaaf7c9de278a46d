"""Reads the starter upstreams from `starter.json`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

Registry = Literal["pypi", "npm"]
_FILE: Final = Path(__file__).with_name("starter.json")
_LOCKS: Final = Path(__file__).with_name("locks")


@dataclass(frozen=True, slots=True)
class Starter:
    """One starter upstream with a pinned version.

    ``{home}`` in values is replaced by the path of the server's home.

    Attributes:
        name: name of the origin.
        program: executable of the server in its package.
        arguments: arguments of the program.
        env: environment variables for the program.
        files: texts by path below the home; missing files are created.
        network: network that the program needs. A starter that needs the internet is skipped if the
            machine cannot give it a separate network.
    """

    name: str
    registry: Registry
    package: str
    version: str
    program: str
    description: str
    arguments: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    files: Mapping[str, str] = field(default_factory=dict[str, str])
    network: Literal["none", "internet"] = "none"

    @property
    def locks(self) -> list[Path]:
        """Returns the lock files, which pin each installed package with its hashes (`make
        lock`).
        """
        return sorted((_LOCKS / self.name).iterdir())


def load_starters() -> list[Starter]:
    """Returns all starter upstreams, in the order of the file."""
    listed: dict[str, dict[str, Any]] = json.loads(_FILE.read_text(encoding="utf-8"))
    return [
        Starter(name=name, arguments=tuple(fields.pop("arguments", ())), **fields)
        for name, fields in listed.items()
    ]
