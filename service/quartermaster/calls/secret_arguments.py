"""Keeps the values of arguments that are marked as secret out of logs and logged errors."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

from quartermaster.calls.arguments import ArgumentProblem, excess, find_problems
from quartermaster.calls.call_record import CallRecord
from quartermaster.calls.upstream_arguments import removed_arguments
from quartermaster.core.json_schema import referred
from quartermaster.core.logs import MASK, SHORTEST_SECRET

_MAX_DEPTH: Final = 64
_JOINING_KEYWORDS: Final = ("allOf", "anyOf", "oneOf")

Json = Mapping[str, Any]


@dataclass(frozen=True)
class Marked:
    """The values in one call's arguments that are marked as secret.

    A schema marks arguments by ``writeOnly``, ``format: password`` or ``x-sensitive``; an operator
    can mark arguments by name.

    Attributes:
        pointers: JSON pointers to the values.
        texts: texts of the values, the longest first.
    """

    pointers: tuple[str, ...]
    texts: tuple[str, ...]

    @classmethod
    def of(cls, schema: object, arguments: Json, names: Collection[str]) -> Marked:
        """Finds the marked values.

        Args:
            schema: schema for the arguments.
            arguments: arguments of the call.
            names: names that an operator has marked, at any depth.
        """
        found = list(_Walk(schema, names).over(schema, arguments, "", 0))
        texts = {
            text for _, value in found for text in texts_in(value) if len(text) >= SHORTEST_SECRET
        }
        # The longest value comes first, because one value may be part of another.
        return cls(
            tuple(pointer for pointer, _ in found),
            tuple(sorted(texts, key=len, reverse=True)),
        )

    def hide(self, text: str) -> str:
        """Returns the text with the marked values masked."""
        for value in self.texts:
            text = text.replace(value, MASK)
            # Most messages are JSON, so they contain the value in JSON notation.
            text = text.replace(json.dumps(value)[1:-1], MASK)
        return text

    def hide_in(self, problem: ArgumentProblem) -> ArgumentProblem:
        """Returns the problem with the marked values masked, including values that are too short to
        be found in texts.
        """
        if any(
            _is_within(problem.pointer, marked) or _is_within(marked, problem.pointer)
            for marked in self.pointers
        ):
            message = f"does not satisfy {problem.keyword!r} of the schema (value {MASK})"
            return ArgumentProblem(problem.pointer, message, problem.keyword)
        return ArgumentProblem(problem.pointer, self.hide(problem.message), problem.keyword)


def problems_of(
    record: CallRecord, arguments: Json, *, fits: bool = False
) -> list[ArgumentProblem]:
    """Finds the problems with a call's arguments; the messages omit the marked values.

    Args:
        record: record of the call.
        arguments: arguments of the call.
        fits: whether the arguments are known to fit the schema, so that only their size is checked.
    """
    terms = record.terms
    too_much = excess(
        arguments, record.arguments_bytes, terms.arguments_bytes, terms.arguments_depth
    )
    schema, known_as = record.input_schema, record.content_hash or None
    if too_much:
        problems = [too_much]
    else:
        problems = removed_arguments(record.repair, arguments)
        if not problems and not fits:
            problems = find_problems(schema, arguments, known_as=known_as)
    if not problems:
        return []
    marked = marked_in(record, arguments)
    return [marked.hide_in(problem) for problem in problems]


def marked_in(record: CallRecord, arguments: Json) -> Marked:
    """Finds the marked values in a call."""
    return Marked.of(record.input_schema, arguments, record.terms.masked)


def _is_within(inner: str, outer: str) -> bool:
    return inner == outer or inner.startswith(f"{outer}/")


class _Walk:
    """Walks through the arguments together with their schema. Each part of the schema is visited
    only once at each place.
    """

    def __init__(self, root: object, names: Collection[str]) -> None:
        self._root = root
        self._names = names
        # Each schema is visited once, because schemas may refer to themselves.
        self._been: set[tuple[int, str]] = set()

    def over(
        self, schema: object, value: object, pointer: str, depth: int
    ) -> Iterator[tuple[str, object]]:
        """Returns pointers and values of the marked arguments."""
        step = (id(schema), pointer)
        if depth > _MAX_DEPTH or (schema is not None and step in self._been):
            return
        self._been.add(step)
        rules = _object(schema)
        if _is_marked(rules):
            yield pointer, value
            return
        for alternative in _alternatives(rules, self._root):
            yield from self.over(alternative, value, pointer, depth + 1)
        if isinstance(value, Mapping):
            properties = _object(rules.get("properties"))
            for key, member in cast("Json", value).items():
                place = f"{pointer}/{key.replace('~', '~0').replace('/', '~1')}"
                if key in self._names:
                    yield place, member
                    continue
                rule: object = properties.get(key, rules.get("additionalProperties"))
                yield from self.over(rule, member, place, depth + 1)
        elif isinstance(value, list):
            for number, item in enumerate(cast("list[object]", value)):
                yield from self.over(rules.get("items"), item, f"{pointer}/{number}", depth + 1)


def _object(value: object) -> Json:
    return cast("Json", value) if isinstance(value, Mapping) else {}


def _is_marked(rules: Json) -> bool:
    return (
        rules.get("writeOnly") is True
        or rules.get("format") == "password"
        or rules.get("x-sensitive") is True
    )


def _alternatives(rules: Json, root: object) -> Iterator[object]:
    for keyword in _JOINING_KEYWORDS:
        listed: object = rules.get(keyword)
        if isinstance(listed, list):
            yield from cast("list[object]", listed)
    for keyword in ("if", "then", "else"):
        if keyword in rules:
            yield rules[keyword]
    reference = rules.get("$ref")
    if isinstance(reference, str) and reference.startswith("#"):
        yield referred(reference, root)


def texts_in(value: object) -> Iterator[str]:
    """Yields the texts and numbers in a structure, as text."""
    match value:
        case str():
            yield value
        case Mapping():
            for member in cast("Json", value).values():
                yield from texts_in(member)
        case list():
            for member in cast("list[object]", value):
                yield from texts_in(member)
        case bool() | None:
            return
        case _:
            yield str(value)
