"""What the packages of kinds keep in a running service."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar, cast

Part = TypeVar("Part")


class Parts:
    """Objects that are found by their class, so that only whoever knows a kind can ask for its
    part.

    Args:
        parts: the objects, each of another class.
    """

    def __init__(self, parts: Iterable[object] = ()) -> None:
        self._of = {type(part): part for part in parts}

    def add(self, part: object) -> None:
        """Keeps an object; it replaces one of the same class."""
        self._of[type(part)] = part

    def __getitem__(self, wanted: type[Part]) -> Part:
        """Returns the object of a class.

        Raises:
            KeyError: no package keeps one.
        """
        return cast("Part", self._of[wanted])
