"""Reads the rows of lookup tables from CSV and JSON Lines files. If a line is invalid, the
functions raise an error that names the line, and return no rows.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar, cast

from quartermaster.core.errors import QmError, unreadable

_MEMBERS: Final = frozenset(
    {"id", "value", "aliases", "language", "active", "domain", "provenance", "properties", "table"}
)
_MEMBER_ALIASES: Final = {"props": "properties", "lang": "language", "key": "id", "name": "value"}
_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")
_TRUE: Final = {"": True, "true": True, "t": True, "1": True, "yes": True}
_FALSE: Final = {"false": False, "f": False, "0": False, "no": False}
_SEPARATORS: Final = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "vertical bars"}
_MAX_CHARACTERS: Final = {
    "id": 500,
    "value": 10_000,
    "aliases": 10_000,
    "language": 100,
    "domain": 200,
}
Row = dict[str, Any]
Json = TypeVar("Json", list[object], dict[str, Any])


def read_rows(path: Path) -> Sequence[Row]:
    """Returns the rows of a file, in the form that api.load_lookup expects.

    Each row has the number of its line and, if the file names it, its table. Columns other than id,
    value, aliases, language, active, domain, provenance and properties (or props) become
    properties. Aliases are a JSON list, or a text in which they are separated by ``|``.

    Args:
        path: path of the file. The suffixes .jsonl and .ndjson stand for JSON Lines. All other
            files are CSV with a header; see `csv_entries`.

    Raises:
        QmError: QM404 file_not_found; QM422 lookup_file_invalid with the line.
    """
    text = read_text(path)
    is_json = path.suffix.lower() in {".jsonl", ".ndjson"}
    entries = _json_lines(path, text) if is_json else _csv_rows(path, text)
    rows = [row_of(path, line, entry) for line, entry in entries]
    if not rows:
        raise bad_line(path, 1, "the file has no rows")
    seen: dict[tuple[str, str], int] = {}
    for row in rows:
        key = (row.get("table", ""), row["id"])
        if key in seen:
            raise bad_line(
                path, row["line"], f"the id {row['id']!r} was already used on line {seen[key]}"
            )
        seen[key] = row["line"]
    return rows


def row_of(path: Path, line: int, entry: Mapping[str, Any]) -> Row:
    """Builds a row from the columns of a file or of a query.

    Raises:
        QmError: QM422 lookup_file_invalid.
    """
    given = {_MEMBER_ALIASES.get(name, name): value for name, value in entry.items()}
    row: Row = {"line": line}
    for name in ("id", "value"):
        text = "" if given.get(name) is None else str(given[name])
        if not text.strip():
            raise bad_line(path, line, f"the row has no {name}")
        row[name] = text
    for name in ("table", "language", "domain"):
        if given.get(name):
            row[name] = str(given[name])
    row["active"] = _boolean(path, line, given.get("active"))
    row["aliases"] = _aliases(path, line, given.get("aliases"))
    row["provenance"] = _object(path, line, "provenance", given.get("provenance"))
    others = {
        name: value
        for name, value in given.items()
        if name not in _MEMBERS and value is not None and value != ""
    }
    row["properties"] = others | _object(path, line, "properties", given.get("properties"))
    _check_storable(path, line, row)
    return row


def _check_storable(path: Path, line: int, row: Row) -> None:
    """Refuses a row that the database cannot store or does not allow."""
    for name, longest in _MAX_CHARACTERS.items():
        for text in _texts(row.get(name)):
            if len(text) > longest:
                what = f"{name} has {len(text):,} characters, but the limit is {longest:,}"
                raise bad_line(path, line, what)
    if any(letter in row["id"] for letter in "\r\n"):
        raise bad_line(path, line, "the id contains a line break; is a quote not closed?")
    if row["id"] != row["id"].strip():
        raise bad_line(path, line, f"the id {row['id']!r} begins or ends with a space")
    for text in _texts(row):
        if "\0" in text or (not text.isascii() and _SURROGATE.search(text)):
            raise bad_line(
                path, line, "the row contains a NUL or half a character, which cannot be stored"
            )


def _texts(value: object) -> Iterator[str]:
    """Yields every text in a JSON value, including the names of members."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, member in cast("dict[str, object]", value).items():
            yield name
            yield from _texts(member)
    elif isinstance(value, list):
        for member in cast("list[object]", value):
            yield from _texts(member)


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON value")


def read_text(path: Path) -> str:
    """Returns the text of a UTF-8 file.

    Raises:
        QmError: QM404 file_not_found; QM422 lookup_file_invalid with the line that contains the
            invalid byte.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise unreadable(path, error) from error
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        what = f"byte {error.start + 1} of the file is not UTF-8"
        hint = "Save the file as CSV in UTF-8 and load it again."
        raise bad_line(path, line, what, hint) from None


def bad_line(
    path: Path, line: int, what: str, hint: str = "Correct the line and load the file again."
) -> QmError:
    """Returns the error for an invalid line of a file."""
    return QmError(
        422, "lookup_file_invalid", f"{path}, line {line}: {what}; nothing was loaded", hint
    )


def csv_entries(path: Path, text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yields the line number and the columns of each row in a CSV file with a header.

    The header decides whether columns are separated by commas, semicolons, tabs or ``|``.

    Raises:
        QmError: QM422 lookup_file_invalid if the file is not strict CSV: a quote is not closed, a
            row has a different number of columns than the header, or two columns have the same
            name.
    """
    csv.field_size_limit(1 << 24)
    separator = _separator(text)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    header: list[str] | None = None
    last = 0
    _require_quotes_around(path, text, separator)
    try:
        for cells in reader:
            if header is None:
                header = _header(path, cells)
            elif cells and len(cells) != len(header):
                what = (
                    f"the row has {len(cells)} columns, but the header has {len(header)}"
                    f" (separated by {_SEPARATORS[separator]})"
                )
                raise bad_line(path, last + 1, what)
            elif cells:
                yield last + 1, dict(zip(header, cells, strict=True))
            last = reader.line_num
    except csv.Error as error:
        raise bad_line(path, last + 1, _csv_problem(str(error), reader.line_num)) from None
    if header is None:
        raise bad_line(path, 1, "a header with the column names is missing")


def _require_quotes_around(path: Path, text: str, separator: str) -> None:
    """Refuses a value that contains a quote but is not in quotes. The csv module would accept such
    a value.
    """
    cell = re.compile(
        rf'(?:"[^"]*+(?:""[^"]*+)*+"|[^"{separator}\r\n]*+)(?:{re.escape(separator)}|\r?\n|\r|\Z)'
    )
    place = 0
    while place < len(text):
        found = cell.match(text, place)
        if found is None:
            if text[place] != '"':  # the csv module reports what is wrong inside quotes
                line = len(re.findall(r"\r\n|\n|\r", text[:place])) + 1
                what = "a value that contains a quote must be in quotes, with this quote doubled"
                raise bad_line(path, line, what)
            return
        place = found.end()


def _separator(text: str) -> str:
    """Returns the separator that occurs most often in the first line."""
    first = text.lstrip("\r\n").splitlines()[:1]
    return max(_SEPARATORS, key="".join(first).count)


def _header(path: Path, cells: list[str]) -> list[str]:
    names = [name.strip() for name in cells]
    if not any(names):
        raise bad_line(path, 1, "a header with the column names is missing")
    meant: set[str] = set()
    for number, name in enumerate(names, start=1):
        if not name:
            raise bad_line(path, 1, f"column {number} of the header has no name")
        if _MEMBER_ALIASES.get(name, name) in meant:
            raise bad_line(path, 1, f"the header names the column {name!r} twice")
        meant.add(_MEMBER_ALIASES.get(name, name))
    return names


def _csv_problem(error: str, line: int) -> str:
    if "unexpected end" in error:
        return "a quote that opens in this row is never closed"
    if "expected after" in error:
        return (
            f"a quote inside a value is not doubled, or a quote was not closed before line {line}"
        )
    return error


def _csv_rows(path: Path, text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    for line, entry in csv_entries(path, text):
        missing = {"id", "value"} - {_MEMBER_ALIASES.get(name, name) for name in entry}
        if missing:
            found = ", ".join(entry)[:200]
            small = " (write its name in small letters)"
            written = min(missing) in {name.lower() for name in entry}
            what = (
                f"the column {min(missing)} is missing{small if written else ''};"
                f" the columns are: {found}."
                f" Columns may be separated by {', '.join(_SEPARATORS.values())}"
            )
            raise bad_line(path, 1, what)
        yield line, entry


def _json_lines(path: Path, text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    for line, content in enumerate(text.split("\n"), start=1):
        if not content.strip():
            continue
        try:
            entry: object = json.loads(content, parse_constant=_refuse_constant)
        except (ValueError, RecursionError) as error:
            raise bad_line(path, line, f"the line is not JSON: {error}") from None
        if not isinstance(entry, dict):
            raise bad_line(path, line, "the line is not a JSON object")
        yield line, cast("dict[str, Any]", entry)


def _boolean(path: Path, line: int, value: object) -> bool:
    if value is None or isinstance(value, bool):
        return value is not False
    known = (_TRUE | _FALSE).get(str(value).strip().lower())
    if known is None:
        raise bad_line(path, line, f"active is {value!r}, neither true nor false")
    return known


def _aliases(path: Path, line: int, value: object) -> list[str]:
    if isinstance(value, str) and not value.lstrip().startswith("["):
        return [name.strip() for name in value.split("|") if name.strip()]
    names = _of_json(path, line, "aliases", value, list[object], "a list")
    return [str(name) for name in names]


def _object(path: Path, line: int, name: str, value: object) -> dict[str, Any]:
    return _of_json(path, line, name, value, dict[str, Any], "a JSON object")


def _of_json(
    path: Path, line: int, name: str, value: object, kind: Callable[[], Json], what: str
) -> Json:
    """Returns the value of a member. A text is parsed as JSON. If there is no value, returns an
    empty value.
    """
    try:
        found: object = (
            json.loads(value, parse_constant=_refuse_constant)
            if isinstance(value, str) and value
            else value or kind()
        )
    except (ValueError, RecursionError) as error:
        raise bad_line(path, line, f"{name} are not JSON: {error}") from None
    if not isinstance(found, type(kind())):
        raise bad_line(path, line, f"{name} are not {what}")
    return found
