"""Reads evaluation files strictly: yields every entry with its line number, or raises an error that
names the line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

import yaml

from quartermaster.core.errors import QmError, unreadable
from quartermaster.core.json_text import SyntaxProblem, parse

YAML_SUFFIXES: Final = frozenset({".yaml", ".yml"})


def bad_file(path: Path, line: int | None, what: str, hint: str = "") -> QmError:
    """Returns the error QM422 evaluation_file_invalid.

    Args:
        path: path of the file.
        line: number of the line, from 1; None for the whole file.
        what: what is wrong.
        hint: the next step, if the default hint does not apply.
    """
    place = f"{path}:{line}" if line else str(path)
    return QmError(
        422,
        "evaluation_file_invalid",
        f"{place}: {what}",
        hint
        or "Correct the file at this position, and run the command again. Nothing was changed.",
    )


@dataclass(frozen=True)
class FileEntry:
    """An object in a file.

    Attributes:
        path: path of the file.
        line: number of its line, from 1.
        members: its members.
    """

    path: Path
    line: int
    members: dict[str, Any]

    @classmethod
    def of(cls, path: Path, line: int, value: object, what: str) -> FileEntry:
        """Returns an entry for a value, which must be an object.

        Raises:
            QmError: QM422 evaluation_file_invalid.
        """
        if not isinstance(value, dict):
            raise bad_file(path, line, f"expected {what}")
        return cls(path, line, cast("dict[str, Any]", value))

    def bad(self, what: str, hint: str = "") -> QmError:
        """Returns the error QM422 evaluation_file_invalid; see `bad_file`."""
        return bad_file(self.path, self.line, what, hint)

    def text(self, name: str) -> str:
        """Returns the value of a member, which must be non-empty text.

        Raises:
            QmError: QM422 evaluation_file_invalid.
        """
        value = self.members.get(name)
        if not isinstance(value, str) or not value.strip():
            raise self.bad(f"expected a text in {name!r}")
        return value

    def texts(self, value: object, name: str) -> tuple[str, ...]:
        """Returns the texts in the value of a member, in order and without duplicates. The value
        must be a list of texts.

        Raises:
            QmError: QM422 evaluation_file_invalid.
        """
        items = cast("list[object]", value) if isinstance(value, list) else [None]
        if not all(isinstance(item, str) for item in items):
            raise self.bad(f"expected {name!r} to be a list of ids")
        return tuple(dict.fromkeys(cast("list[str]", items)))

    def mapping(self, name: str, form: str) -> dict[str, Any]:
        """Returns the value of a member, which must be an object; empty if the member is missing.

        Raises:
            QmError: QM422 evaluation_file_invalid.
        """
        what = f"{name!r} to be an object {form}"
        return FileEntry.of(self.path, self.line, self.members.get(name) or {}, what).members


def read_bytes(path: Path) -> bytes:
    """Returns the content of a file.

    Raises:
        QmError: QM404 file_not_found.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise unreadable(path, error) from error


def read_objects(path: Path) -> Iterator[FileEntry]:
    """Yields the object of each non-empty line in a JSON Lines file.

    Raises:
        QmError: QM404 file_not_found, QM422 evaluation_file_invalid.
    """
    for number, line in enumerate(read_bytes(path).split(b"\n"), start=1):
        try:
            text = line.decode("utf-8-sig" if number == 1 else "utf-8").strip()
            value: object = parse(text)[0] if text else None
        except UnicodeDecodeError as error:
            raise bad_file(path, number, f"byte {error.start + 1} is not UTF-8") from None
        except SyntaxProblem as problem:
            raise bad_file(path, number, f"{problem.what}, column {problem.column}") from None
        if text:
            yield FileEntry.of(path, number, value, "a JSON object on each line")


def read_yaml(path: Path) -> Iterator[FileEntry]:
    """Yields each task in a YAML list.

    Raises:
        QmError: QM404 file_not_found, QM422 evaluation_file_invalid.
    """
    try:
        loader = yaml.SafeLoader(read_bytes(path).decode("utf-8-sig"))
        node = loader.get_single_node()
        if node is None:
            return
        if not isinstance(node, yaml.SequenceNode):
            raise bad_file(path, 1, "expected a list of tasks {goal, gold_tools, mode, notes}")
        for item in cast("list[yaml.Node]", node.value):
            # PyYAML's type stubs contain no types for this method.
            value: object = cast("Any", loader).construct_object(item, deep=True)
            line = item.start_mark.line + 1
            yield FileEntry.of(path, line, value, "a task {goal, gold_tools, mode, notes}")
    except UnicodeDecodeError as error:
        raise bad_file(path, None, f"byte {error.start + 1} is not UTF-8") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else None
        raise bad_file(path, line, f"not YAML: {error.problem}") from None
