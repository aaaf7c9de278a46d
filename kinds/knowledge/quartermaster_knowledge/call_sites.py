"""Finds uses of names, attributes and keywords that the installed packages do not have. The type
checker ty finds these uses: it reads copies of the files in a folder without settings. No code of
the project is executed. The table of symbols then says which names exist.
"""

from __future__ import annotations

import ast
import json
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from functools import cache
from os.path import commonpath, normpath
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Final, TypeVar, TypeVarTuple, cast

from quartermaster.core.errors import QmError
from quartermaster.core.scratch import Scratch
from quartermaster.projects.programs import how_to_install, program, run
from quartermaster.projects.threads import run_sync
from quartermaster.projects.worker_calls import WorkerError
from quartermaster.projects.workers import readers
from quartermaster_knowledge.environment import is_plain
from quartermaster_knowledge.imports import Imports, imports_of
from quartermaster_knowledge.overloads import Probe, place_of, probe_of
from quartermaster_knowledge.signatures import shortened_around
from quartermaster_knowledge.words import UNSTORABLE_PATTERN, name_words

if TYPE_CHECKING:
    from quartermaster_knowledge import api

_RULES: Final = frozenset(
    (
        "missing-attribute",
        "unresolved-attribute",
        "missing-module-member",
        "unknown-argument",
        "unresolved-import",
        "import-not-found",
        "possibly-missing-attribute",
        "not-callable",
        "call-non-callable",
    )
)
_OBJECT: Final = re.compile(
    r"(?:Object of type|Class|Type|Object) `(?:<class ')?([^`']+)'?>?` has no attribute `(\w+)`"
)
_MODULE: Final = re.compile(
    r"(?:Module|Submodule) `([\w.]+)` (?:has no member|has no attribute) `(\w+)`"
)
_IMPORT: Final = re.compile(r"(?:Cannot resolve imported module|Module) `([\w.]+)`")
_KEYWORD: Final = re.compile(
    r"Argument `(\w+)` does not match any known parameter"
    r"(?: of (?:bound method|function|class|constructor)?\s*`([\w.]+)`)?"
)
_IMPORTS: Final = frozenset(("unresolved-import", "import-not-found"))
_MARKS: Final = (".git", "pyproject.toml", "setup.py", "setup.cfg")
# A script may have no suffix.
_SUFFIXES: Final = ("", ".py", ".pyi", ".pyw")
_LONGEST_SHOWN: Final = 240
_PROBE: Final = "_qm_probe_of_imports.py"
_MOST_MODULES: Final = 3000
_LARGEST_MODULE: Final = 2_000_000
_TIMEOUT_S: Final = 120.0
_COMPARED_S: float = 300.0
_READING_S: Final = 20.0
_MAX_SUGGESTIONS: Final = 3
_LEAST_LIKENESS: Final = 0.6
_RANKED_LOWER: Final = 0.3
_LONGEST_NAME: Final = 200

Further = TypeVarTuple("Further")
Value = TypeVar("Value")
Members = Callable[[tuple[str, ...], str], "list[api.ListMembersRow]"]


@dataclass(frozen=True)
class Mistake:
    """A use of a name that does not exist.

    Attributes:
        path: path of the file, as the caller gave it.
        line, column: place of the name, counted from 1.
        kind: attribute or keyword.
        name: the name that does not exist.
        owner: the module, class or function that does not have the name.
        nearest: existing members with similar names, the most similar first: name, signature, file
            and line.
        is_known: whether the members of the owner are known. If so, the mistake is certain, even if
            no member has a similar name.
    """

    path: str
    line: int
    column: int
    kind: str
    name: str
    owner: str
    nearest: tuple[Mapping[str, Any], ...] = field(default=())
    is_known: bool = False


@dataclass(frozen=True)
class Checked:
    """The mistakes that a check found, and the code that it could not check.

    Attributes:
        mistakes: the names that do not exist, ordered by file and line.
        unparsed: the reason why a file was not checked, by its path.
        missing: modules that files import but that are not installed. Uses of these modules were
            not checked.
        unread: other modules that were not found, such as compiled ones.
        too_large: files of the project's imported modules that were too large to read.
    """

    mistakes: tuple[Mistake, ...]
    unparsed: Mapping[str, str] = field(default_factory=dict[str, str])
    missing: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    too_large: tuple[str, ...] = ()


def mistake_text(each: Mistake) -> str:
    """Describes a mistake as text, with the most similar name that exists."""
    what = f"{each.owner} has no {each.kind} {each.name}."
    if not each.nearest:
        return f"{what} It has nothing with a similar name." if each.is_known else what
    first = each.nearest[0]
    where = f"{first['file']}:{first['line']}"
    signature = first["signature"]
    if each.kind == "keyword":
        signature = shortened_around(signature, first["name"], _LONGEST_SHOWN)
    return f"{what} Nearest: {first['name']}, as in {signature} ({where})."


async def check(
    files: Mapping[str, bytes], python: Path, members: Members, root: Path | None = None
) -> Checked:
    """Checks files against the packages of an environment.

    Args:
        files: content of each file, by its path.
        python: folder of the environment.
        members: function that takes the imported modules and the name of an owner (such as a
            class), and returns the members of the owner.
        root: folder of the project. Modules of the project that the files import are read as well.
            If None, the files can import only each other.

    Raises:
        QmError: 503 checker_missing, 504 check_timeout.
    """
    known = cache(members)
    compared = time.monotonic()

    def remembered(modules: tuple[str, ...], owner: str) -> list[api.ListMembersRow]:
        if time.monotonic() - compared > _COMPARED_S:
            raise _timed_out("The comparison with the installed packages", _COMPARED_S)
        return known(modules, owner)

    unparsed = {path: why for path in files if (why := _refusal(path))}
    parsing = await _read(
        parse, {path: data for path, data in files.items() if path not in unparsed}
    )
    unparsed |= parsing.unparsed
    parsed = {path: data for path, data in files.items() if path not in unparsed}
    tops = parsing.tops
    siblings, too_large = ({}, {}) if root is None else _siblings(parsed, root)
    message, not_found, absent = await _diagnosed(parsed, siblings, tops, python, root)
    asked = [(mistake.path, mistake.owner) for mistake in message]
    owned, attributes = await _read(questions, parsed, asked)
    mistakes = await run_sync(_understand_all, message, owned, attributes, remembered)
    not_found -= too_large.keys()
    missing = {name.partition(".")[0] for name in not_found} & absent
    unread = {name for name in not_found if name.partition(".")[0] not in missing}
    return Checked(
        tuple(mistakes),
        unparsed,
        tuple(sorted(missing)),
        tuple(sorted(unread)),
        tuple(sorted({str(path) for path in too_large.values()})),
    )


async def _read(
    function: Callable[[dict[str, bytes], *Further], Value],
    files: dict[str, bytes],
    *further: *Further,
) -> Value:
    """Runs a function on files in a worker process.

    Raises:
        QmError: 504 check_timeout.
    """
    try:
        timeout_s = _READING_S + len(files)
        return await readers().call(function, files, *further, timeout_s=timeout_s)
    except WorkerError as error:
        raise QmError(504, "check_timeout", str(error), "Check fewer files.") from None


def _refusal(path: str) -> str:
    """Returns the reason why a file with this name cannot be checked. Returns an empty string if
    the file can be checked.
    """
    if UNSTORABLE_PATTERN.search(path):
        return "its name is not valid Unicode"
    # Beside the others, a file such as ty.toml would be the settings of the checker.
    return "" if PurePosixPath(path).suffix in _SUFFIXES else "not Python"


@dataclass(frozen=True)
class Parsing:
    """The result of parsing files.

    Attributes:
        unparsed: the reason why a file is not checked, by its path.
        tops: the top-level modules that the other files import, sorted.
    """

    unparsed: dict[str, str]
    tops: list[str]


def parse(files: dict[str, bytes]) -> Parsing:
    """Parses files. Runs in a worker.

    Args:
        files: content of each file, by its path.
    """
    unparsed: dict[str, str] = {}
    tops: set[str] = set()
    for path, data in files.items():
        try:
            tops |= imports_of(ast.parse(data)).modules
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            line = getattr(error, "lineno", None) or 1
            why = getattr(error, "msg", None) or str(error) or "it is nested too deeply"
            unparsed[path] = f"cannot be parsed at line {line}: {why}"
    return Parsing(unparsed, sorted(tops))


@dataclass(frozen=True)
class Owners:
    """Where to look up the members of an owner (such as a class).

    Attributes:
        modules: the top-level modules that the file imports, sorted.
        names: the owner. If the file itself defines the owner as a class, the base classes of this
            class.
    """

    modules: tuple[str, ...]
    names: list[str]


@dataclass(frozen=True)
class Attribute:
    """The use of an attribute of an imported module.

    Attributes:
        path, line, column: the place of the use.
        name: name of the attribute.
        target: the module.
    """

    path: str
    line: int
    column: int
    name: str
    target: str


def questions(
    files: dict[str, bytes], asked: list[tuple[str, str]]
) -> tuple[list[Owners], list[Attribute]]:
    """Returns the owners and attributes that must be looked up in the packages to judge files. Runs
    in a worker.

    Args:
        files: content of each file, by its path. All files must be valid Python.
        asked: file path and owner for each mistake that ty found.

    Returns:
        The owners of these mistakes, and uses of attributes that may be further mistakes.
    """
    trees = {path: ast.parse(data) for path, data in files.items()}
    imports = {path: imports_of(tree) for path, tree in trees.items()}
    owners = [
        Owners(tuple(sorted(imports[path].modules)), _owners(owner, trees[path], imports[path]))
        for path, owner in asked
    ]
    attributes = [
        found for path in files for found in _attributes(path, trees[path], imports[path])
    ]
    return owners, attributes


def _understand_all(
    message: Sequence[Mistake],
    owned: Sequence[Owners],
    attributes: Iterable[Attribute],
    members: Members,
) -> list[Mistake]:
    found = [
        _with_nearest(mistake, owners.modules, owners.names, members)
        for mistake, owners in zip(message, owned, strict=True)
    ]
    seen = {(each.path, each.line, each.name) for each in found}
    found += (
        mistake
        for mistake in _module_members(attributes, members)
        if (mistake.path, mistake.line, mistake.name) not in seen
    )
    # One for each place and name: the first that knows what is there instead.
    by_place: dict[tuple[str, int, int, str], Mistake] = {}
    for each in sorted(found, key=lambda each: (not each.nearest, not each.is_known)):
        by_place.setdefault((each.path, each.line, each.column, each.name), each)
    return sorted(by_place.values(), key=lambda each: (each.path, each.line, each.column))


async def _diagnosed(
    files: Mapping[str, bytes],
    siblings: Mapping[str, bytes],
    tops: Iterable[str],
    python: Path,
    root: Path | None,
) -> tuple[list[Mistake], set[str], set[str]]:
    """Runs ty. Returns the mistakes in the files, the modules that ty did not find, and which of
    `tops` are not installed.

    For a module inside a package, ty does not say whether the package itself exists. So an extra
    file imports every top-level module.
    """
    ty = program("ty")
    if ty is None:
        raise QmError(
            503,
            "checker_missing",
            "The type checker ty is not installed.",
            f"Install it: {how_to_install('ty')}",
        )
    with Scratch("check") as folder:
        top = _top_of(files) if root is None else root
        names = {_place(path, top): path for path in files}
        copies = {**siblings, **{name: files[path] for name, path in names.items()}}
        probe = "".join(f"import {name}\n" for name in tops).encode()
        _write(Path(folder), {**copies, _PROBE: probe})
        entries = await _run_ty(ty, Path(folder), python, [*names, _PROBE])
        probes = await _read(probes_of, {name: copies[name] for name in names}, entries)
        _write(Path(folder), {name: probe.data for name, probe in probes.items()})
        try:
            answers = await _run_ty(ty, Path(folder), python, probes) if probes else {}
        except QmError:  # what was found first holds without it
            answers = {}
    not_found: set[str] = set()
    absent: set[str] = set()
    for place, message in entries.items():
        for entry in message:
            found = _IMPORT.search(str(entry["description"]))
            if found and entry["check_name"] in _IMPORTS:
                (absent if place == _PROBE else not_found).add(found[1])
    mistakes = [
        mistake
        for name, path in names.items()
        for entry in entries.get(name, [])
        if entry["check_name"] in _RULES and (mistake := _understood(path, entry)) is not None
    ]
    mistakes += [
        _keyword(names[name], *keyword.place[:2], keyword.name, keyword.owner)
        for name, probe in probes.items()
        for keyword in probe.not_taken(answers.get(name, []))
    ]
    return mistakes, not_found, absent


def probes_of(
    files: dict[str, bytes], entries: dict[str, list[dict[str, Any]]]
) -> dict[str, Probe]:
    """Returns probe files for the calls that fit no overload, by the names of their files. A probe
    file tests each keyword of such a call separately. Runs in a worker.

    Args:
        files: content of each file, by its name.
        entries: the messages of the type checker about each file.
    """
    probes = {name: probe_of(data, entries.get(name, [])) for name, data in files.items()}
    return {name: probe for name, probe in probes.items() if probe.asked}


async def _run_ty(
    ty: str, folder: Path, python: Path, names: Iterable[str]
) -> dict[str, list[dict[str, Any]]]:
    """Returns the messages of ty about files in a folder, by the names of the files.

    Raises:
        QmError: 503 checker_missing, 504 check_timeout.
    """
    command = [
        *(ty, "check", "--output-format=gitlab"),
        *(f"--project={folder}", f"--python={python}", "--"),
    ]
    try:
        done = await run([*command, *names], b"", folder=folder, timeout_s=_TIMEOUT_S)
    except TimeoutError:
        raise _timed_out("ty", _TIMEOUT_S) from None
    try:
        entries = cast("list[dict[str, Any]]", json.loads(done.out))
    except ValueError:
        raise QmError(
            503,
            "checker_missing",
            "ty stopped without a result.",
            "To see the cause, run ty on one of the files.",
        ) from None
    by_name: dict[str, list[dict[str, Any]]] = {}
    for entry in entries:
        by_name.setdefault(entry["location"]["path"], []).append(entry)
    return by_name


def _timed_out(what: str, seconds: float) -> QmError:
    message = f"{what} did not finish within {seconds:.0f} s."
    return QmError(504, "check_timeout", message, "Check fewer files.")


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    for name, data in files.items():
        folder.joinpath(name).parent.mkdir(parents=True, exist_ok=True)
        folder.joinpath(name).write_bytes(data)


def _place(path: str, root: Path) -> str:
    """Returns the path of the copy of a file. The copies keep their relative places, so that they
    can import each other.
    """
    return Path(normpath(Path(path).absolute())).relative_to(root).as_posix()


def _top_of(paths: Iterable[str]) -> Path:
    """Returns the folder from which the files are imported: the deepest common folder that is not
    inside a package.
    """
    folders = [Path(normpath(Path(path).absolute())).parent for path in paths]
    root = Path(commonpath(folders)) if folders else Path()
    while (root / "__init__.py").exists():
        root = root.parent
    return root


def root_of(paths: Iterable[str]) -> Path:
    """Returns the project folder of the files. If all files are in the current folder, it is the
    current folder.
    """
    top, here = _top_of(paths), Path.cwd()
    if top.is_relative_to(here):
        return here
    places = (top, *top.parents)
    return next((each for each in places if any((each / mark).exists() for mark in _MARKS)), top)


def _siblings(
    files: Mapping[str, bytes], root: Path
) -> tuple[dict[str, bytes], dict[str, PurePosixPath]]:
    """Returns the modules of the project that files import, directly or indirectly.

    Returns:
        The content of each module by its path, and the paths of modules that are too large, by the
        imported name.
    """
    known = {_place(path, root): data for path, data in files.items()}
    too_large: dict[str, PurePosixPath] = {}
    waiting = list(known)
    while waiting and len(known) < len(files) + _MOST_MODULES:
        importer = waiting.pop()
        for name, path in _modules_near(importer, known[importer], root):
            place = path.relative_to(root).as_posix()
            if place not in known and is_plain(path, root) and path.is_file():
                with path.open("rb") as file:
                    data = file.read(_LARGEST_MODULE + 1)
                if len(data) <= _LARGEST_MODULE:
                    known[place] = data
                    waiting.append(place)
                else:
                    too_large[name] = PurePosixPath(place)
    return known, too_large


def _modules_near(importer: str, data: bytes, root: Path) -> Iterator[tuple[str, Path]]:
    """Yields the modules that a file imports, each with the path that it would have in the
    project.
    """
    try:
        tree = ast.parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    here = (root / importer).parent
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            dotted = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = f"{node.module}." if node.module else ""
            dotted = [f"{base}{alias.name}" for alias in node.names]
        else:
            continue
        level = node.level if isinstance(node, ast.ImportFrom) else 0
        places = [here, root, root / "src"] if level == 0 else [(here, *here.parents)[level - 1]]
        for place in places:
            if place.is_relative_to(root):
                for each in dotted:
                    for name, path in _files_behind(place, each.split(".")):
                        yield "." * level + name, path


def _files_behind(place: Path, parts: Sequence[str]) -> Iterator[tuple[str, Path]]:
    """Yields the files that Python may read to import a dotted name, each with the name of its
    module.
    """
    for number, part in enumerate(parts, 1):
        if part == "*":
            return
        name = ".".join(parts[:number])
        yield from ((name, place / f"{part}{suffix}") for suffix in (".py", ".pyi"))
        place = place / part
        yield from ((name, place / f"__init__{suffix}") for suffix in (".py", ".pyi"))


def _understood(path: str, entry: dict[str, Any]) -> Mistake | None:
    text = str(entry["description"])
    line, column, _, _ = place_of(entry)
    if found := _MODULE.search(text) or _OBJECT.search(text):
        owner = _bare(found[1])
        return Mistake(path, line, column, "attribute", found[2], owner) if owner else None
    if found := _KEYWORD.search(text):
        return _keyword(path, line, column, found[1], found[2] or "")
    return None


def _keyword(path: str, line: int, column: int, name: str, owner: str) -> Mistake:
    return Mistake(path, line, column, "keyword", name, owner.removesuffix(".__init__"))


def _bare(owner: str) -> str:
    """Returns the class name from a type in a message of ty. For a union, returns the first class
    that is not `None`. Returns an empty string for other types.

    A variable that is first `None` usually gets another value later. Without annotations, a checker
    cannot see this, so `None` is ignored.
    """
    first = next((each for each in owner.split(" | ") if each != "None"), "")
    name = first.removeprefix("type[").rstrip("]").partition("[")[0]
    return name if re.fullmatch(r"[\w.]+", name) else ""


def _attributes(path: str, tree: ast.Module, imports: Imports) -> Iterator[Attribute]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            target = imports.path_of(node.value)
            if target is not None and f"{target}.{node.attr}" not in imports.paths:
                yield Attribute(path, node.lineno, node.col_offset + 1, node.attr, target)


def _module_members(attributes: Iterable[Attribute], members: Members) -> Iterator[Mistake]:
    """Yields missing attributes of imported modules that the type checker accepts, for example
    because of ``__getattr__``.
    """
    for each in attributes:
        rows = members((each.target.split(".")[0],), each.target)
        is_module = any(row["path"] == each.target and row["kind"] == "module" for row in rows)
        there = each.name.startswith("__") or any(row["name"] == each.name for row in rows)
        if is_module and not there and not _is_dynamic(rows):
            place = (each.path, each.line, each.column)
            yield _ranked(Mistake(*place, "attribute", each.name, each.target), rows)


def _is_dynamic(rows: Sequence[api.ListMembersRow]) -> bool:
    """Returns whether a missing member proves nothing. This is so if too few members of the module
    are known, or if the module creates its members on demand.
    """
    return len(rows) < 4 or any(
        row["name"] == "__getattr__" and row["file"].endswith(".pyi") for row in rows
    )


def _owners(owner: str, tree: ast.Module, imports: Imports) -> list[str]:
    """Returns the name of the owner. If the program itself defines the owner as a class, returns
    the base classes of this class.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and node.name == owner:
            return [_absolute(ast.unparse(base), imports) for base in node.bases]
    return [_absolute(owner, imports)] if owner else []


def _absolute(name: str, imports: Imports) -> str:
    first, dot, rest = name.partition(".")
    return f"{imports.names.get(first, first)}{dot}{rest}"


def _with_nearest(
    message: Mistake, modules: tuple[str, ...], owners: Sequence[str], members: Members
) -> Mistake:
    rows = [row for owner in owners for row in members(modules, owner)]
    if not rows:
        rows = [row for owner in owners for row in members(modules, owner.rpartition(".")[2])]
    return _ranked(message, rows)


def _ranked(message: Mistake, rows: Sequence[api.ListMembersRow]) -> Mistake:
    choices: list[Mapping[str, Any]]
    if message.kind == "keyword":
        itself = [
            row
            for row in rows
            if row["path"] == message.owner or row["path"].endswith(f".{message.owner}")
        ]
        choices = [{**row, "name": name} for row in itself[:1] for name in row["parameters"]]
    else:
        choices = [row for row in rows if row["name"] != message.owner.rpartition(".")[2]]
    ranked = sorted(
        ((_likeness(message.name, row), row) for row in choices), key=lambda each: -each[0]
    )
    nearest = tuple(
        {key: row[key] for key in ("name", "signature", "file", "line")}
        for likeness, row in ranked[:_MAX_SUGGESTIONS]
        if likeness >= _LEAST_LIKENESS
    )
    return replace(message, nearest=nearest, is_known=bool(choices))


def _likeness(wrong: str, row: Mapping[str, Any]) -> float:
    """Returns how similar a wrong name is to the name of a member. Private and deprecated members
    get a lower value.
    """
    right = str(row["name"])
    letters = SequenceMatcher(
        None, wrong.lower()[:_LONGEST_NAME], right.lower(), autojunk=False
    ).ratio()
    said, there = set(name_words(wrong).split()), set(name_words(right).split())
    words = len(said & there) / max(len(said | there), 1)
    is_private = right.startswith("_") and not wrong.startswith("_")
    return letters + 0.5 * words - _RANKED_LOWER * (is_private + bool(row["deprecated"]))
