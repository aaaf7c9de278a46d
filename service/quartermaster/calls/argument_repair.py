"""Repairs arguments that a tool's schema refuses, if the meaning is clear. Some clients send every
optional argument, with null or an empty text for those that they do not use. Some models write
numbers and objects as text. A value that the schema accepts is never changed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, cast

import jsonschema_rs

from quartermaster.calls.arguments import is_unicode, pointer_to, validator_of
from quartermaster.core.json_schema import number_in, place_of
from quartermaster.core.json_text import SyntaxProblem, parse
from quartermaster.core.large import is_large

REPAIRED_KEY: Final = "quartermaster/repaired"
"""Member of a result's ``_meta``: which arguments were changed before the call, and how."""

Json = dict[str, Any]
Path = tuple[str | int, ...]
_MOST_ROUNDS: Final = 4
_MOST_REPAIRS: Final = 100
_MAX_CHARACTERS: Final = 100_000
# Keywords that can refuse a text although texts are allowed there.
_OF_TEXTS: Final = frozenset({"minLength", "maxLength", "pattern", "format"})
_CHOICES: Final = {"true": True, "false": False, "True": True, "False": False}


@dataclass(frozen=True, slots=True)
class Repair:
    """One change of the arguments.

    Attributes:
        path: where the value is.
        done: the sort of change: ``left out``, or the type to which a text was converted.
        value: the new value; has no meaning if the argument was left out.
        is_doubtful: whether the original value is refused only by an alternative (``anyOf``) in the
            schema.
    """

    path: Path
    done: str
    value: Any = None
    is_doubtful: bool = False

    @property
    def is_drop(self) -> bool:
        """Whether the argument was left out."""
        return self.done == "left out"

    def report(self) -> Json:
        """Returns a description of the change for ``_meta`` in the reply, without the values."""
        return {"pointer": pointer_to(self.path), "done": self.done}


def repaired_arguments(
    schema: object,
    arguments: Mapping[str, Any],
    *,
    known_as: str | None = None,
    empty: Sequence[object] = (None, ""),
) -> tuple[Mapping[str, Any], list[Json]]:
    """Returns arguments that the schema accepts, and the changes.

    Null or an empty text is left out where the schema refuses it and does not require the
    argument. A text becomes a number, a boolean, an object or an array where the schema refuses
    texts, if nothing is lost.

    Args:
        schema: schema of the arguments.
        arguments: arguments of one call, which the schema refuses.
        known_as: as in `find_problems`.
        empty: the values that stand for an argument that is left out.

    Returns:
        The arguments, and a list of the changes for the member `REPAIRED_KEY`. If no repair is
        clear, the arguments are unchanged and the list is empty. This is also so if the arguments
        contain too many errors or values to try repairs quickly.
    """
    if not is_unicode(arguments) or is_large(arguments):
        return arguments, []
    validator = validator_of(schema, known_as)
    found: Mapping[str, Any] = arguments
    made: list[Repair] = []
    for _ in range(_MOST_ROUNDS):
        errors = [*islice(validator.iter_errors(dict(found)), _MOST_REPAIRS + 1)]
        if len(errors) > _MOST_REPAIRS:
            break
        repairs = _useful(validator, found, list(_proposed(errors, found, empty)))
        if not repairs:
            break
        found = _applied(found, repairs)
        made += repairs
    return found, [repair.report() for repair in made]


def _proposed(
    errors: Sequence[jsonschema_rs.ValidationError], arguments: Mapping[str, Any],
    empty: Sequence[object],
) -> Iterator[Repair]:  # fmt: skip
    """Yields at most one repair for each value that the schema refuses, including values that only
    an alternative (``anyOf``) refuses.
    """
    refused: dict[Path, set[str]] = {}
    pending = list(errors)
    certain = {place_of(error, arguments) for error in errors}
    while pending and len(refused) < _MOST_REPAIRS:
        error = pending.pop()
        path = place_of(error, arguments)
        refused.setdefault(path, set()).add(str(error.schema_path[-1]) if error.schema_path else "")
        for name in getattr(error.kind, "unexpected", ()):
            refused.setdefault((*path, name), set())
        for alternative in getattr(error.kind, "context", ()):
            pending += alternative
    for path, keywords in refused.items():
        value = _at(arguments, path)
        if path and isinstance(path[-1], str) and _is_one_of(value, empty):
            yield Repair(path, "left out", is_doubtful=path not in certain)
        elif path and isinstance(value, str) and not keywords & _OF_TEXTS:
            yield from _converted(path, value, is_doubtful=path not in certain)


def _converted(path: Path, text: str, *, is_doubtful: bool) -> Iterator[Repair]:
    value: Any = _CHOICES.get(text)
    if value is None:
        value = number_in(text)
    if value is None and text.lstrip()[:1] in {"{", "["} and len(text) <= _MAX_CHARACTERS:
        value = _structure_in(text)
    if value is not None:
        yield Repair(path, _type_of(value), value, is_doubtful)


def _structure_in(text: str) -> Any:
    """Returns the object or array that a text represents; None if a part of the text would be
    lost.
    """
    try:
        value, repeated = parse(text)
    except SyntaxProblem:
        return None
    try:
        is_same = json.loads(text, parse_float=_exact, parse_constant=_exact) is not None
    except ValueError:
        return None
    return value if is_same and not repeated else None


def _exact(text: str) -> float:
    number = number_in(text)
    if number is None:
        raise ValueError(text)
    return float(number)


def _type_of(value: object) -> str:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    return "array" if isinstance(value, list) else "object"


def _useful(
    validator: jsonschema_rs.Validator, arguments: Mapping[str, Any], proposed: list[Repair]
) -> list[Repair]:
    """Chooses the repairs that reduce the number of errors.

    Repairs are tried together, because alternatives (``anyOf``) may need several. A doubtful repair
    is dropped if the result is the same without it, because the schema then accepts the original
    value.
    """
    retained: list[Repair] = proposed
    while retained:
        changed = _applied(arguments, retained)
        left = [(error, place_of(error, changed)) for error in validator.iter_errors(changed)]
        wrong = [repair for repair in retained if _is_refused(repair, left)]
        if not wrong:
            break
        retained = [repair for repair in retained if repair not in wrong]
    if not retained:
        return []
    before, best = (
        _verdict(validator, arguments),
        _verdict(validator, _applied(arguments, retained)),
    )
    for repair in [one for one in retained if one.is_doubtful]:
        others = [one for one in retained if one is not repair]
        if others and _verdict(validator, _applied(arguments, others)) == best:
            retained = others
    converted = [repair.path for repair in retained if not repair.is_drop]
    is_worse = any(
        not any(place[: len(path)] == path for path in converted) for place, _ in best - before
    )
    if is_worse or best == before:
        return []
    return retained


def _is_refused(
    repair: Repair, errors: Sequence[tuple[jsonschema_rs.ValidationError, Path]]
) -> bool:
    """Returns whether a repair has failed: the schema requires the argument that was left out, or
    also refuses the new value.
    """
    for error, place in errors:
        if repair.is_drop:
            missing: object = getattr(error.kind, "property", None)
            if place == repair.path[:-1] and missing == repair.path[-1]:
                return True
        elif place == repair.path:
            return True
    return False


def _verdict(
    validator: jsonschema_rs.Validator, arguments: Mapping[str, Any]
) -> frozenset[tuple[Path, Path]]:
    return frozenset(
        (place_of(error, arguments), tuple(error.schema_path))
        for error in validator.iter_errors(dict(arguments))
    )


def _applied(arguments: Mapping[str, Any], repairs: Sequence[Repair]) -> Json:
    found: Json = deepcopy(dict(arguments))
    for repair in repairs:
        holder = _at(found, repair.path[:-1])
        if repair.is_drop:
            holder.pop(repair.path[-1], None)
        else:
            holder[repair.path[-1]] = deepcopy(repair.value)
    return found


def _at(value: Any, path: Path) -> Any:
    for step in path:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def _is_one_of(value: object, empty: Sequence[object]) -> bool:
    """Returns whether two values are equal and have the same type, because False equals 0."""
    return any(type(value) is type(one) and value == one for one in cast("Sequence[Any]", empty))
