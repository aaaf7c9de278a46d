"""``qm decisions``: curates, serves, exports and imports decisions."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from typer import Argument, Option

from quartermaster import api as core_api
from quartermaster.cli.command import DryRunCommand, Qm
from quartermaster.cli.noun import WORDS, Noun
from quartermaster.cli.options import Limit, Project, Reason
from quartermaster.cli.output import counted
from quartermaster.cli.session import Row
from quartermaster.core.errors import QmError, argument_invalid
from quartermaster_decisions import api, decision_files, mining_cli
from quartermaster_decisions.mining_cli import NO_DECISIONS, found_decisions, outcomes_of, scope_of
from quartermaster_decisions.scopes import read_scope
from quartermaster_decisions.telling import decisions_text, instruction

Id = Annotated[int, "Id of the decision.", Argument(metavar="ID")]
Ids = Annotated[list[int], "Ids of decisions.", Argument(metavar="ID...")]
Status = Literal["candidate", "canonical", "rejected"]
Health = Literal["fresh", "suspect", "contested", "obsolete"]

LISTED_COLUMNS = (
    "id",
    "pattern",
    "scope",
    "polarity",
    "confidence",
    "status",
    "health",
    "evidence",
    "check",
)
"""Members of each decision in ``qm decisions list --json``."""

noun = Noun("Find, review and show the decisions of your code bases.")


@noun.verb()
def list_command(
    qm: Qm,
    project: Project = None,
    status: Annotated[Status | None, "Only decisions with this status."] = None,
    path: Annotated[str | None, "Only decisions about this file or folder."] = None,
    health: Annotated[
        Health | None,
        "Only decisions with this health. The health says whether the code still follows a"
        " decision.",
    ] = None,
    limit: Limit = 1000,
) -> Row:
    """List decisions, best first.

    The column "beside" contains the ids of decisions that say the same thing, or the opposite.
    """
    return listed(qm, project=project, status=status, path=path, health=health, maximum=limit)


@noun.verb()
def show_command(qm: Qm, decision: Id) -> Row:
    """Show a decision with its evidence, links, reviews and outcomes."""
    found: dict[str, Any] = qm.call_value(api.show_decision(id=decision))
    facts = {
        "decision": instruction(found),
        "scope": scope_of(found),
        "status": _status(found),
        "confidence": found["confidence"],
        "instead" if found["polarity"] == "avoid" else "not": found["instead"],
        "rationale": found["rationale"],
        "applies when": found["applies_when"],
        "rejected": "; ".join(found["rejected_alternatives"]),
        "check": json.dumps(found["check"]) if found["check"] else "",
        "warning": found["suspicion"],
        "found by": found["miner"] or found["origin"],
        "evidence": "\n".join(_evidence(each) for each in found["evidence"]),
        "links": "\n".join(
            f"{each['kind']} {each['decision']}: {each['pattern']}" for each in found["links"]
        ),
        "reviews": "\n".join(
            f"{each['at'][:16]} {each.get('by')}: {each['action']} {each.get('reason', '')}"
            for each in found["reviews"]
        ),
        "outcomes": ", ".join(f"{name} {number}" for name, number in found["outcomes"].items()),
    }
    qm.facts("Decision", str(found["id"]), {name: value for name, value in facts.items() if value})
    return found


@noun.verb()
def approve_command(
    qm: DryRunCommand, ids: Ids, reason: Reason = "", project: Project = None
) -> Row:
    """Make candidates canonical, so that agents get them.

    If one of the given candidates cannot be approved, none is approved.
    """
    with qm.unless_dry():
        number: int = qm.call_value(api.approve_decisions(ids=ids, reason=reason, project=project))
    undo = f"To undo: qm decisions reopen {_words(ids)}."
    done = f"{counted(number, 'decision')} became canonical{qm.preview}. {undo}"
    qm.say(done if number else "Nothing was changed: all of these decisions are canonical already.")
    return {"ids": ids, "approved": number}


@noun.verb()
def reject_command(
    qm: DryRunCommand, ids: Ids, reason: Reason = "", project: Project = None
) -> Row:
    """Reject decisions. Agents no longer get them, and they are not proposed again."""
    with qm.unless_dry():
        number: int = qm.call_value(api.reject_decisions(ids=ids, reason=reason, project=project))
    undo = f"To undo: qm decisions reopen {_words(ids)}."
    why = "" if reason else "To record why, use --reason. "
    done = f"{counted(number, 'decision')} rejected{qm.preview}. {why}{undo}"
    qm.say(done if number else "Nothing was changed: all of these decisions are rejected already.")
    return {"ids": ids, "rejected": number}


@noun.verb()
def reopen_command(
    qm: DryRunCommand, ids: Ids, reason: Reason = "", project: Project = None
) -> Row:
    """Turn decisions back into candidates. This undoes an approval or a rejection."""
    with qm.unless_dry():
        number: int = qm.call_value(api.reopen_decisions(ids=ids, reason=reason, project=project))
    done = f"{counted(number, 'decision')} turned back into candidates{qm.preview}."
    qm.say(
        done if number else "Nothing was changed: all of these decisions are candidates already."
    )
    return {"ids": ids, "reopened": number}


@dataclass
class DecisionEdits:
    """The options of ``qm decisions edit``."""

    pattern: Annotated[str | None, "The instruction: what to do or to avoid."] = None
    scope: Annotated[
        str | None, 'Where the decision applies: a path glob, a module, a language, or "global".'
    ] = None
    polarity: Annotated[
        Literal["do", "avoid"] | None,
        "do: the decision says what to do; avoid: the decision says what to avoid.",
    ] = None
    instead: Annotated[
        str | None, "What not to do; if the polarity is avoid: what to do instead."
    ] = None
    rationale: Annotated[str | None, "Why."] = None
    applies_when: Annotated[str | None, "When the decision applies."] = None
    confidence: Annotated[
        Literal["low", "medium", "high"] | None,
        "Confidence that the code base follows the decision.",
    ] = None
    keyword: Annotated[
        list[str] | None, "Keyword, repeatable. The given keywords replace all existing keywords."
    ] = None
    check: Annotated[
        str | None,
        "A check (JSON) that tells whether files follow the decision; null removes the check.",
    ] = None

    def given(self) -> Row:
        """Returns the changed members of a decision, in the form that api.edit_decision expects.

        Raises:
            QmError: QM422 argument_invalid.
        """
        changes = {
            **asdict(self),
            "scope": None if self.scope is None else read_scope(self.scope),
            "keywords": self.keyword,
        }
        found = {
            name: value
            for name, value in changes.items()
            if value is not None and name not in {"keyword", "check"}
        }
        if self.check is not None:
            found["check"] = _json(self.check)
        if not found:
            raise argument_invalid("Nothing was changed.", "Give at least one option; see --help.")
        return found


@noun.verb()
def edit_command(
    qm: Qm, decision: Id, changes: DecisionEdits, reason: Reason = "", project: Project = None
) -> Row:
    """Change what a decision says. The old text is kept in the reviews of the decision."""
    found: dict[str, Any] = qm.call_value(
        api.edit_decision(id=decision, changes=changes.given(), reason=reason, project=project)
    )
    qm.say(f"Changed: {instruction(found)}")
    return found


@noun.verb()
def merge_command(qm: Qm, into: Id, ids: Ids, reason: Reason = "", project: Project = None) -> Row:
    """Merge decisions that say the same thing. The first decision is kept, and gets all the
    evidence.
    """
    found: dict[str, Any] = qm.call_value(
        api.merge_decisions(into_id=into, ids=ids, reason=reason, project=project)
    )
    qm.say(f"Decision {into} now has {counted(len(found['evidence']), 'piece')} of evidence.")
    return found


@noun.verb()
def supersede_command(
    qm: Qm,
    old: Annotated[int, "Id of the old decision."],
    new: Annotated[int, "Id of the decision that replaces the old decision."],
    reason: Reason = "",
    project: Project = None,
) -> Row:
    """Replace a decision with another, which becomes canonical."""
    qm.call(api.supersede_decision(id=old, by_id=new, reason=reason, project=project))
    qm.say(f"Decision {new} is now canonical and replaces decision {old}.")
    return {"superseded": old, "by": new}


@noun.verb()
def resolve_command(
    qm: Qm,
    one: Annotated[int, "Id of the first decision."],
    other: Annotated[int, "Id of the decision that seems to contradict the first."],
    reason: Reason = "",
    project: Project = None,
) -> Row:
    """Record that two decisions are both valid, although they seem to contradict each other."""
    qm.call(api.resolve_decisions(one=one, other=other, reason=reason, project=project))
    qm.say(
        f"Recorded: the decisions {one} and {other} are both valid, although they seem to "
        "contradict each other."
    )
    return {"resolved": [one, other]}


@noun.verb()
def for_command(
    qm: Qm,
    path: Annotated[str, "File or folder below the root of the project."],
    task: Annotated[str, "What you are about to do.", WORDS] = "",
    project: Project = None,
    limit: Annotated[int, "Maximum number of decisions.", Option(min=1, max=8)] = 8,
) -> Row:
    """Show the few canonical decisions that apply to a path and a task.

    Often, no decision applies.
    """
    rows = qm.call(api.decisions_for(path=path, task=task, project=project, top=limit))
    qm.say(decisions_text(rows))
    return {"decisions": rows}


@noun.verb()
def export_command(
    qm: Qm,
    folder: Annotated[Path, "Folder for the files, one for each decision."],
    project: Project = None,
    status: Annotated[Status | None, "Only decisions with this status."] = None,
) -> Row:
    """Write decisions as Markdown files, so that people can review them in a pull request."""
    _go_to(qm, folder)
    rows = found_decisions(qm, project=project, status=status)
    written = decision_files.write_files(folder, rows)
    qm.say(f"Wrote {counted(len(written), 'file')} to {folder}.")
    return {"files": [path.name for path in written]}


@noun.verb()
def import_command(
    qm: Qm,
    folder: Annotated[Path, "Folder that qm decisions export wrote."],
    as_reviewed: Annotated[
        str | None,
        "For curators: read the files as they are in this commit, and give each decision the"
        " status that its file states.",
        Option(metavar="COMMIT"),
    ] = None,
    project: Project = None,
) -> Row:
    """Read decisions from Markdown files. The decisions become candidates."""
    _go_to(qm, folder)
    commit: str | None = None
    entries: list[dict[str, Any]]
    if as_reviewed is None:
        entries = decision_files.read_files(folder)
    else:
        root: str = qm.call_value(core_api.show_project(project=project))["root"]
        commit, entries = decision_files.read_reviewed(Path(root), folder, as_reviewed)
    rows = qm.call(api.import_decisions(entries=entries, project=project, reviewed_commit=commit))
    counts, said = outcomes_of(rows)
    qm.say(said)
    for row in rows:
        if row["outcome"] == "refused":
            qm.say(f"Refused: {entries[row['place'] - 1]['pattern']}: {row['reason']}")
    return counts | {"decisions": rows}


@noun.verb()
def refused_command(qm: Qm, project: Project = None, limit: Limit = 100) -> Sequence[Row]:
    """List the candidates that Quartermaster refused, with the reasons."""
    rows = qm.call(api.list_refusals(project=project, maximum=limit))
    qm.table(rows, ("at", "pattern", "reason", "miner"), empty="No candidate was refused.")
    return rows


noun.include(mining_cli.noun)


def listed(qm: Qm, **wanted: Any) -> Row:
    """Prints a table of decisions and returns the decisions. The arguments are those of
    api.find_decisions.
    """
    rows = found_decisions(qm, **wanted)
    columns = (
        "id",
        "status",
        ("scope", scope_of),
        ("decision", instruction),
        "confidence",
        # In a narrow terminal, an empty column would take the place of words.
        *(
            column
            for column in (("health", _health), ("beside", _beside))
            if any(map(column[1], rows))
        ),
    )
    qm.table(rows, columns, empty=NO_DECISIONS)
    return {"decisions": [{name: row[name] for name in LISTED_COLUMNS} for row in rows]}


def _health(row: Row) -> str:
    return "" if row["health"] == "fresh" else str(row["health"])


def _go_to(qm: Qm, folder: Path) -> None:
    """Makes the command use the project to which a folder belongs, if there is one."""
    try:
        qm.call_value(core_api.show_project(project=str(folder.expanduser().absolute())))
    except QmError as error:
        if error.slug != "project_not_found":
            raise
    else:
        qm.session.stand_in(folder)


def _beside(row: Row) -> str:
    same = [f"same as {other}" for other in row["duplicates"]]
    return ", ".join(same + [f"against {other}" for other in row["contradicts"]])


def _status(row: Row) -> str:
    if row["superseded_by"] is not None:
        return f"replaced by {row['superseded_by']}"
    return f"{row['status']}, {row['health']} {row['health_reason']}".strip()


def _evidence(each: Row) -> str:
    place = each.get("path", "")
    if "line" in each:
        place += f":{each['line']}"
    commit = f"commit {each['commit'][:12]}" if "commit" in each else ""
    gone = "(gone)" if each.get("gone") else ""
    against = "(against)" if each["role"] == "contradicts" else ""
    return " ".join(part for part in (place, commit, gone, against, each["excerpt"]) if part)


def _words(ids: Iterable[int]) -> str:
    return " ".join(map(str, ids))


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        raise argument_invalid(
            f"{text!r} is not JSON.", "kinds/decisions/docs/decisions.md shows the forms of checks."
        ) from None
