"""Changes one entry in a client's file, and no other byte."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

from quartermaster.clients import json_edit, toml_edit, yaml_edit
from quartermaster.clients.client import Format
from quartermaster.clients.reading import MARK, read_exactly, read_value
from quartermaster.core import paths
from quartermaster.core.errors import QmError

Place = Sequence[str | int]
_EDITS = {"json": json_edit, "toml": toml_edit, "yaml": yaml_edit}


def with_entry(text: str, format_: Format, place: Place, entry: Any, file: Path) -> str:
    """Returns the text of a file with an entry added, or replaced.

    Args:
        text: the text.
        format_: its format.
        place: the keys that lead to the entry. A number is a position in a list; the entry is added
            to the list if the position is free.
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
    if isinstance(outer, list) is not isinstance(last, int):
        # The client has a list where this file has a mapping, or the other way round.
        raise _unchangeable(file)
    if isinstance(outer, list) and last >= len(cast("list[Any]", outer)):
        # In YAML, it is the first, because only the begin of a list has an unmistakable place.
        cast("list[Any]", outer).insert(0 if format_ == "yaml" else last, entry)
    else:
        outer[last] = entry
    mark, bare = _mark(text)
    try:
        changed = mark + _EDITS[format_].with_entry(bare, place, entry)
    except ValueError as error:
        raise _unchangeable(file) from error
    return _checked(changed, format_, expected, file)


def without_entry(text: str, format_: Format, place: Place, file: Path) -> str:
    """Returns the text of a file without an entry. The entry must exist.

    Raises:
        QmError: as `with_entry`.
    """
    expected = value_in(text, format_, file)
    outer: Any = expected
    for key in place[:-1]:
        outer = outer[key]
    del outer[place[-1]]
    mark, bare = _mark(text)
    try:
        changed = mark + _EDITS[format_].without_entry(bare, place)
    except ValueError as error:
        raise _unchangeable(file) from error
    return _checked(changed, format_, expected, file)


def _mark(text: str) -> tuple[str, str]:
    """Returns the byte order mark of a text, and the rest."""
    bare = text.removeprefix(MARK)
    return text[: len(text) - len(bare)], bare


def _inner(outer: Any, key: str | int, empty: list[Any] | dict[str, Any]) -> Any:
    """Returns the mapping or list at a key; creates it if it is missing."""
    if isinstance(key, str) and not isinstance(outer.get(key), (dict, list)):
        outer[key] = empty
    return outer[key]


def replace_text(file: Path, before: str | None, after: str) -> None:
    """Writes a changed text, unless somebody has changed the file in the meantime. Clients write
    their files while they run, and people read the change before they confirm it.

    Args:
        file: path of the file.
        before: the text before the change; None if there was no file.
        after: the text to write.

    Raises:
        QmError: QM409 file_changed.
    """
    require_same(file, before)
    paths.write_private(file, after)


def require_same(file: Path, text: str | None) -> None:
    """Checks that a file still has the text that was read.

    Raises:
        QmError: QM409 file_changed.
    """
    if read_exactly(file) != text:
        raise QmError(
            409,
            "file_changed",
            f"{file} was changed by another program meanwhile, so nothing was written.",
            "Run the command again.",
        )


def value_in(text: str, format_: Format, file: Path) -> dict[str, Any]:
    """Returns the content of a file, which must be an object; an empty object if the file is empty.

    Raises:
        QmError: QM422 config_invalid.
    """
    value: Any = read_value(text, file, format_)[0] if text.strip(f"{MARK} \t\r\n") else {}
    if value is None:
        return {}
    if not isinstance(value, dict):
        what = "a JSON object" if format_ == "json" else f"a {format_.upper()} mapping"
        raise QmError(422, "config_invalid", f"{file} is not {what}.", "Correct the file.")
    return cast("dict[str, Any]", value)


def _checked(text: str, format_: Format, expected: Any, file: Path) -> str:
    """Returns the text if it has the expected content; otherwise, raises the error of
    `with_entry`.
    """
    try:
        found = value_in(text, format_, file)
    except QmError:
        found = None
    if found is None or _filled(found) != _filled(expected):
        raise _unchangeable(file)
    return text


def _unchangeable(file: Path) -> QmError:
    return QmError(
        422,
        "config_invalid",
        f"{file} is written in a way that cannot be changed here without other changes.",
        "Make the change yourself.",
    )


def _filled(value: Any) -> Any:
    """Returns a value without empty mappings, because some formats do not keep a mapping whose last
    entry was removed.
    """
    if isinstance(value, dict):
        members = cast("dict[str, Any]", value)
        retained = {key: _filled(inner) for key, inner in members.items()}
        return {key: inner for key, inner in retained.items() if inner not in (None, {}, [])}
    return value
