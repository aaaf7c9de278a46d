"""Do arguments satisfy a tool's schema? What is wrong is said so that a model can mend it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

import jsonschema_rs

from quartermaster.logs import get_logger

_MOST_PROBLEMS: Final = 10
_LONGEST_MESSAGE: Final = 300


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with arguments.

    Attributes:
        pointer: JSON pointer to the value, empty for the arguments as a whole.
        message: what is wrong with it.
    """

    pointer: str
    message: str

    def __str__(self) -> str:
        return f"{self.pointer or 'arguments'}: {self.message}"


def find_problems(schema: object, arguments: Mapping[str, Any]) -> list[Problem]:
    """The first ten problems of arguments; none where they fit, or where nobody can tell.

    A schema that is not valid JSON Schema, or that refers to another document (which is never
    fetched), judges nothing: then the upstream has to.

    Args:
        schema: as the upstream published it.
        arguments: of one call.
    """
    try:
        json.dumps(arguments, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        # Neither the database nor an upstream could read it.
        return [Problem("", "holds text that is not valid Unicode (half of a surrogate pair)")]
    try:
        # Compiling takes about 20 microseconds, less than finding out whether a copy is current.
        validator = jsonschema_rs.validator_for(schema, offline=True)  # pyright: ignore[reportArgumentType]
    except (ValueError, jsonschema_rs.ReferencingError) as error:
        get_logger().debug("schema_unusable", error=str(error)[:_LONGEST_MESSAGE])
        return []
    return [*islice(_problems(validator, arguments), _MOST_PROBLEMS)]


def _problems(
    validator: jsonschema_rs.Validator, arguments: Mapping[str, Any]
) -> Iterator[Problem]:
    for error in validator.iter_errors(dict(arguments)):
        message = error.message
        if len(message) > _LONGEST_MESSAGE:
            message = message[: _LONGEST_MESSAGE - 1] + "…"
        yield Problem(_pointer(error.instance_path), message)


def _pointer(path: list[str | int]) -> str:
    return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in path)
