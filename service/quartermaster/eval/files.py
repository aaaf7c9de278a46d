"""Files of an evaluation, read strictly: every entry with its line, or the line at fault."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, cast

import yaml

from quartermaster.core.errors import QmError, unreadable
from quartermaster.core.json_text import SyntaxProblem, parse

YAML_SUFFIXES: Final = frozenset({".yaml", ".yml"})
Entry = tuple[int, dict[str, Any]]


def bad_file(path: Path, line: int | None, what: str, hint: str = "") -> QmError:
    """QM422 evaluation_file_invalid.

    Args:
        path: of the file.
        line: from 1; None where the whole file is meant.
        what: what is wrong.
        hint: the next step, where the ordinary one does not do.
    """
    place = f"{path}:{line}" if line else str(path)
    return QmError(
        422,
        "evaluation_file_invalid",
        f"{place}: {what}",
        hint or "Nothing was changed. Correct the file there and run the command again.",
    )


def read_bytes(path: Path) -> bytes:
    """The whole file.

    Raises:
        QmError: QM404 file_not_found.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise unreadable(path, error) from error


def read_objects(path: Path) -> Iterator[Entry]:
    """Line number and object of each line of JSON Lines that is not empty.

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
            yield number, object_of(path, number, value, "a JSON object on each line")


def read_yaml(path: Path) -> Iterator[Entry]:
    """Line number and members of each task of a YAML list.

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
            # PyYAML's stubs leave this one method untyped.
            value: object = cast("Any", loader).construct_object(item, deep=True)
            line = item.start_mark.line + 1
            yield line, object_of(path, line, value, "a task {goal, gold_tools, mode, notes}")
    except UnicodeDecodeError as error:
        raise bad_file(path, None, f"byte {error.start + 1} is not UTF-8") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else None
        raise bad_file(path, line, f"not YAML: {error.problem}") from None


def object_of(path: Path, line: int, value: object, what: str) -> dict[str, Any]:
    """A value that has to be an object.

    Raises:
        QmError: QM422 evaluation_file_invalid.
    """
    if not isinstance(value, dict):
        raise bad_file(path, line, f"expected {what}")
    return cast("dict[str, Any]", value)


def text_member(path: Path, line: int, entry: Mapping[str, Any], name: str) -> str:
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
    items = cast("list[object]", value) if isinstance(value, list) else [None]
    if not all(isinstance(item, str) for item in items):
        raise bad_file(path, line, f"expected {name!r} to be a list of ids")
    return tuple(dict.fromkeys(cast("list[str]", items)))
