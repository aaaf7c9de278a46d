"""Checks arguments against a tool's schema, with messages that let a model correct them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, cast

import jsonschema_rs
from cachetools import LRUCache

from quartermaster.core.json_schema import Schema, as_input, place_of

_MOST_PROBLEMS: Final = 10
_LONGEST_MESSAGE: Final = 300
_LONGEST_CHOICE: Final = 1_000
_compiled: LRUCache[str, jsonschema_rs.Validator] = LRUCache(1_000)


@dataclass(frozen=True, slots=True)
class ArgumentProblem:
    """One problem with the arguments.

    Attributes:
        pointer: JSON pointer to the value; empty for the arguments as a whole.
        message: what is wrong with the value.
        keyword: the schema keyword or other limit that the value violates.
    """

    pointer: str
    message: str
    keyword: str = ""

    def __str__(self) -> str:
        return f"{self.pointer or 'arguments'}: {self.message}"


def find_problems(
    schema: object,
    arguments: Mapping[str, Any],
    *,
    known_as: str | None = None,
    read: Callable[[object], Schema] = as_input,
) -> list[ArgumentProblem]:
    """Finds the first ten problems with arguments; none if they are valid.

    Parts of a schema that cannot be used, such as references to other documents (which are never
    fetched), are not checked here (`json_schema.usable`). The upstream has to check them.

    Args:
        schema: the schema that the upstream published.
        arguments: arguments of one call.
        known_as: an identifier of this schema, such as its hash,
            so that it is compiled only once.
        read: function that returns the usable part of the schema.
    """
    if not is_unicode(arguments):
        # Neither the database nor an upstream could read a text that is not valid Unicode.
        return [
            ArgumentProblem(
                "", "contains text that is not valid Unicode (half of a surrogate pair)"
            )
        ]
    return [*islice(_problems(validator_of(schema, known_as, read), arguments), _MOST_PROBLEMS)]


def excess(
    arguments: Mapping[str, Any], size: int, most_bytes: int, deepest: int
) -> ArgumentProblem | None:
    """Finds the limits that the arguments exceed, regardless of their schema.

    Args:
        arguments: arguments of one call.
        size: their size in bytes, as JSON.
        most_bytes: largest size in bytes.
        deepest: largest number of levels of objects and arrays.
    """
    if size > most_bytes:
        return ArgumentProblem(
            "", f"has {size:,} bytes; this tool accepts at most {most_bytes:,}", "size"
        )
    level: list[object] = [arguments]
    for _ in range(deepest):
        level = [inner for value in level for inner in _containers(value)]
        if not level:
            return None
    return ArgumentProblem("", f"is nested more than {deepest} levels deep", "depth")


def is_unicode(arguments: Mapping[str, Any]) -> bool:
    """Tells whether all texts are valid Unicode, without halves of surrogate pairs."""
    try:
        json.dumps(arguments, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def validator_of(
    schema: object, known_as: str | None, read: Callable[[object], Schema] = as_input
) -> jsonschema_rs.Validator:
    """Compiles the usable part of a schema; see `find_problems`."""
    validator = _compiled.get(known_as) if known_as is not None else None
    if validator is None:
        validator = jsonschema_rs.validator_for(read(schema), offline=True)
        if known_as is not None:
            _compiled[known_as] = validator
    return validator


def pointer_to(path: Sequence[str | int]) -> str:
    """Returns a path of keys and positions as a JSON pointer."""
    return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in path)


def _containers(value: object) -> Iterator[object]:
    members = (
        cast("Mapping[str, object]", value).values()
        if isinstance(value, Mapping)
        else cast("list[object]", value)
    )
    for member in members:
        if isinstance(member, Mapping | list):
            yield cast("object", member)


def _problems(
    validator: jsonschema_rs.Validator, arguments: Mapping[str, Any]
) -> Iterator[ArgumentProblem]:
    for error in validator.iter_errors(dict(arguments)):
        keyword = str(error.schema_path[-1]) if error.schema_path else ""
        message, longest = error.message, _LONGEST_MESSAGE
        if isinstance(error.kind, jsonschema_rs.ValidationErrorKind.Enum):
            # The validator's message names only two of the allowed values.
            message, longest = _choice(error.kind.options), _LONGEST_CHOICE
        yield ArgumentProblem(
            pointer_to(place_of(error, arguments)), _shortened(message, longest), keyword
        )


def _choice(options: list[Any]) -> str:
    return "is not one of " + ", ".join(json.dumps(one, ensure_ascii=False) for one in options)


def _shortened(text: str, longest: int) -> str:
    """Shortens a message in the middle, because it begins with the value and ends with the
    problem.
    """
    return text if len(text) <= longest else f"{text[:100]}…{text[101 - longest :]}"
