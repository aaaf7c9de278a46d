"""Changes one entry of a YAML text, and no other byte, so that comments are kept."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, cast

import yaml
from yaml.nodes import MappingNode, Node, SequenceNode


def with_entry(text: str, path: Sequence[str | int], entry: Any) -> str:
    """Returns the text with the value at a path added or replaced; missing mappings are added.

    Args:
        text: the text.
        path: the keys that lead to the value; an item of a list is added if it is missing.
        entry: the value.
    """
    root = _composed(text)
    if isinstance(_at(root, path), Node):
        text = without_entry(text, path)
        root = _composed(text)
    depth = len(path) - 1
    while depth and not isinstance(_at(root, path[:depth]), (MappingNode, SequenceNode)):
        depth -= 1
    value = _nested(path[depth + 1 :], entry)
    place = _at(root, path[:depth])
    if place is None and depth == 0:
        return _ended(text) + _block(path[0], value, "")
    if depth == 0:
        key = _key(cast("MappingNode", place), path[0])
        if key is not None:
            # It stands there without a value.
            return _replaced_line(text, key, _block(path[0], value, ""))
        return _ended(text) + _block(path[0], value, "")
    # The loop has ended at one of these.
    return _inserted(text, cast("MappingNode | SequenceNode", place), path[depth], value)


def without_entry(text: str, path: Sequence[str | int]) -> str:
    """Returns the text without the value at a path. The path must exist."""
    root = _composed(text)
    outer = cast("MappingNode | SequenceNode", _at(root, path[:-1]))
    node = cast("Node", _at(root, path))
    key = _key(outer, path[-1]) if isinstance(outer, MappingNode) else None
    start = cast("Any", key or node).start_mark.index
    end = _end(node)
    if outer.flow_style:
        after = end
        while text[after : after + 1].isspace():
            after += 1
        if text[after : after + 1] == ",":
            return text[:start] + text[after + 1 :].lstrip(" ")
        before = text.rfind(",", outer.start_mark.index, start)
        return (text[:before] if before >= 0 else text[:start]) + text[end:]
    line = text.rfind("\n", 0, start) + 1
    stop = text.find("\n", end)
    return text[:line] + ("" if stop < 0 else text[stop + 1 :])


def _composed(text: str) -> Node | None:
    return cast("Any", yaml).compose(text, yaml.SafeLoader)


def _inserted(text: str, place: MappingNode | SequenceNode, key: str | int, value: Any) -> str:
    """Returns the text with an entry inserted as the first in a mapping or a list."""
    is_list = isinstance(place, SequenceNode)
    if place.flow_style or not place.value:
        written = json.dumps(value if is_list else {key: value}, ensure_ascii=False)
        shown = written if is_list else written[1:-1]
        at = cast("Any", place).start_mark.index + 1
        return f"{text[:at]}{shown}{', ' if place.value else ''}{text[at:]}"
    first: Any = place.value[0] if is_list else place.value[0][0]
    mark = cast("Any", place).start_mark if is_list else first.start_mark
    line = text.rfind("\n", 0, mark.index) + 1
    indent = " " * (mark.index - line)
    return text[:line] + _block(key, value, indent) + text[line:]


def _block(key: str | int, value: Any, indent: str) -> str:
    written = yaml.safe_dump(
        [value] if isinstance(key, int) else {key: value},
        sort_keys=False,
        allow_unicode=True,
        default_flow_style=False,
        width=1_000_000,
    )
    return "".join(f"{indent}{line}\n" for line in written.splitlines())


def _replaced_line(text: str, key: Node, block: str) -> str:
    start = cast("Any", key).start_mark.index
    stop = text.find("\n", start)
    return text[:start] + block.rstrip("\n") + ("\n" if stop < 0 else text[stop:])


def _ended(text: str) -> str:
    return text if not text or text.endswith("\n") else text + "\n"


def _nested(path: Sequence[str | int], entry: Any) -> Any:
    for key in reversed(path):
        entry = [entry] if isinstance(key, int) else {key: entry}
    return entry


def _at(node: Node | None, path: Sequence[str | int]) -> Node | None:
    """Returns the node at a path; None if there is none."""
    for key in path:
        if isinstance(node, MappingNode):
            found = [value for name, value in node.value if name.value == str(key)]
            node = found[-1] if found else None
        elif isinstance(node, SequenceNode) and isinstance(key, int) and key < len(node.value):
            node = node.value[key]
        else:
            return None
    return node


def _key(node: MappingNode, name: str | int) -> Node | None:
    return next((key for key, _ in node.value if key.value == str(name)), None)


def _end(node: Node) -> int:
    """Returns the position where a value ends. The parser's own mark for the end of a mapping
    cannot be used, because it is after the comments that follow the mapping.
    """
    if not isinstance(node, (MappingNode, SequenceNode)) or not node.value or node.flow_style:
        return cast("Any", node).end_mark.index
    last: Any = node.value[-1]
    return _end(last[1] if isinstance(node, MappingNode) else last)
