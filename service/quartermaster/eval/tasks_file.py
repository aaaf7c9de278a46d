"""The goals of an evaluation: JSON Lines of the retrieval sets, or YAML tasks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, cast

import yaml

from quartermaster.core.errors import QmError
from quartermaster.eval.json_lines import list_of_texts, read_objects, text_member
from quartermaster.eval.metrics import Need, needs_of
from quartermaster.eval.problems import bad_file, unreadable
from quartermaster.eval.tools_file import ToolSet

YAML_SUFFIXES: Final = frozenset({".yaml", ".yml"})
Entry = tuple[int, dict[str, Any]]


@dataclass(frozen=True)
class Task:
    """A goal with what it needs.

    Attributes:
        key: its id, each once in a file.
        goal: in plain words.
        needs: one or more.
        mode: in which it is to be searched; None for the run's own.
        split: it belongs to, where the file says so.
    """

    key: str
    goal: str
    needs: tuple[Need, ...]
    mode: str | None = None
    split: str | None = None


def read_tasks(
    path: Path, tools: ToolSet, *, split: str | None, modes: Collection[str]
) -> list[Task]:
    """Reads the goals to score.

    JSON Lines: ``{id, query, gold, split, alt}``. YAML (.yaml, .yml): a list of ``{goal,
    gold_tools, mode, split, notes}``. A goal without a split, and every goal where no split is
    asked for, is scored. Tools are named by id, by ``origin/name``, or by a name that only one has.

    Args:
        path: of the file.
        tools: that the answers name.
        split: wanted; None for all.
        modes: that there are.

    Raises:
        QmError: QM404 file_not_found, QM422 evaluation_file_invalid with file and line.
    """
    is_yaml = path.suffix.lower() in YAML_SUFFIXES
    entries = _yaml_entries(path) if is_yaml else read_objects(path)
    found: list[Task] = []
    splits: Counter[str] = Counter()
    keys: Counter[str] = Counter()
    for line, entry in entries:
        task = _task(path, line, entry, tools, modes, ("goal", "gold_tools") if is_yaml else None)
        splits[str(task.split)] += 1
        if split is None or task.split in (None, split):
            keys[task.key] += 1
            # Two goals of one id are two goals all the same.
            suffix = f" ({keys[task.key]})" if keys[task.key] > 1 else ""
            found.append(replace(task, key=task.key + suffix))
    if not splits:
        raise bad_file(path, None, "the file has no goals")
    if not found:
        there = ", ".join(sorted(splits))
        raise bad_file(
            path, None, f"no goal is of the split {split!r}", f"Name one that is there: {there}."
        )
    return found


def _task(
    path: Path,
    line: int,
    entry: dict[str, Any],
    tools: ToolSet,
    modes: Collection[str],
    names: tuple[str, str] | None,
) -> Task:
    goal_name, gold_name = names or ("query", "gold")
    goal = text_member(path, line, entry, goal_name)
    gold = list_of_texts(path, line, entry.get(gold_name), gold_name)
    if not gold:
        raise bad_file(path, line, f"{gold_name!r} names no tool")
    alternatives = {
        str(key): list_of_texts(path, line, value, "alt")
        for key, value in _alternatives(path, line, entry).items()
    }
    mode = entry.get("mode")
    if mode is not None and mode not in modes:
        raise bad_file(path, line, f"there is no mode {mode!r}", _use_one_of(modes))
    known = {name: _tool_id(path, line, name, tools) for name in gold}
    others = {
        known.get(key, key): [_tool_id(path, line, name, tools) for name in names]
        for key, names in alternatives.items()
    }
    needs = needs_of(known.values(), others, tools.groups)
    own_split = entry.get("split")
    key = str(entry.get("id") or f"line {line}")
    return Task(key, goal, needs, mode, None if own_split is None else str(own_split))


def _alternatives(path: Path, line: int, entry: dict[str, Any]) -> Mapping[str, object]:
    given: object = entry.get("alt") or {}
    if not isinstance(given, dict):
        raise bad_file(path, line, "expected 'alt' to be an object {needed id: [other ids]}")
    return cast("dict[str, object]", given)


def _tool_id(path: Path, line: int, name: str, tools: ToolSet) -> str:
    if name in tools.known_ids:
        return name
    if name in tools.by_name:
        return tools.by_name[name]
    raise bad_file(
        path,
        line,
        f"the tool {name!r} is not in {tools.path}",
        "Name tools by the id of the tools file, by origin/name, or by a name that only one has.",
    )


def _yaml_entries(path: Path) -> Iterator[Entry]:
    try:
        loader = yaml.SafeLoader(path.read_text(encoding="utf-8"))
        node = loader.get_single_node()
        if node is None:
            return
        if not isinstance(node, yaml.SequenceNode):
            raise bad_file(path, 1, "expected a list of tasks {goal, gold_tools, mode, notes}")
        for item in cast("list[yaml.Node]", node.value):
            # PyYAML's stubs leave this one method untyped.
            value: object = loader.construct_object(item, deep=True)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
            line = item.start_mark.line + 1
            if not isinstance(value, dict):
                raise bad_file(path, line, "expected a task {goal, gold_tools, mode, notes}")
            yield line, cast("dict[str, Any]", value)
    except OSError as error:
        raise unreadable(path, error) from error
    except UnicodeDecodeError as error:
        raise bad_file(path, None, f"byte {error.start + 1} is not UTF-8") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise bad_file(
            path, mark.line + 1 if mark else None, f"not YAML: {error.problem}"
        ) from None


def _use_one_of(modes: Collection[str]) -> str:
    return f"Use one of: {', '.join(modes)}."


def require_mode(mode: str, modes: Collection[str]) -> None:
    """Refuses a mode that there is not.

    Raises:
        QmError: QM422 mode_unknown.
    """
    if mode not in modes:
        raise QmError(422, "mode_unknown", f"there is no mode {mode!r}", _use_one_of(modes))
