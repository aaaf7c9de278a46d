"""``qm docs``: looks up and manages the documentation of installed packages."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import cache
from pathlib import Path
from time import monotonic
from typing import Annotated, Final

from typer import Option

from quartermaster import api as core_api
from quartermaster.cli.command import Decision, Qm
from quartermaster.cli.noun import WORDS, Noun
from quartermaster.cli.output import Columns, counted
from quartermaster.cli.session import Row
from quartermaster.cli.waiting import Progress
from quartermaster.core.errors import QmError, argument_invalid
from quartermaster_knowledge import api

Python = Annotated[
    Path | None,
    "Interpreter, environment or folder with packages; default: .venv or venv in the current"
    " folder.",
    Option("--python", metavar="PATH"),
]

_ALL_EXIST: Final = "no missing name, attribute or keyword was found"

noun = Noun("Look up the documentation of libraries, in the versions that are installed.")


@noun.verb()
def index_command(
    qm: Qm,
    python: Python = None,
    project: Annotated[
        str | None, "Project whose members alone see the packages; default: everybody sees them."
    ] = None,
    only: Annotated[
        list[str] | None, "Read only this package; repeatable.", Option(metavar="NAME")
    ] = None,
) -> Row:
    """Read all packages that are installed for an interpreter, without running any of them."""
    from quartermaster_knowledge.environment import packages_folder
    from quartermaster_knowledge.indexing import index_environment

    started = monotonic()
    folder = packages_folder(python)
    what = ", ".join(only) if only else counted(len(list(folder.glob("*.dist-info"))), "package")
    qm.note(f"Reading {what} of {folder}.")
    root = root_of_project(qm.call(core_api.list_projects()), project) if project else None
    try:
        with Progress() as progress:
            done = index_environment(
                qm.session,
                folder,
                project=project,
                root=root,
                only=only or (),
                report=progress.update,
            )
    except KeyboardInterrupt:
        qm.note("Stopped. What was stored is kept. To read the rest, run the same command again.")
        raise
    done["seconds"] = round(monotonic() - started, 1)
    qm.note(f"Finished in {done['seconds']} s.")
    packages = f"{folder}: {counted(done['distributions'], 'package')}"
    if done["read"]:
        read = counted(done["read"], "package")
        qm.say(f"{packages}. Newly read: {read} with {counted(done['objects'], 'object')}.")
    else:
        qm.say(f"{packages}. Nothing is new or changed.")
    if project:
        qm.say(f"The environment now belongs to the project {project}.")
    if done["objects"]:
        qm.say(
            "You can look up these packages now. Until their vectors are ready (see qm "
            "docs status), lookups compare words only."
        )
    return done


def root_of_project(rows: Sequence[Row], project: str) -> Path | None:
    """Returns the folder of a project (NAME or OWNER/NAME), if the folder is on this machine."""
    named = (row for row in rows if project in {row["project"], f"{row['owner']}/{row['project']}"})
    return next((root for row in named if (root := Path(row["root"])).is_dir()), None)


@noun.verb()
def lookup_command(
    qm: Qm,
    library: Annotated[str, "Name of a package or of a module."],
    topic: Annotated[
        str | None, "A question, a few words or a name; default: show an overview.", WORDS
    ] = None,
    python: Python = None,
    project: Annotated[
        str | None,
        "Project whose installed packages are searched; default: the project of the current"
        " folder, or else your only project.",
        Option(envvar="QM_PROJECT"),
    ] = None,
    top: Annotated[int, "Maximum number of objects, such as classes and functions."] = 10,
    rerank: Annotated[
        bool, "Let the embedding model compare the best objects with the topic again, word by word."
    ] = True,
) -> Row:
    """Find the objects of a library that fit a topic, best first."""
    from quartermaster.cli.goal_models import active_model, embed_goals
    from quartermaster_knowledge.environment import packages_folder
    from quartermaster_knowledge.lookup_notes import is_name, notes_of_lookup
    from quartermaster_knowledge.symbol_ranking import rerank_symbols

    rows = qm.call(
        api.lookup_symbols(
            library=library,
            topic=topic,
            top=top,
            for_comparison=rerank,
            query_vector=embed_goals(qm, [topic])[0] if topic else None,
            folder=str(packages_folder(python)) if python else None,
            project=project,
        )
    )
    if topic and rerank:
        rows = rerank_symbols(qm, active_model(qm), topic, rows)
    rows = rows[:top]
    versions: Sequence[Row] = []
    if is_name(topic):
        versions = qm.call(api.compare_versions(library=library, name=topic))
    notes = notes_of_lookup(library, topic, versions, rows)
    found = {
        "library": rows[0]["distribution"] if rows else library,
        "version": rows[0]["version"] if rows else None,
    }
    if rows:
        qm.say("{library} {version}".format_map(found))
    for sentence in notes:
        qm.say(sentence)
    for row in rows:
        qm.say(_row_text(row))
    if not rows:
        qm.note("Nothing fits.")
    shown = ("name", "signature", "file", "line", "passage")
    symbols = [
        {**{key: row[key] for key in shown}, "score": round(row["score"], 3)} for row in rows
    ]
    return {**found, "notes": notes, "symbols": symbols}


def _unread(row: Row) -> str:
    """Describes the first two modules or packages that could not be read. With --json, the command
    prints all of them.
    """
    names: list[str] = row["unread"]
    further = f"; {len(names) - 2} more (--json)" if len(names) > 2 else ""
    return "; ".join(names[:2]) + further


def _row_text(row: Row) -> str:
    """Describes an object in a few lines: its name and place, its signature, and its summary."""
    from quartermaster_knowledge.docstrings import summary

    place = f"{row['name']} ({row['score']:.3f}) {row['file']}:{row['line']}"
    return "\n    ".join(filter(None, (place, row["signature"], summary(row["passage"]))))


@noun.verb()
def status_command(qm: Qm) -> Sequence[Row]:
    """List the libraries that can be looked up, and the parts of them that could not be read."""
    rows = qm.read(api.list_libraries())
    waiting = ("waiting",) if any(row["waiting"] for row in rows) else ()
    unread = (("unread", _unread),) if any(row["unread"] for row in rows) else ()
    columns: Columns = ("name", "version", "objects", "cards", *waiting, *unread)
    return qm.table(rows, columns, empty="No library is indexed. Start with: qm docs index.")


@noun.verb()
def folders_command(qm: Qm) -> Sequence[Row]:
    """List the package folders and bundles that were read."""
    rows = qm.read(api.list_environments())
    columns: Columns = ("folder", ("project", lambda row: row["project"] or "(everybody)"))
    qm.table(rows, (*columns, "indexed_at"), empty="Nothing was read. Start with: qm docs index.")
    return rows


@noun.verb()
def remove_command(
    qm: Decision,
    folder: Annotated[str, "Folder or bundle, as qm docs folders lists it; or an environment."],
    project: Annotated[
        str | None,
        "Remove the folder that was indexed for this project; default: the folder that was"
        " indexed for everybody.",
    ] = None,
) -> Row:
    """Remove a package folder or a bundle, with its packages, from what can be looked up."""
    folder = _listed(qm, folder)
    [found] = qm.call(api.remove_environment(folder=folder, project=project, dry_run=True))
    packages = counted(found["distributions"], "package")
    qm.foretell(f"This removes {folder} with {packages} from the database, but deletes no files.")
    if removed := found["removed"]:
        qm.foretell(f"After that, {counted(removed, 'package')} of it can no longer be looked up.")
    elif found["distributions"]:
        qm.foretell("Other folders contain all of them, so you can still look them up.")
    undo = _undo(folder, project)
    if undo is None:
        qm.foretell("This cannot be undone, because the folder is not on this machine.")
    if qm.confirmed(f"Remove {folder}?"):
        qm.call(api.remove_environment(folder=folder, project=project))
        qm.say(f"Removed. {undo}" if undo else "Removed.")
    return found | {"done": not qm.dry_run}


def _listed(qm: Decision, folder: str) -> str:
    """Returns the folder in the list of read folders that an argument names. If the argument is an
    environment, returns its package folder.
    """
    from quartermaster_knowledge.environment import packages_folder

    if folder in {row["folder"] for row in qm.call(api.list_environments())}:
        return folder
    try:
        return str(packages_folder(Path(folder)))
    except QmError:
        return folder  # the database says that it was not read


def _undo(folder: str, project: str | None) -> str | None:
    """Returns the command that reads a folder or a bundle again for the same people. Returns None
    if the folder does not exist.
    """
    bundle = folder.removeprefix("bundle:")
    if bundle == folder and not Path(folder).is_dir():
        return None
    where, read = (
        ("To undo", ["index", "--python", folder])
        if bundle == folder
        else ("To undo, in the folder with the file", ["load", bundle])
    )
    of_project = ("--project", project) if project else ()
    return f"{where}: {shlex.join(['qm', 'docs', *read, *of_project])}"


@noun.verb()
def fetched_command(
    qm: Qm, maximum: Annotated[int, "Largest number.", Option("--max", min=1)] = 50
) -> Sequence[Row]:
    """List the fetched documentation of libraries that are not installed."""
    rows = qm.read(api.list_documents(maximum=maximum))
    columns = ("library", "topic", "provider", "bytes", "fetched_at", "is_stale", "because")
    qm.table(rows, columns, empty="Nothing was fetched.")
    return rows


@noun.verb()
def bundle_command(
    qm: Qm,
    file: Annotated[Path, "File to write, such as docs.bundle."],
    python: Python = None,
    only: Annotated[
        list[str] | None, "Read only this package; repeatable.", Option(metavar="NAME")
    ] = None,
) -> Row:
    """Write the documentation of packages to a file, for machines without these packages."""
    from quartermaster_knowledge.bundles import write_bundle
    from quartermaster_knowledge.environment import packages_folder

    with Progress() as progress:
        done = write_bundle(file, packages_folder(python), only or (), progress.update)
    qm.say(f"Written to {file}: {_contents(done)}. To store it on another machine: qm docs load.")
    return done


@noun.verb()
def load_command(
    qm: Qm,
    file: Annotated[Path, "File from qm docs bundle."],
    project: Annotated[
        str | None, "Project whose members may see the packages; default: everybody."
    ] = None,
) -> Row:
    """Store the packages of a bundle. A later bundle with the same file name replaces them."""
    from quartermaster_knowledge.bundles import load_bundle

    with qm.session.together():
        done = load_bundle(qm.session, file, project, qm.note)
    qm.say(f"You can now look up {_contents(done)}.")
    return done


def _contents(bundle: Row) -> str:
    packages = counted(bundle["distributions"], "package")
    return f"{packages} with {counted(bundle['objects'], 'object')}"


@noun.verb()
def check_command(
    qm: Qm,
    paths: Annotated[list[Path], "Python files, or folders with Python files."],
    python: Python = None,
) -> Row:
    """Check Python files for names, attributes and keywords that the installed packages do not
    have.
    """
    import anyio

    from quartermaster.projects.guard import printable
    from quartermaster.projects.workers import close_readers
    from quartermaster_knowledge.call_sites import Checked, check, mistake_text, root_of
    from quartermaster_knowledge.environment import packages_folder
    from quartermaster_knowledge.unsure_names import unsure_names

    folder = packages_folder(python)
    files = {str(path): path.read_bytes() for path in _python_files(paths)}

    @cache
    def members(modules: tuple[str, ...], owner: str) -> list[api.ListMembersRow]:
        return qm.call(api.list_members(modules=list(modules), owner=owner, folder=str(folder)))

    async def checked() -> Checked:
        try:
            return await check(files, folder.parents[2], members, root_of(files))
        finally:
            await close_readers()

    done = anyio.run(checked)
    for each in done.mistakes:
        qm.say(f"{printable(each.path)}:{each.line}: {mistake_text(each)}")
    unsure: dict[str, set[str]] = {}
    for path in files.keys() - done.unparsed.keys():
        wrong = {(each.line, each.name) for each in done.mistakes if each.path == path}
        for name, why in unsure_names(files[path], wrong, members):
            unsure.setdefault(why, set()).add(name)
    groups = (
        *((why, [path]) for path, why in done.unparsed.items()),
        ("not installed", done.missing),
        ("not found", done.unread),
        ("too large to be read", done.too_large),
        *((why, sorted(unsure[why])) for why in sorted(unsure)),
    )
    unchecked = [{"name": name, "because": why} for why, names in groups for name in names]
    if not done.mistakes and len(files) > len(done.unparsed):
        what = "no mistake in what was checked" if unchecked else _ALL_EXIST
        qm.say(f"{counted(len(files) - len(done.unparsed), 'file')}: {what}.")
    for why, names in groups:
        if names:
            qm.say(f"not checked: {', '.join(map(printable, names))} ({why})")
    qm.failed = bool(done.mistakes or done.unparsed)
    return {
        "files": len(files),
        "mistakes": [asdict(each) for each in done.mistakes],
        "unchecked": unchecked,
    }


def _python_files(paths: list[Path]) -> Iterator[Path]:
    from quartermaster_knowledge.environment import own_python_files

    for path in paths:
        if not path.exists():
            raise argument_invalid(f"{path} does not exist.", "Give files or folders.")
        found = own_python_files(path) if path.is_dir() else [path]
        yield from (each for each in found if each.is_file() and not each.is_symlink())
