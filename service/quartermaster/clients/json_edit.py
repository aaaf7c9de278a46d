"""Changes one member of a JSON text, and no other byte, so that comments are kept."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from quartermaster.core.json_text import without_comments

_SPACE: Final = re.compile(r"\s*")
_INDENT: Final = re.compile(r'\n([ \t]+)["\[{]')
_decode: Final = json.JSONDecoder().raw_decode


@dataclass(frozen=True, slots=True)
class _JsonMember:
    """The positions of a member of an object, or of an item of a list."""

    key: str | int
    start: int
    value: int
    end: int


def with_entry(text: str, path: Sequence[str | int], entry: Any) -> str:
    """Returns the text with the value at a path added or replaced; missing objects are added.

    Args:
        text: a JSON object; comments and trailing commas are allowed.
        path: the keys that lead to the value; an item of a list is added if it is missing.
        entry: the value.
    """
    if not text.strip():
        text = "{}\n"
    bare = without_comments(text)
    at = _begin(bare)
    for depth, key in enumerate(path):
        members = list(_members(bare, at))
        found = next((member for member in members if member.key == key), None)
        rest = path[depth + 1 :]
        if found is None or (rest and bare[found.value] not in "{["):
            value = _nested(rest, entry)
            if found is not None:
                return _replaced(text, found, value)
            return _inserted(text, bare, at, members, key, value)
        if not rest:
            return _replaced(text, found, entry)
        at = found.value
    return text


def without_entry(text: str, path: Sequence[str | int]) -> str:
    """Returns the text without the value at a path. The path must exist."""
    bare = without_comments(text)
    at = _begin(bare)
    for key in path[:-1]:
        at = next(member.value for member in _members(bare, at) if member.key == key)
    members = list(_members(bare, at))
    number = next(n for n, member in enumerate(members) if member.key == path[-1])
    commas = without_comments(text, keep_commas=True)
    start, end = members[number].start, members[number].end
    after = _SPACE.match(commas, end)
    comma = after.end() if after else end
    if commas[comma : comma + 1] == ",":
        end = comma + 1
    elif number:
        # The last member: the comma before it goes, too.
        before = commas.index(",", members[number - 1].end)
        text = text[:before] + text[before + 1 :]
        start, end = start - 1, end - 1
    line = text.rfind("\n", 0, start) + 1
    stop = text.find("\n", end)
    stop = len(text) if stop < 0 else stop
    if not text[line:start].strip() and not text[end:stop].strip():
        # The lines are its own.
        return text[: max(line - 1, 0)] + text[stop:]
    return text[:start] + text[end:].removeprefix(" ")


def _begin(bare: str) -> int:
    found = _SPACE.match(bare)
    return found.end() if found else 0


def _members(bare: str, at: int) -> Iterator[_JsonMember]:
    """Yields the members of the object, or the items of the list, that begins at a position."""
    is_object, number = bare[at] == "{", 0
    place = _after_space(bare, at + 1)
    while bare[place] not in "}]":
        start = value = place
        key: str | int = number
        if is_object:
            key, end = _decode(bare, place)
            value = _after_space(bare, _after_space(bare, end) + 1)
        _, end = _decode(bare, value)
        yield _JsonMember(key, start, value, end)
        number += 1
        place = _after_space(bare, end)
        if bare[place] == ",":
            place = _after_space(bare, place + 1)


def _after_space(bare: str, at: int) -> int:
    found = _SPACE.match(bare, at)
    return found.end() if found else at


def _nested(path: Sequence[str | int], entry: Any) -> Any:
    for key in reversed(path):
        entry = [entry] if isinstance(key, int) else {key: entry}
    return entry


def _replaced(text: str, member: _JsonMember, value: Any) -> str:
    written = _written(text, value, _indent_of(text, member.start))
    return text[: member.value] + written + text[member.end :]


def _inserted(
    text: str, bare: str, at: int, members: list[_JsonMember], key: str | int, value: Any
) -> str:
    newline = "\r\n" if "\r\n" in text else "\n"
    unit = _unit(text)
    if members:
        indent = _indent_of(text, members[0].start)
        line = text.rfind("\n", 0, members[0].start) + 1
        if text[line : members[0].start].strip():
            # The members are on the line of the bracket.
            indent += unit
    else:
        indent = _indent_of(text, at) + unit
    name = f"{json.dumps(key, ensure_ascii=False)}: " if isinstance(key, str) else ""
    written = f"{indent}{name}{_written(text, value, indent)}"
    if not members:
        close = without_comments(text).index("}" if bare[at] == "{" else "]", at)
        line = text.rfind("\n", 0, close) + 1
        if line > at and not text[line:close].strip():
            # Comments before the bracket stay before the entry.
            return text[:line] + written + newline + text[line:]
        outer = _indent_of(text, at)
        retained = text[at + 1 : close].strip()
        shown = f"{newline}{indent}{retained}" if retained else ""
        return f"{text[: at + 1]}{shown}{newline}{written}{newline}{outer}{text[close:]}"
    end = members[-1].end
    commas = without_comments(text, keep_commas=True)
    has_comma = commas[_after_space(commas, end)] == ","
    comma = "" if has_comma else ","
    place = _after_space(commas, end) + 1 if has_comma else end
    stop = text.find("\n", place)
    if stop >= 0 and not bare[place:stop].strip():
        # What a comment says about the last entry stays on its line.
        if text[stop - 1] == "\r":
            stop -= 1
        return f"{text[:end]}{comma}{text[end:stop]}{newline}{written}{text[stop:]}"
    close = _after_space(bare, end)
    retained = f"{text[:end]}{comma}{text[end:place]}{text[place:close].rstrip()}"
    return f"{retained}{newline}{written}{newline}{_indent_of(text, at)}{text[close:]}"


def _written(text: str, value: Any, indent: str) -> str:
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = json.dumps(value, indent=_unit(text), ensure_ascii=False).split("\n")
    return f"{newline}{indent}".join(lines)


def _unit(text: str) -> str:
    found = _INDENT.search(text)
    return found[1] if found else "  "


def _indent_of(text: str, at: int) -> str:
    """Returns the indentation of the line at a position."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip())]
