"""Parses a Compose file into values with line numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import isfinite
from typing import Any, Final, cast

import yaml

from quartermaster.projects.worker_calls import WorkerError

_MOST_VALUES: Final = 50_000
_MAX_DEPTH: Final = 50
_LONGEST_NUMBER: Final = 64
_MERGE: Final = "<<"
_TEXT: Final = "tag:yaml.org,2002:str"
Path = tuple[str | int, ...]


class NotComposeError(WorkerError):
    """The file is not a valid Compose file. The message gives the reason."""


@dataclass
class Compose:
    """A Compose file.

    Attributes:
        data: the values of the file.
        lines: maps the path of each value to its line; lines are counted from 1.
    """

    data: dict[str, Any]
    lines: dict[Path, int] = field(default_factory=dict[Path, int])

    @property
    def services(self) -> list[ComposeService]:
        """The services that the Compose file defines."""
        found = mapping(self.data.get("services"))
        return [
            ComposeService(self, name, found[name])
            for name in found
            if isinstance(found[name], dict)
        ]

    def line(self, *path: str | int) -> int:
        """Returns the line of a value, or of the nearest enclosing value that has a line."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 1)


@dataclass(frozen=True)
class ComposeService:
    """A service of a Compose file.

    Attributes:
        compose: the Compose file.
        name: name of the service.
        data: the values of the service.
    """

    compose: Compose
    name: str
    data: dict[str, Any]

    def line(self, *path: str | int) -> int:
        """Returns the line of a value of the service, or of the nearest enclosing value that has a
        line.
        """
        return self.compose.line("services", self.name, *path)

    def listed(self, key: str) -> list[Any]:
        """Returns the entries of the list under a key; an empty list if the value is not a list."""
        value = self.data.get(key)
        return cast("list[Any]", value) if isinstance(value, list) else []


def mapping(value: object) -> dict[str, Any]:
    """Returns a value if it is a mapping, else an empty mapping."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def parse(text: str) -> Compose:
    """Parses the text of a Compose file.

    Raises:
        NotComposeError: the text is not YAML, has no services, or is too large.
    """
    try:
        # Composed, not constructed: no tag makes an object.
        node = cast("yaml.Node | None", cast("Any", yaml).compose(text, Loader=yaml.SafeLoader))
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise NotComposeError(f"Line {line} is not YAML: {error.problem}.") from None
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise NotComposeError(f"The file is not YAML: {type(error).__name__}.") from None
    lines: dict[Path, int] = {}
    data = _ComposeReader(lines).value(node, ()) if node else None
    if not isinstance(mapping(data).get("services"), dict):
        raise NotComposeError("The file has no services.")
    return Compose(mapping(data), lines)


class _ComposeReader:
    """Converts YAML nodes only to texts, numbers, lists and mappings, never to other objects."""

    def __init__(self, lines: dict[Path, int]) -> None:
        self._lines = lines
        self._count = 0
        self._loader = yaml.SafeLoader("")

    def value(self, node: yaml.Node, path: Path, depth: int = 0) -> Any:
        self._count += 1
        # Names for values that contain each other would make a small file endless.
        if self._count > _MOST_VALUES or depth > _MAX_DEPTH:
            raise NotComposeError("The file has too many values, or nests them too deeply.")
        self._lines.setdefault(path, node.start_mark.line + 1)
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, path, depth)
        if isinstance(node, yaml.SequenceNode):
            return [self.value(item, (*path, i), depth + 1) for i, item in enumerate(node.value)]
        return self._scalar(node)

    def _scalar(self, node: yaml.Node) -> str | float | bool | None:
        text = _text(node)
        # A longer number is written to cost time: digits and `1:1:1` take the square of it.
        if node.tag == _TEXT or len(text) > _LONGEST_NUMBER:
            return text
        try:
            found = cast("Any", self._loader).construct_object(node)
        except (yaml.YAMLError, ValueError, OverflowError):
            return text
        is_plain = isinstance(found, (bool, int, type(None))) or (
            isinstance(found, float) and isfinite(found)
        )
        return found if is_plain else text

    def _mapping(self, node: yaml.MappingNode, path: Path, depth: int) -> dict[str, Any]:
        own: dict[str, Any] = {}
        merged: dict[str, Any] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                line = key_node.start_mark.line + 1
                raise NotComposeError(f"The key on line {line} is no text.")
            key = _text(key_node)
            if key == _MERGE:
                found = self.value(value_node, path, depth + 1)
                for part in cast("list[Any]", found if isinstance(found, list) else [found]):
                    for name, value in mapping(part).items():
                        merged.setdefault(name, value)
                continue
            self._lines[(*path, key)] = key_node.start_mark.line + 1
            own[key] = self.value(value_node, (*path, key), depth + 1)
        return merged | own


def _text(node: yaml.Node) -> str:
    # YAML can write half of a surrogate pair.
    return str(node.value).encode("utf-8", "replace").decode()
