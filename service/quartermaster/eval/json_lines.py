"""JSON Lines, strictly: every line is one object, or the file is refused with the place."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from quartermaster.core.json_text import SyntaxProblem, parse
from quartermaster.eval.problems import bad_file, unreadable


def read_objects(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Line number and object of each line that is not empty.

    Raises:
        QmError: QM404 file_not_found, QM422 evaluation_file_invalid.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise unreadable(path, error) from error
    for number, line in enumerate(content.split(b"\n"), start=1):
        try:
            text = line.decode("utf-8-sig" if number == 1 else "utf-8").strip()
            value: object = parse(text)[0] if text else None
        except UnicodeDecodeError as error:
            raise bad_file(path, number, f"byte {error.start + 1} is not UTF-8") from None
        except SyntaxProblem as problem:
            raise bad_file(path, number, f"{problem.what}, column {problem.column}") from None
        if not text:
            continue
        if not isinstance(value, dict):
            raise bad_file(path, number, "expected a JSON object on each line")
        yield number, cast("dict[str, Any]", value)


def text_member(path: Path, line: int, entry: dict[str, Any], name: str) -> str:
    """A member that has to be text and not empty.

    Raises:
        QmError: QM422 evaluation_file_invalid.
    """
    value = entry.get(name)
    if not isinstance(value, str) or not value.strip():
        raise bad_file(path, line, f"expected the text {name!r}")
    return value


def list_of_texts(path: Path, line: int, value: object, name: str) -> tuple[str, ...]:
    """A list of texts, each once, in its order.

    Raises:
        QmError: QM422 evaluation_file_invalid.
    """
    if not isinstance(value, list) or not all(
        isinstance(item, str) for item in cast("list[object]", value)
    ):
        raise bad_file(path, line, f"expected {name!r} to be a list of ids")
    return tuple(dict.fromkeys(cast("list[str]", value)))
