"""Calls of api functions."""

from __future__ import annotations

from typing import Any, Protocol


def without_none(**arguments: object) -> dict[str, Any]:
    """The arguments that have a value. For the others, the defaults of the api function hold."""
    return {name: value for name, value in arguments.items() if value is not None}


class Calling(Protocol):
    """What calls api functions one after the other: a command's session, or a thread of the
    service.
    """

    def call(self, operation: str, /, **arguments: object) -> list[dict[str, Any]]: ...

    def call_value(self, operation: str, /, **arguments: object) -> Any: ...
