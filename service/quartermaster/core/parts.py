"""Objects that the packages of kinds keep in a running service."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar, cast

Part = TypeVar("Part")


class Parts:
    """Finds each object by its class, so that only code that knows a kind can ask for the object of
    the kind.

    Args:
        parts: the objects, each of a different class.
    """

    def __init__(self, parts: Iterable[object] = ()) -> None:
        self._of = {type(part): part for part in parts}

    def add(self, part: object) -> None:
        """Keeps an object, which replaces an earlier object of the same class."""
        self._of[type(part)] = part

    def __getitem__(self, wanted: type[Part]) -> Part:
        """Returns the object that has this class.

        Raises:
            KeyError: there is no such object.
        """
        return cast("Part", self._of[wanted])
