"""``qm knowledge``: asks the experts, and adds notes of a project."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from quartermaster.cli.command import Qm
from quartermaster.cli.goal_models import embed_goal, instruction_encoder
from quartermaster.cli.noun import Noun
from quartermaster.cli.options import Project
from quartermaster.cli.output import counted
from quartermaster.cli.session import Row
from quartermaster.core.errors import QmError, argument_invalid
from quartermaster.knowledge.note_files import (
    Fault,
    Note,
    folded,
    loading,
    read_note,
    shipped_digest,
)

if TYPE_CHECKING:
    from quartermaster.guardrails.instruction_model import Encode

Domain = Annotated[str | None, Option(help="Only notes of this domain; see qm knowledge experts.")]
Files = Annotated[list[Path], Argument(help="Markdown files, or folders with Markdown files.")]
_PRINTED = ("text", "note", "heading", "source")

noun = Noun("Ask experts, who cite their notes, and add notes of your projects.")


@noun.verb()
def ask_command(
    qm: Qm,
    question: Annotated[str, Argument(help="The question in plain words.")],
    domain: Domain = None,
) -> Row:
    """Answer a question with cited passages, or say that no note answers it."""
    from quartermaster.knowledge.answers import checked_answer, told_waiting

    [row] = qm.call(
        "ask_expert", question=question, domain=domain, query_vector=embed_goal(qm, question)
    )
    of_projects = any(each["project"] for each in row["passages"])
    answer = checked_answer(row, instruction_encoder(qm) if of_projects else None)
    for each in answer["decisions"]:
        qm.say(f"Project decision: {each['text']}\n")
    for passage in answer["passages"]:
        doubt = "" if passage["verified"] else ", from memory"
        qm.say(f"{passage['text']}\n  {passage['note']}: {passage['source']}{doubt}\n")
    if answer["no_answer"]:
        qm.say("No answer: no note covers this question.")
    if waiting := told_waiting(answer):
        qm.note(waiting)
    qm.say(f"Confidence {answer['confidence']:.2f}, domain {answer['expert'] or 'unknown'}.")
    return {
        "no_answer": answer["no_answer"],
        "confidence": answer["confidence"],
        "passages": [{name: each[name] for name in _PRINTED} for each in answer["passages"]],
        "waiting": answer["waiting"],
    }


@noun.verb()
def experts_command(qm: Qm) -> list[Row]:
    """List the domains of the experts."""
    rows = qm.call("list_experts")
    waiting = (("without vector", "waiting"),) if any(row["waiting"] for row in rows) else ()
    columns = ("domain", "notes", "passages", *waiting, ("to review", "stale"), "reviewed")
    qm.table(rows, (*columns, "description"), empty="No domains.")
    return rows


@noun.verb()
def list_command(qm: Qm, domain: Domain = None) -> list[Row]:
    """List the notes that you may read; project notes come first."""
    rows = qm.call("list_notes", in_domain=domain)
    columns = ("name", "project", "title", "passages", "reviewed", "problem")
    qm.table(
        rows,
        columns,
        empty="No notes. To load the notes that come with Quartermaster, run: qm knowledge load.",
    )
    return rows


@noun.verb()
def validate_command(qm: Qm, files: Files) -> list[Row]:
    """Check notes without storing them: their form, and whether they would be quarantined."""
    encode = instruction_encoder(qm)
    rows = [_validated(path, encode) for path in _markdown(files)]
    qm.table(rows, ("file", "passages", "problem"))
    if any(row["problem"] for row in rows):
        qm.answer(rows)
        raise typer.Exit(1)
    return rows


@noun.verb()
def add_command(qm: Qm, files: Files, project: Project = None) -> list[Row]:
    """Store notes of a project. Only its members see them. Notes that have the same name are
    replaced.
    """
    from quartermaster.knowledge.note_guard import admitted

    paths = _markdown(files)
    experts = qm.call("list_experts")
    domains = {folded(word) for each in experts for word in (each["domain"], *each["aliases"])}
    read = {path: _read(path, domains) for path in paths}
    faults = [_placed(path, fault) for path in paths for fault in read[path][1]]
    if faults:
        raise QmError(
            422,
            "note_invalid",
            f"Nothing was stored: {counted(len(faults), 'mistake')} in the notes.",
            "Correct the notes, and try again. docs/knowledge.md shows what a note looks like. To"
            " list the domains: qm knowledge experts.",
            "\n".join(faults),
        )
    encode = instruction_encoder(qm)
    notes: list[dict[str, Any]] = []
    for note, _ in read.values():
        if note is not None:
            checked, problem = admitted(note, encode)
            notes.append({**checked.row(), "problem": problem})
    qm.session.stand_in(files[0])
    rows = qm.call("put_notes", notes=notes, project=project)
    qm.table(rows, ("name", "outcome", ("quarantined because", "problem")))
    return rows


@noun.verb()
def remove_command(
    qm: Qm, name: Annotated[str, Argument(help="Name of the note.")], project: Project = None
) -> Row:
    """Remove a note of a project."""
    qm.call("remove_note", name=name, project=project)
    qm.say(f"Removed {name}. To undo: qm knowledge add FILE.")
    return {"removed": name}


@noun.verb()
def load_command(qm: Qm) -> Row:
    """Load the notes that come with Quartermaster. A running service does this by itself."""
    if qm.call_value("notes_digest") == shipped_digest():
        qm.say("The notes are already loaded.")
        return {"added": 0, "changed": 0, "removed": 0}
    done = {"added": 0, "changed": 0, "removed": 0}
    for arguments in loading():
        [part] = qm.call("load_notes", **arguments)
        done = {name: count + part[name] for name, count in done.items()}
    qm.say(f"{done['added']} notes added, {done['changed']} changed, {done['removed']} removed.")
    return done


def _markdown(files: list[Path]) -> list[Path]:
    found = [
        path for file in files for path in (sorted(file.rglob("*.md")) if file.is_dir() else [file])
    ]
    if not found:
        raise argument_invalid(
            "The folders contain no Markdown files.", "Name files that end in .md."
        )
    return found


def _validated(path: Path, encode: Encode | None) -> Row:
    from quartermaster.knowledge.note_guard import admitted

    note, faults = _read(path)
    if note is None:
        told = "; ".join(map(str, faults))
        return {"file": str(path), "passages": 0, "problem": told}
    checked, problem = admitted(note, encode)
    return {"file": str(path), "passages": len(checked.passages), "problem": problem}


def _read(path: Path, domains: Collection[str] = ()) -> tuple[Note | None, list[Fault]]:
    try:
        with path.open("rb") as file:
            data = file.read(300_000)
    except OSError as error:
        return None, [Fault(0, f"it cannot be read: {error.strerror}")]
    return read_note(path.stem.lower().replace("_", "-").replace(" ", "-"), data, domains)


def _placed(path: Path, fault: Fault) -> str:
    """A fault with its place, as compilers write it."""
    place = f"{_shown(path)}:{fault.line}" if fault.line else _shown(path)
    return f"{place}: {fault.reason}"


def _shown(path: Path) -> str:
    """A path in one line: a name with a line break could add lines of its own."""
    return str(path).replace("\n", "\\n")
