"""Changes one entry in a client's file, and leaves every other byte as it is."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

from quartermaster.clients import json_edit, toml_edit, yaml_edit
from quartermaster.clients.client import Format
from quartermaster.clients.reading import MARK, read_value
from quartermaster.core.errors import QmError

Place = Sequence[str | int]
_EDITS = {"json": json_edit, "toml": toml_edit, "yaml": yaml_edit}


def with_entry(text: str, format_: Format, place: Place, entry: Any, file: Path) -> str:
    """The text of a file with an entry added, or replaced.

    Args:
        text: the text.
        format_: its format.
        place: the keys that lead to the entry; a number is a place in a list, and the entry is
            added to the list if nothing is there.
        entry: the entry.
        file: path of the file, for errors.

    Raises:
        QmError: QM422 config_invalid if the file cannot be read, or if the entry cannot be written
            without a change elsewhere.
    """
    expected = value_in(text, format_, file)
    outer: Any = expected
    for key, following in pairwise(place):
        outer = _inner(outer, key, [] if isinstance(following, int) else {})
    last: Any = place[-1]
    if isinstance(outer, list) and last >= len(cast("list[Any]", outer)):
        # In YAML, it is the first, because only the begin of a list has an unmistakable place.
        cast("list[Any]", outer).insert(0 if format_ == "yaml" else last, entry)
    else:
        outer[last] = entry
    mark, bare = _mark(text)
    changed = mark + _EDITS[format_].with_entry(bare, place, entry)
    return _checked(changed, format_, expected, file)


def without_entry(text: str, format_: Format, place: Place, file: Path) -> str:
    """The text of a file without an entry that is there.

    Raises:
        QmError: as `with_entry`.
    """
    expected = value_in(text, format_, file)
    outer: Any = expected
    for key in place[:-1]:
        outer = outer[key]
    del outer[place[-1]]
    mark, bare = _mark(text)
    changed = mark + _EDITS[format_].without_entry(bare, place)
    return _checked(changed, format_, expected, file)


def _mark(text: str) -> tuple[str, str]:
    """The byte order mark of a text, and the rest."""
    bare = text.removeprefix(MARK)
    return text[: len(text) - len(bare)], bare


def _inner(outer: Any, key: str | int, empty: list[Any] | dict[str, Any]) -> Any:
    """The mapping or list at a key, which is made if there is none."""
    if isinstance(key, str) and not isinstance(outer.get(key), (dict, list)):
        outer[key] = empty
    return outer[key]


def value_in(text: str, format_: Format, file: Path) -> dict[str, Any]:
    """The content of a file, which is an object; empty if there is nothing in it.

    Raises:
        QmError: QM422 config_invalid.
    """
    value: Any = read_value(text, file, format_)[0] if text.strip(f"{MARK} \t\r\n") else {}
    if value is None:
        return {}
    if not isinstance(value, dict):
        what = "a JSON object" if format_ == "json" else f"a {format_.upper()} mapping"
        raise QmError(422, "config_invalid", f"{file} is not {what}.", "Correct the file.")
    return _copied(cast("dict[str, Any]", value))


def _copied(value: Any) -> Any:
    """A copy in which no object is at two places, as it is where YAML has an anchor."""
    if isinstance(value, dict):
        members = cast("dict[Any, Any]", value)
        return {key: _copied(inner) for key, inner in members.items()}
    if isinstance(value, list):
        return [_copied(inner) for inner in cast("list[Any]", value)]
    return value


def _checked(text: str, format_: Format, expected: Any, file: Path) -> str:
    """The text, if it has exactly this content."""
    try:
        found = value_in(text, format_, file)
    except QmError:
        found = None
    if found is None or _filled(found) != _filled(expected):
        raise QmError(
            422,
            "config_invalid",
            f"{file} is written in a way that cannot be changed here without other changes.",
            "Make the change yourself.",
        )
    return text


def _filled(value: Any) -> Any:
    """A value without empty mappings: where the last entry went, some formats keep nothing."""
    if isinstance(value, dict):
        members = cast("dict[str, Any]", value)
        kept = {key: _filled(inner) for key, inner in members.items()}
        return {key: inner for key, inner in kept.items() if inner not in (None, {}, [])}
    return value
