"""``qm knowledge``: asks the experts, and manages the notes of a project."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

from quartermaster.cli.command import Qm
from quartermaster.cli.goal_models import instruction_encoder
from quartermaster.cli.noun import Noun
from quartermaster.cli.options import Project
from quartermaster.cli.output import Columns, counted
from quartermaster.cli.session import Row
from quartermaster.core.errors import QmError, argument_invalid
from quartermaster_knowledge import api
from quartermaster_knowledge.ask_command import Domain
from quartermaster_knowledge.ask_command import noun as asking
from quartermaster_knowledge.note_files import (
    Note,
    NoteProblem,
    folded,
    loading,
    read_note,
    shipped_digest,
)

Files = Annotated[list[Path], "Markdown files, or folders with Markdown files."]

noun = Noun("Ask experts, who cite their notes, and add notes of your projects.")
noun.include(asking)


@noun.verb()
def experts_command(qm: Qm) -> Sequence[Row]:
    """List the domains of the experts."""
    rows = qm.read(api.list_experts())
    waiting = (("without vector", "waiting"),) if any(row["waiting"] for row in rows) else ()
    columns = ("domain", "notes", "passages", *waiting, ("to review", "stale"), "reviewed")
    qm.table(rows, (*columns, "description"), empty="No domains.")
    return rows


@noun.verb()
def list_command(qm: Qm, domain: Domain = None) -> Sequence[Row]:
    """List the notes that you may read; project notes come first."""
    rows = qm.read(api.list_notes(in_domain=domain))
    qm.table(
        rows,
        ("name", ("project", _project), "title", "passages", "reviewed", "problem"),
        empty="No notes. To load the notes that come with Quartermaster, run: qm knowledge load.",
    )
    return rows


def _project(row: Row) -> str | None:
    """Returns the project of a note, as OWNER/NAME."""
    return row["project"] and f"{row['owner']}/{row['project']}"


@noun.verb()
def validate_command(qm: Qm, files: Files, project: Project = None) -> Sequence[Row]:
    """Check notes in the same way as qm knowledge add, without storing them."""
    with qm.session.rolled_back():
        rows = _put(qm, files, project)
    columns: Columns = ("name", ("would be", "outcome"), ("quarantined because", "problem"))
    qm.table(rows, columns)
    return rows


@noun.verb()
def add_command(qm: Qm, files: Files, project: Project = None) -> Sequence[Row]:
    """Store notes of a project. Only its members see them. Notes that have the same name are
    replaced.
    """
    rows = _put(qm, files, project)
    columns: Columns = (
        "name",
        ("outcome", lambda row: "quarantined" if row["problem"] else row["outcome"]),
        ("quarantined because", "problem"),
    )
    qm.table(rows, columns)
    return rows


def _put(qm: Qm, files: list[Path], project: str | None) -> Sequence[Row]:
    """Stores notes, unless one of the files has a mistake. The command fails if a note is
    quarantined.

    Raises:
        QmError: 422 note_invalid, with the mistakes in all files; and the errors of the database.
    """
    from quartermaster_knowledge.note_guard import admitted

    notes = _notes(qm, _markdown(files))
    encode = instruction_encoder(qm)
    checked = [admitted(note, encode) for note in notes]
    qm.session.stand_in(files[0])
    rows = qm.call(
        api.put_notes(
            notes=[{**note.row(), "problem": problem} for note, problem in checked], project=project
        )
    )
    qm.failed = any(row["problem"] for row in rows)
    return rows


def _notes(qm: Qm, paths: list[Path]) -> list[Note]:
    """Returns the notes in the given files.

    Raises:
        QmError: 422 note_invalid, with the mistakes in all files.
    """
    experts = qm.call(api.list_experts())
    domains = {
        folded(word): each["domain"]
        for each in experts
        for word in (each["domain"], *each["aliases"])
    }
    notes: dict[str, Note] = {}
    faults: list[str] = []
    for path in paths:
        note, wrong = _read(path, domains)
        if note is not None and note.name in notes:
            wrong = [NoteProblem(0, f"another of these files is called {note.name}, too")]
        elif note is not None:
            notes[note.name] = note
        faults += [_placed(path, fault) for fault in wrong]
    if faults:
        raise QmError(
            422,
            "note_invalid",
            f"The notes have {counted(len(faults), 'mistake')}. Nothing was stored.",
            "Correct the notes, and try again. kinds/knowledge/docs/knowledge.md shows what a note"
            " looks like.",
            "\n".join(faults),
        )
    return list(notes.values())


@noun.verb()
def remove_command(
    qm: Qm, name: Annotated[str, "Name of the note."], project: Project = None
) -> Row:
    """Remove a note of a project."""
    qm.call(api.remove_note(name=name, project=project))
    qm.say(f"Removed {name}. To undo, in the folder with its file: qm knowledge add {name}.md")
    return {"removed": name}


@noun.verb()
def load_command(qm: Qm) -> Row:
    """Load the notes that come with Quartermaster. A running service does this by itself."""
    done = {"added": 0, "changed": 0, "removed": 0}
    if qm.call_value(api.notes_digest()) == shipped_digest():
        qm.say("The notes are already loaded.")
        return done
    for arguments in loading():
        [part] = qm.call(api.load_notes(**arguments))
        done = {
            "added": done["added"] + part["added"],
            "changed": done["changed"] + part["changed"],
            "removed": done["removed"] + part["removed"],
        }
    qm.say(f"{done['added']} notes added, {done['changed']} changed, {done['removed']} removed.")
    return done


def _markdown(files: list[Path]) -> list[Path]:
    found = [
        path for file in files for path in (sorted(file.rglob("*.md")) if file.is_dir() else [file])
    ]
    if not found:
        raise argument_invalid(
            "The folders contain no Markdown files.", "Give files that end in .md."
        )
    return found


def _read(path: Path, domains: Mapping[str, str]) -> tuple[Note | None, list[NoteProblem]]:
    try:
        with path.open("rb") as file:
            data = file.read(300_000)
    except OSError as error:
        return None, [NoteProblem(0, f"it cannot be read: {error.strerror}")]
    return read_note(path.stem.lower().replace("_", "-").replace(" ", "-"), data, domains)


def _placed(path: Path, fault: NoteProblem) -> str:
    """Returns a fault with its place, in the format of compilers' messages."""
    place = f"{_shown(path)}:{fault.line}" if fault.line else _shown(path)
    return f"{place}: {fault.reason}"


def _shown(path: Path) -> str:
    """Returns a path as one line. A line break in the path could otherwise fake a line of the
    output.
    """
    return str(path).replace("\n", "\\n")
