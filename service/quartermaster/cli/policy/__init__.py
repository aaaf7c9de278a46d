"""``qm policy``: manages the versions of the rules that say who may use which tools."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Annotated, Any, Final, cast

import yaml
from typer import Argument, Option

from quartermaster import api
from quartermaster.cli.command import Command, Decision, Qm
from quartermaster.cli.goal_models import embed_goals
from quartermaster.cli.noun import Noun
from quartermaster.cli.options import AsOf, Limit
from quartermaster.cli.output import Columns, counted, err, out
from quartermaster.cli.repair import CHANGE
from quartermaster.cli.session import AdminSession, Row
from quartermaster.core.api_call import ApiValue
from quartermaster.core.errors import QmError, unreadable

File = Annotated[Path, "File with rules (YAML or JSON)."]
Note = Annotated[str, "Purpose of the version."]
Pin = Annotated[bool, "Keep this version active until it is unpinned.", Option("--pin")]

noun = Noun("Manage the rules that say who may use which tools.")
_HINT = "Correct the file and run the command again. Nothing was changed."
MOST_GOLDEN: Final = 200
"""Maximum number of golden tasks to try, newest first."""
MEASURES: Final = ("nDCG@10", "Recall@5", "Recall@10", "completeness@10")
_TOP: Final = 10
_NAMES_SHOWN: Final = 5


@noun.verb()
def list_command(qm: Qm) -> Sequence[Row]:
    """List the versions of the rules, newest first."""
    rows = qm.read(api.list_rules())
    columns = ("version", "is_active", "is_pinned", "default", "rules", "created_by", "note")
    return qm.table(rows, columns)


@noun.verb()
def show_command(
    qm: Qm,
    version: Annotated[
        int | None, "Number of a version; default: the active version.", Argument()
    ] = None,
    as_of: AsOf = None,
) -> Row:
    """Show a version in the file format of qm policy apply."""
    document: dict[str, Any] = qm.call_value(api.show_rules(version=version, as_of=as_of))
    if not qm.json:
        members = ("note", "default", "rules", "guardrails", "repairs")
        retained = {key: document[key] for key in members if key in document}
        text = yaml.safe_dump(retained, allow_unicode=True, sort_keys=False, width=100)
        out.out(f"# version {document['version']}\n{text}", end="", highlight=False)
    return document


@noun.verb()
def diff_command(
    qm: Qm,
    version: Annotated[int, "Number of a version."],
    other: Annotated[
        int | None, "Number of another version; default: the active version.", Argument()
    ] = None,
) -> Sequence[Row]:
    """Show which rules the other version adds (+) and removes (-)."""
    return qm.table(qm.call(api.diff_rules(version_a=version, version_b=other)), ("change", "rule"))


@noun.verb()
def apply_command(qm: Decision, file: File, note: Note = "", pin: Pin = False) -> Row:
    """Activate the rules in a file as a new version.

    Shows who gains and loses tools, and asks for confirmation.
    """
    rules = read_rules(file)
    try:
        return _changed(qm, api.apply_rules(definition=rules.definition, note=note, pin=pin))
    except QmError as error:
        raise rules.located(error) from error


@noun.verb()
def rollback_command(
    qm: Decision,
    version: Annotated[
        int | None, "Number of a version; default: the previously active version.", Argument()
    ] = None,
    pin: Pin = False,
) -> Row:
    """Activate an older version again.

    Shows who gains and loses tools, and asks for confirmation.
    """
    return _changed(qm, api.activate_rules(version=version, pin=pin))


@noun.verb()
def try_command(
    qm: Qm,
    file: File,
    tasks: Annotated[
        Path | None,
        "YAML file with tasks (goals and their right tools) from qm eval export-golden; default:"
        " tasks from recorded searches.",
    ] = None,
    principals: Annotated[
        list[str] | None, "Search as this principal, repeatable; default: yourself.", Option("--as")
    ] = None,
    mode: Annotated[str, "Mode of the searches: fast, balanced or thorough."] = "balanced",
) -> Row:
    """Show what the rules in a file would change, without changing anything."""
    rules = read_rules(file)
    with err.status("trying the rules"):
        found = try_rules(qm, rules, tasks, principals or [None], mode)
    show_changes(qm, found["changes"])
    show_repaired(qm, found["repairs"])
    show_evaluation(qm, found["evaluation"])
    qm.say(f"Nothing was changed. To apply the rules: qm policy apply {shlex.quote(str(file))}.")
    return found


@noun.verb()
def pin_command(qm: Qm) -> Row:
    """Pin the active version, so that no other version can replace it until you unpin it."""
    version = qm.call_value(api.pin_rules(pinned=True))
    qm.say(f"Version {version} is pinned. To undo: qm policy unpin.")
    return {"version": version, "is_pinned": True}


@noun.verb()
def unpin_command(qm: Qm) -> Row:
    """Allow other versions to replace the active version again."""
    version = qm.call_value(api.pin_rules(pinned=False))
    qm.say(f"Version {version} is no longer pinned. To undo: qm policy pin.")
    return {"version": version, "is_pinned": False}


@noun.verb()
def why_command(
    qm: Qm,
    principal: Annotated[str, "Name of a principal."],
    tool: Annotated[str, "Name of a tool."],
    toolset: Annotated[
        str | None,
        "Show whether the principal may use the tool when connected through this toolset's"
        " address.",
    ] = None,
) -> Row:
    """Show whether a principal may use a tool, and which rule decides."""
    [verdict] = qm.call(api.explain_rights(principal=principal, name=tool, toolset=toolset))
    word = "may" if verdict["is_allowed"] else "may not"
    qm.say(f"{principal} {word} use {tool}: {verdict['reason']} (version {verdict['version']}).")
    return verdict


@noun.verb()
def decisions_command(
    qm: Qm,
    limit: Limit = 100,
    everything: Annotated[bool, "Include allowed requests.", Option("--all")] = False,
) -> Sequence[Row]:
    """List recent denials: who was denied what, and by which rule."""
    rows = qm.read(api.list_decisions(entries=limit, denied=not everything))
    columns: Columns = (
        "decided_at",
        "principal",
        ("request", _request),
        "name",
        "reason",
    )
    return qm.table(rows, columns, empty="Nothing was denied.")


def _request(row: Row) -> str:
    verdict = "allowed" if row["is_allowed"] else "denied"
    return " ".join(filter(None, (row["door"], row["toolset"], verdict)))


def _changed(qm: Command, change: ApiValue[Any]) -> Row:
    if qm.dry_run or not qm.yes:
        with err.status("comparing the rights"), qm.session.rolled_back():
            preview: dict[str, Any] = qm.call_value(change)
        show_changes(qm, preview["changes"])
        show_repaired(qm, preview["repairs"])
        if not qm.confirmed("Activate these rules?"):
            return preview
    done: dict[str, Any] = qm.call_value(change)
    qm.say(f"Version {done['version']} is active. To undo: qm policy rollback.")
    return done


@dataclass(frozen=True)
class RulesFile:
    """A rules file that has been read.

    Attributes:
        path: path of the file.
        definition: content, in the form that api.apply_rules accepts.
        lines: maps the place of each member, such as ``rules[2].origins``, to its line number (from
            1).
    """

    path: Path
    definition: dict[str, Any]
    lines: dict[str, int]

    def located(self, error: QmError) -> QmError:
        """Returns the database error with the file and line of the wrong member, if the error names
        this member; otherwise, returns the error unchanged.
        """
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
        # PyYAML's type stubs contain no types for this method.
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
    """Yields the place and line of each member, and whether the member occurs twice in its
    object.
    """
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


@dataclass(frozen=True)
class _Task:
    goal: str
    gold: frozenset[str]
    vector: str | None


def try_rules(
    qm: Command, rules: RulesFile, tasks: Path | None, principals: Sequence[str | None], mode: str
) -> dict[str, Any]:
    """Applies the rules, measures the searches, and rolls back.

    Args:
        qm: command of an administrator; its settings name the embedding model.
        rules: rules to try.
        tasks: file with a YAML list of {goal, gold_tools}; None uses the golden tasks in the
            database.
        principals: principals who search; None means the principal of the session.
        mode: mode for the searches.

    Returns:
        The result of api.apply_rules with a member ``evaluation``: for each principal, the number
        of tasks, and the mean of each of `MEASURES` before and after. The evaluation is empty if
        there are no tasks.

    Raises:
        QmError: QM422 rules_invalid or tasks_invalid, QM409 rules_pinned, QM403 principal_unknown.
    """
    session = qm.session
    known = session.call(api.list_golden_tasks())[:MOST_GOLDEN] if tasks is None else _read(tasks)
    vectors = embed_goals(qm, [each["goal"] for each in known]) if known else []
    asked = [
        _Task(each["goal"], frozenset(each["gold_tools"]), vector)
        for each, vector in zip(known, vectors, strict=True)
    ]
    people = principals if asked else ()
    with session.rolled_back():
        before = [_measured(session, asked, who, mode) for who in people]
        try:
            found: dict[str, Any] = session.call_value(api.apply_rules(definition=rules.definition))
        except QmError as error:
            raise rules.located(error) from error
        after = [_measured(session, asked, who, mode) for who in people]
    evaluation = [
        {"principal": who, "tasks": len(asked), "before": then, "after": now}
        for who, then, now in zip(people, before, after, strict=True)
    ]
    return found | {"evaluation": evaluation}


def _measured(
    session: AdminSession, tasks: list[_Task], principal: str | None, mode: str
) -> dict[str, float]:
    from quartermaster.eval.gold import needs_of
    from quartermaster.eval.metrics import measures

    with session.acting_as(principal):
        each = [
            measures(_ranking(session, task, mode), needs_of(task.gold, {}, {}), {})
            for task in tasks
        ]
    return {name: fmean(one[name] for one in each) for name in MEASURES}


def _ranking(session: AdminSession, task: _Task, mode: str) -> list[str]:
    """Returns the names of the tools that a search offers, best first, in the form that the task
    uses.
    """
    rows = session.call(
        api.select_tools(goal=task.goal, mode=mode, top=_TOP, query_vector=task.vector)
    )
    names: list[str] = []
    for row in rows:
        [tool] = session.call(api.describe_tool(name=row["name"]))
        full = f"{tool['origin']}/{tool['tool']}"
        names.append(full if full in task.gold else row["name"])
    return names


def _read(path: Path) -> list[dict[str, Any]]:
    try:
        value: object = yaml.safe_load(path.read_text(encoding="utf-8"))
        entries = cast("list[dict[str, Any]]", value)
        return [{"goal": str(e["goal"]), "gold_tools": list(e["gold_tools"])} for e in entries]
    except OSError as error:
        raise unreadable(path, error) from error
    except (yaml.YAMLError, UnicodeDecodeError, KeyError, TypeError) as error:
        raise QmError(
            422,
            "tasks_invalid",
            f"{path} is not a list of tasks with the members goal and gold_tools: {error}.",
            "Create such a file with: qm eval export-golden.",
        ) from error


def show_changes(qm: Command, changes: Sequence[Row]) -> None:
    """Prints a row for each principal that gains or loses tools, with some of the tool names.

    Args:
        qm: command that prints the rows.
        changes: changes returned by api.apply_rules or api.activate_rules.
    """
    columns = (
        "principal",
        "role",
        "organisation",
        ("gains", "+{gained}"),
        ("loses", "-{lost}"),
        ("tools", _names),
    )
    qm.table(changes, columns)
    if not changes:
        qm.say("Nobody gains or loses a tool.")


def show_repaired(qm: Command, repairs: Sequence[Row]) -> None:
    """Prints what the repairs of a version change in definitions of tools.

    Args:
        qm: command that prints the rows.
        repairs: member repairs of what api.apply_rules returned.
    """
    if repairs:
        qm.table(repairs, CHANGE, title="Repairs")


def show_evaluation(qm: Command, evaluation: Sequence[Row]) -> None:
    """Prints the search quality for each principal, before and after the change.

    Args:
        qm: command that prints the figures.
        evaluation: evaluation returned by `quartermaster.cli.policy.try_rules`.
    """
    if not evaluation:
        qm.say(
            "The effect on searches was not measured, because the recorded searches"
            " do not show yet which tools are right for a goal. Give a file with goals and their"
            " right tools: --tasks FILE."
        )
        return
    figures = [(name, f"{{{name}:.3f}}") for name in evaluation[0]["before"]]
    rows = [
        {"principal": each["principal"] or "you", "when": when, **each[when]}
        for each in evaluation
        for when in ("before", "after")
    ]
    title = f"Search quality on {counted(evaluation[0]['tasks'], 'task')}"
    qm.table(rows, ("principal", "when", *figures), title=title)


def _names(change: Row) -> str:
    names = [f"+{name}" for name in change["gains"]] + [f"-{name}" for name in change["loses"]]
    more = change["gained"] + change["lost"] - len(names[:_NAMES_SHOWN])
    return " ".join(names[:_NAMES_SHOWN]) + (f" and {more} more" if more else "")
