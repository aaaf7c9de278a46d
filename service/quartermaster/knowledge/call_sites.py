"""Finds names, attributes and keywords that the installed packages do not have.

A type checker (ty) finds them, from copies of the files, in a folder without settings; nothing of
the project runs. The table of symbols then says what is really there.
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
from typing import Any, Final, cast

from quartermaster.core.errors import QmError
from quartermaster.core.scratch import Scratch
from quartermaster.knowledge.environment import is_plain
from quartermaster.knowledge.imports import Imports, imports_of
from quartermaster.knowledge.overloads import Probe, place_of, probe_of
from quartermaster.knowledge.signatures import shortened_around
from quartermaster.knowledge.words import UNSTORABLE, name_words
from quartermaster.projects.threads import run_sync
from quartermaster.quality.scanners.programs import how_to_install, program, run

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
_NEAREST: Final = 3
_LEAST_LIKENESS: Final = 0.6
_RANKED_LOWER: Final = 0.3

Members = Callable[[tuple[str, ...], str], list[dict[str, Any]]]


@dataclass(frozen=True)
class Mistake:
    """Something that does not exist.

    Attributes:
        path: file as it was given.
        line, column: where the name stands, counted from 1.
        kind: attribute or keyword.
        name: what does not exist.
        owner: what does not have it.
        nearest: what is there instead, the most similar first: name, signature, file and line.
        is_known: whether what the owner has is known, so that the mistake is certain even if
            nothing that it has is similar.
    """

    path: str
    line: int
    column: int
    kind: str
    name: str
    owner: str
    nearest: tuple[dict[str, Any], ...] = field(default=())
    is_known: bool = False


@dataclass(frozen=True)
class Checked:
    """What a check found, and what it could not check.

    Attributes:
        mistakes: what does not exist, in order.
        unparsed: why a file was not checked, by its path.
        missing: modules that are imported and not installed: nothing of them was checked.
        unread: further modules that were not found, such as compiled ones.
        too_large: files of imported modules of the project that were too large to be read.
    """

    mistakes: tuple[Mistake, ...]
    unparsed: Mapping[str, str] = field(default_factory=dict[str, str])
    missing: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    too_large: tuple[str, ...] = ()


def told(each: Mistake) -> str:
    """A mistake in words, with the nearest that exists."""
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
    """Check files against the packages of an environment.

    Args:
        files: bytes of each file by its path.
        python: the environment.
        members: function that takes imported modules and an owner, and lists what the owner has.
        root: folder of the project: modules in it that the files import are read, too. None: the
            files can import only each other.

    Raises:
        QmError: 503 checker_missing, 504 check_timeout.
    """
    known = cache(members)
    compared = time.monotonic()

    def remembered(modules: tuple[str, ...], owner: str) -> list[dict[str, Any]]:
        if time.monotonic() - compared > _COMPARED_S:
            raise _timed_out("The comparison with the installed packages", _COMPARED_S)
        return known(modules, owner)

    trees: dict[str, ast.Module] = {}
    unparsed: dict[str, str] = {}
    for path, data in files.items():
        if UNSTORABLE.search(path):
            unparsed[path] = "its name is not valid Unicode"
            continue
        if PurePosixPath(path).suffix not in _SUFFIXES:
            # Beside the others, a file such as ty.toml would be the settings of the checker.
            unparsed[path] = "not Python"
            continue
        try:
            trees[path] = ast.parse(data)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            line = getattr(error, "lineno", None) or 1
            why = getattr(error, "msg", None) or str(error) or "it is nested too deeply"
            unparsed[path] = f"cannot be parsed at line {line}: {why}"
    parsed = {path: files[path] for path in trees}
    tops = sorted({top for tree in trees.values() for top in imports_of(tree).modules})
    siblings, too_large = ({}, {}) if root is None else _siblings(parsed, root)
    told, not_found, absent = await _diagnosed(parsed, siblings, tops, python, root)
    mistakes = await run_sync(_understand_all, trees, told, remembered)
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


def _understand_all(
    trees: Mapping[str, ast.Module],
    told: Sequence[Mistake],
    members: Members,
) -> list[Mistake]:
    found: list[Mistake] = []
    for mistake in told:
        imports = imports_of(trees[mistake.path])
        owners = _owners(mistake.owner, trees[mistake.path], imports)
        found.append(_with_nearest(mistake, tuple(sorted(imports.modules)), owners, members))
    seen = {(each.path, each.line, each.name) for each in found}
    for path, tree in trees.items():
        found.extend(
            mistake
            for mistake in _module_members(path, tree, members)
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
    """What ty finds in each file, the modules that it did not find, and which of `tops` are absent.

    One more file imports every top-level module, because of a module inside a package ty does not
    say whether the package itself is there.
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
        probes = await run_sync(_probes, names, copies, entries)
        _write(Path(folder), {name: probe.data for name, probe in probes.items()})
        try:
            answers = await _run_ty(ty, Path(folder), python, probes) if probes else {}
        except QmError:  # what was found first holds without it
            answers = {}
    not_found: set[str] = set()
    absent: set[str] = set()
    for place, told in entries.items():
        for entry in told:
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


def _probes(
    names: Iterable[str],
    copies: Mapping[str, bytes],
    entries: Mapping[str, list[dict[str, Any]]],
) -> dict[str, Probe]:
    """The files that ask about keywords of calls that fit no overload, by their names."""
    probes = {name: probe_of(copies[name], entries.get(name, [])) for name in names}
    return {name: probe for name, probe in probes.items() if probe.asked}


async def _run_ty(
    ty: str, folder: Path, python: Path, names: Iterable[str]
) -> dict[str, list[dict[str, Any]]]:
    """What ty says of files in a folder, by their names.

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
    told = f"{what} did not finish within {seconds:.0f} s."
    return QmError(504, "check_timeout", told, "Check fewer files.")


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    for name, data in files.items():
        folder.joinpath(name).parent.mkdir(parents=True, exist_ok=True)
        folder.joinpath(name).write_bytes(data)


def _place(path: str, root: Path) -> str:
    """Where a file is copied: as they lie to each other, so that they can import each other."""
    return Path(normpath(Path(path).absolute())).relative_to(root).as_posix()


def _top_of(paths: Iterable[str]) -> Path:
    """The folder from which files are imported."""
    folders = [Path(normpath(Path(path).absolute())).parent for path in paths]
    root = Path(commonpath(folders)) if folders else Path()
    while (root / "__init__.py").exists():
        root = root.parent
    return root


def root_of(paths: Iterable[str]) -> Path:
    """The folder of the project that files belong to: the current folder, if all are in it."""
    top, here = _top_of(paths), Path.cwd()
    if top.is_relative_to(here):
        return here
    places = (top, *top.parents)
    return next((each for each in places if any((each / mark).exists() for mark in _MARKS)), top)


def _siblings(
    files: Mapping[str, bytes], root: Path
) -> tuple[dict[str, bytes], dict[str, PurePosixPath]]:
    """The modules of the project that files import, directly or not.

    Returns:
        Bytes by place, and the places of what was too large to be read, by the imported name.
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
    """The modules that a file imports, and where they would lie in its project."""
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
    """The files that Python reads to import a dotted name, with the names of their modules."""
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
    """The name of a class in a printed type, the first of a union; empty for other types.

    What is None at first is often something else later, which a checker cannot see without types.
    """
    first = next((each for each in owner.split(" | ") if each != "None"), "")
    name = re.sub(r"\[.*\]$", "", first.removeprefix("type[").rstrip("]"))
    return name if re.fullmatch(r"[\w.]+", name) else ""


def _module_members(path: str, tree: ast.Module, members: Members) -> Iterator[Mistake]:
    """Attributes of imported modules that a type checker lets pass, as ``__getattr__`` does."""
    imports = imports_of(tree)
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute) or not isinstance(node.ctx, ast.Load):
            continue
        target = imports.path_of(node.value)
        if target is None:
            continue
        rows = members((target.split(".")[0],), target)
        is_module = any(row["path"] == target and row["kind"] == "module" for row in rows)
        there = (
            any(row["name"] == node.attr for row in rows)
            or f"{target}.{node.attr}" in imports.paths
        )
        if is_module and not there and not node.attr.startswith("__") and not _is_dynamic(rows):
            told = Mistake(path, node.lineno, node.col_offset + 1, "attribute", node.attr, target)
            yield _ranked(told, rows)


def _is_dynamic(rows: Sequence[dict[str, Any]]) -> bool:
    """Whether too little of a module is known, or it makes its members when they are asked for."""
    return len(rows) < 4 or any(
        row["name"] == "__getattr__" and row["file"].endswith(".pyi") for row in rows
    )


def _owners(owner: str, tree: ast.Module, imports: Imports) -> list[str]:
    """The owner, or the bases of a class that the program itself defines."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and node.name == owner:
            return [_absolute(ast.unparse(base), imports) for base in node.bases]
    return [_absolute(owner, imports)] if owner else []


def _absolute(name: str, imports: Imports) -> str:
    first, dot, rest = name.partition(".")
    return f"{imports.names.get(first, first)}{dot}{rest}"


def _with_nearest(
    told: Mistake, modules: tuple[str, ...], owners: Sequence[str], members: Members
) -> Mistake:
    rows = [row for owner in owners for row in members(modules, owner)]
    if not rows:
        rows = [row for owner in owners for row in members(modules, owner.rpartition(".")[2])]
    return _ranked(told, rows)


def _ranked(told: Mistake, rows: Sequence[dict[str, Any]]) -> Mistake:
    if told.kind == "keyword":
        itself = [
            row
            for row in rows
            if row["path"] == told.owner or row["path"].endswith(f".{told.owner}")
        ]
        choices = [{**row, "name": name} for row in itself[:1] for name in row["parameters"]]
    else:
        choices = [row for row in rows if row["name"] != told.owner.rpartition(".")[2]]
    ranked = sorted(
        ((_likeness(told.name, row), row) for row in choices), key=lambda each: -each[0]
    )
    nearest = tuple(
        {key: row[key] for key in ("name", "signature", "file", "line")}
        for likeness, row in ranked[:_NEAREST]
        if likeness >= _LEAST_LIKENESS
    )
    return replace(told, nearest=nearest, is_known=bool(choices))


def _likeness(wrong: str, row: Mapping[str, Any]) -> float:
    """How similar a name is to that of a member; what is private or deprecated counts less."""
    right = str(row["name"])
    letters = SequenceMatcher(None, wrong.lower(), right.lower(), autojunk=False).ratio()
    said, there = set(name_words(wrong).split()), set(name_words(right).split())
    words = len(said & there) / max(len(said | there), 1)
    is_private = right.startswith("_") and not wrong.startswith("_")
    return letters + 0.5 * words - _RANKED_LOWER * (is_private + bool(row["deprecated"]))
