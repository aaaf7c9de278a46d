"""Descriptions of calls of api functions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

AnyRow = TypeVar("AnyRow")
AnyValue = TypeVar("AnyValue")


@dataclass(frozen=True)
class ApiCall(Generic[AnyRow]):
    """A call of an api function, which a database, a session or a client of the service can
    execute. Modules that are generated from the database's catalog create such calls, with the
    types of the rows that the function returns.

    Attributes:
        operation: name of a function in schema api or in schema service. Only the service calls
            functions of schema service. No name is in both schemas.
        arguments: arguments by name. If an argument is left out, the function uses its default
            value.
    """

    operation: str
    arguments: dict[str, Any]


class ApiValue(ApiCall[dict[str, AnyValue]]):
    """A call of an api function that returns one value."""


class ApiCaller(Protocol):
    """An object that calls api functions one after the other: a command's session, or a thread of
    the service.
    """

    def call(self, asked: ApiCall[AnyRow], /) -> list[AnyRow]: ...

    def call_value(self, asked: ApiValue[AnyValue], /) -> AnyValue: ...


def without_none(**arguments: object) -> dict[str, Any]:
    """Returns the arguments that are not None. For the others, the api function uses its default
    values.
    """
    return {name: value for name, value in arguments.items() if value is not None}
