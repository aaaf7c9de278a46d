"""``qm knowledge``: asks the experts, and adds notes of a project."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Argument, Option

from quartermaster.cli.command import Qm
from quartermaster.cli.goal_models import embed_goal, instruction_encoder
from quartermaster.cli.noun import Noun
from quartermaster.cli.session import Row
from quartermaster.core.errors import QmError, argument_invalid, unreadable
from quartermaster.knowledge.note_files import Note, parse_note, shipped_digest, shipped_notes

Project = Annotated[
    str | None,
    Option(
        help="Name of the project, or OWNER/NAME; default: that of this folder, or your only one.",
        envvar="QM_PROJECT",
    ),
]
Domain = Annotated[str | None, Option(help="Only notes of this domain; see qm knowledge experts.")]
Files = Annotated[list[Path], Argument(help="Markdown files, or folders of them.")]
_PRINTED = ("text", "note", "heading", "source")

noun = Noun("Ask experts, who cite their notes, and add notes of your projects.")


@noun.verb()
def ask_command(
    qm: Qm,
    question: Annotated[str, Argument(help="The question in plain words.")],
    domain: Domain = None,
) -> Row:
    """Answer a question with cited passages, or say that no note answers it."""
    from quartermaster.knowledge.answers import checked_answer

    [row] = qm.call(
        "ask_expert", question=question, domain=domain, query_vector=embed_goal(qm, question)
    )
    of_projects = any(each["project"] for each in row["passages"])
    answer = checked_answer(row, instruction_encoder(qm) if of_projects else None)
    for each in answer["decisions"]:
        qm.say(f"Decision of a project: {each['text']}\n")
    for passage in answer["passages"]:
        doubt = "" if passage["verified"] else ", from memory"
        qm.say(f"{passage['text']}\n  {passage['note']}: {passage['source']}{doubt}\n")
    if answer["no_answer"]:
        qm.say("No answer: no note covers this question.")
    qm.note(f"Confidence {answer['confidence']:.2f}, domain {answer['expert'] or 'unknown'}.")
    return {
        "no_answer": answer["no_answer"],
        "confidence": answer["confidence"],
        "passages": [{name: each[name] for name in _PRINTED} for each in answer["passages"]],
    }


@noun.verb()
def experts_command(qm: Qm) -> list[Row]:
    """List the domains of the experts."""
    rows = qm.call("list_experts")
    columns = ("domain", "notes", "passages", ("to review", "stale"), "reviewed", "description")
    qm.table(rows, columns, empty="No domains.")
    return rows


@noun.verb()
def list_command(qm: Qm, domain: Domain = None) -> list[Row]:
    """List the notes that you may read; those of projects come first."""
    rows = qm.call("list_notes", in_domain=domain)
    columns = ("name", "project", "title", "passages", "reviewed", "problem")
    qm.table(rows, columns, empty="No notes. Load those of Quartermaster with: qm knowledge load.")
    return rows


@noun.verb()
def validate_command(qm: Qm, files: Files) -> list[Row]:
    """Check notes without storing them: their form, and whether they would be quarantined."""
    from quartermaster.knowledge.note_guard import admitted

    rows: list[Row] = []
    encode = instruction_encoder(qm)
    for path in _markdown(files):
        try:
            note, problem = admitted(_read(path), encode)
            rows.append({"file": str(path), "passages": len(note.passages), "problem": problem})
        except QmError as error:
            rows.append({"file": str(path), "passages": 0, "problem": error.message})
    qm.table(rows, ("file", "passages", "problem"))
    if any(row["problem"] for row in rows):
        qm.answer(rows)
        raise typer.Exit(1)
    return rows


@noun.verb()
def add_command(qm: Qm, files: Files, project: Project = None) -> list[Row]:
    """Store notes of a project. Only its members see them. A known name replaces the note."""
    from quartermaster.knowledge.note_guard import admitted

    notes: list[dict[str, Any]] = []
    encode = instruction_encoder(qm)
    for path in _markdown(files):
        note, problem = admitted(_read(path), encode)
        notes.append({**note.row(), "problem": problem})
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
    """Load the notes of Quartermaster, if they changed. A running service does this itself."""
    digest = shipped_digest()
    if qm.call_value("notes_digest") == digest:
        qm.say("The notes are loaded.")
        return {"added": 0, "changed": 0, "removed": 0}
    [done] = qm.call("load_notes", notes=[note.row() for note in shipped_notes()], digest=digest)
    qm.say(f"{done['added']} notes added, {done['changed']} changed, {done['removed']} removed.")
    return done


def _markdown(files: list[Path]) -> list[Path]:
    found = [
        path for file in files for path in (sorted(file.rglob("*.md")) if file.is_dir() else [file])
    ]
    if not found:
        raise argument_invalid("There is no Markdown file.", "Name files that end in .md.")
    return found


def _read(path: Path) -> Note:
    try:
        with path.open("rb") as file:
            data = file.read(300_000)
    except OSError as error:
        raise unreadable(path, error) from error
    return parse_note(path.stem.lower().replace("_", "-").replace(" ", "-"), data)
