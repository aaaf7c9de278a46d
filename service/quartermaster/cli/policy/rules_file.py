"""Reads rules files (YAML or JSON), and records the line of each member for error messages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import yaml

from quartermaster.core.errors import QmError, unreadable

_HINT = "Correct the file and run the command again. Nothing was changed."


@dataclass(frozen=True)
class RulesFile:
    """A rules file that has been read.

    Attributes:
        path: path of the file.
        definition: content, in the form that api.apply_rules takes.
        lines: line number (from 1) of each member by place, such as ``rules[2].origins``.
    """

    path: Path
    definition: dict[str, Any]
    lines: dict[str, int]

    def located(self, error: QmError) -> QmError:
        """The database error with file and line, if the error says which member is at fault."""
        if error.slug != "rules_invalid" or not error.detail:
            return error
        place = error.detail
        while place and place not in self.lines:
            place = place.rpartition(".")[0]
        return _bad(self.path, self.lines.get(place), error.message)


def read_rules(path: Path) -> RulesFile:
    """Reads a rules file.

    Args:
        path: path of the file.

    Raises:
        QmError: QM404 file_not_found, QM422 rules_invalid with file and line.
    """
    try:
        loader = yaml.SafeLoader(path.read_text(encoding="utf-8"))
        node = loader.get_single_node()
        # PyYAML's stubs leave this one method untyped.
        value: object = loader.construct_document(node) if node else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    except OSError as error:
        raise unreadable(path, error) from error
    except UnicodeDecodeError as error:
        raise _bad(path, None, f"byte {error.start + 1} is not UTF-8") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise _bad(path, mark.line + 1 if mark else None, f"not YAML: {error.problem}") from None
    if not isinstance(value, dict):
        raise _bad(path, 1, "rules must be an object {default, rules: [...]}")
    definition = cast("dict[str, Any]", value)
    lines: dict[str, int] = {}
    try:
        for place, line, is_again in _places(cast("yaml.Node", node), ""):
            if is_again:
                raise _bad(path, line, f"{place} occurs twice")
            lines[place] = line
        json.dumps(definition)
    except RecursionError:
        raise _bad(path, 1, "the file refers to itself or is nested too deeply") from None
    except TypeError as error:
        raise _bad(path, None, f"{error}; put dates in quotes") from None
    return RulesFile(path, definition, lines)


def _places(node: yaml.Node, place: str) -> Iterator[tuple[str, int, bool]]:
    """Each member's place and line, and whether its object contains it twice."""
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in cast("list[tuple[yaml.Node, yaml.Node]]", node.value):
            name = str(cast("object", key.value))
            below = f"{place}.{name}" if place else name
            yield below, key.start_mark.line + 1, name in seen
            seen.add(name)
            yield from _places(value, below)
    elif isinstance(node, yaml.SequenceNode):
        for i, item in enumerate(cast("list[yaml.Node]", node.value)):
            yield f"{place}[{i}]", item.start_mark.line + 1, False
            yield from _places(item, f"{place}[{i}]")


def _bad(path: Path, line: int | None, what: str) -> QmError:
    return QmError(
        422, "rules_invalid", f"{path}:{line}: {what}" if line else f"{path}: {what}", _HINT
    )
