"""Calls of api functions that are to be made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

AnyRow = TypeVar("AnyRow")
AnyValue = TypeVar("AnyValue")


@dataclass(frozen=True)
class ApiCall(Generic[AnyRow]):
    """A call of an api function: it is made by a database, a session or a client of the service.

    The modules that are generated from the database's catalog make it, with types of its rows.

    Attributes:
        operation: name of the function in schema api.
        arguments: arguments by name. For what is left out, the function's default holds.
    """

    operation: str
    arguments: dict[str, Any]


class ApiValue(ApiCall[dict[str, AnyValue]]):
    """A call of an api function that returns one value."""


class ApiCaller(Protocol):
    """What calls api functions one after the other: a command's session, or a thread of the
    service.
    """

    def call(self, asked: ApiCall[AnyRow], /) -> list[AnyRow]: ...

    def call_value(self, asked: ApiValue[AnyValue], /) -> AnyValue: ...


def without_none(**arguments: object) -> dict[str, Any]:
    """Returns the arguments that have a value. For the others, the defaults of the api function
    hold.
    """
    return {name: value for name, value in arguments.items() if value is not None}
