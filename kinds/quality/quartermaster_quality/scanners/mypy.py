"""Runs mypy, which checks types. It runs in a worker that keeps the project's types in memory, as
dmypy does.

Mypy reads only the mirror: copies of Python files and of packages. The mirror contains no settings
and no comments that hide findings, and no plugins are loaded, so the project cannot influence the
check. No code of the project's environment runs.
"""

from __future__ import annotations

import ast
import os
import re
import site
import sys
import sysconfig
import tempfile
from dataclasses import replace
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, Final, cast

import mypy
from mypy import modulefinder
from mypy.dmypy_server import Server
from mypy.main import process_options

from quartermaster.core.findings import Finding, Scan, Severity, Status
from quartermaster_quality.scanners.interface import ScanOptions, SourceFile, UnreadableError
from quartermaster_quality.scanners.suppressions import (
    MOST_UNREAD,
    NO_TYPE_CHECK,
    UNNAMED_WORD,
    renamed,
)

_LINE: Final = re.compile(
    r"^(?P<path>[^:\n]+):(?P<line>\d+)(?::(?P<column>\d+)(?::(?P<end>\d+):\d+)?)?: error: "
    r"(?P<message>.*?)"
    r"(?:  \[(?P<code>[a-z0-9-]+)\])?$"
)
_IGNORED_PATTERN: Final = re.compile(r"#\s*type\s*:\s*ignore")
_NAME: Final = re.compile(r'(?:has no attribute|Unexpected keyword argument) "(\w+)"')
_UNKNOWN_MODULES: Final = frozenset({"import-not-found", "import-untyped", "import"})
_SERIOUS_CODES: Final = frozenset({"attr-defined", "call-arg", "name-defined", "syntax"})

# One project a worker: what mypy remembers belongs to it.
_servers: dict[tuple[Path, Path | None, str], Server] = {}
# The files that it was asked about: mypy forgets what none of the files that it is given imports.
_asked: list[str] = []
_imports: dict[str, list[str]] = {}
_MOST_ASKED: Final = 300
_IMPORT: Final = re.compile(r"^[ \t\f]*(?:from|import)\s.*$", re.MULTILINE)
_CHECKED_STATUSES: Final = frozenset({0, 1})


def examine(source: SourceFile, settings: ScanOptions) -> Scan:
    """Checks the types of a file with mypy."""
    if settings.mirror is None:
        reason = "mypy needs the project's other files. Add the project: `qm project add`."
        return Scan("mypy", "", Status.SKIPPED, reason)
    lines = source.text().split("\n")
    os.chdir(settings.mirror)
    known = (settings.mirror, settings.environment, settings.python_version)
    answer = _checked(known, source.path, settings.together)
    findings: list[Finding] = []
    unknown: list[str] = []
    unreached: list[tuple[int, int]] = []
    for line in str(answer["out"]).splitlines():
        match = _LINE.match(line)
        code = (match["code"] or "misc") if match else ""
        if match and code == "syntax":
            is_own = match["path"] == source.path
            what = f"line {match['line']}" if is_own else f"{match['path']}, which is imported here"
            reason = f"mypy cannot parse {what}. Correct it first."
            return Scan("mypy", "", Status.ERROR, reason)
        if match is None or match["path"] != source.path:
            continue
        if code in _UNKNOWN_MODULES:
            if not _IGNORED_PATTERN.search(lines[int(match["line"]) - 1]):
                unknown.append(match["message"].partition('"')[2].partition('"')[0])
        elif code == "unreachable":
            unreached.append((int(match["line"]), int(match["column"] or 1) - 1))
        else:
            findings.append(_finding(match, code))
    if int(str(answer["status"])) not in _CHECKED_STATUSES or answer.get("err"):
        reason = "mypy stopped before it had checked the file. Check the file with mypy itself."
        return Scan("mypy", "", Status.ERROR, reason)
    hidden = _hidden(source, unreached)
    share = round(len({row for each in hidden for row in each}) / len(lines), 3)
    findings += (_unread(rows, is_word=share > MOST_UNREAD) for rows in hidden)
    scan = _with_gaps(tuple(findings), unknown, settings.environment)
    if share > MOST_UNREAD and scan.status is Status.OK:
        reason = f"mypy takes {share:.0%} of the lines for unreachable, and has not checked them."
        return replace(scan, status=Status.DEGRADED, reason=reason)
    return scan


def _hidden(source: SourceFile, places: list[tuple[int, int]]) -> list[range]:
    """Returns the ranges of lines that mypy considers unreachable. Mypy reports only the first line
    of a range; the range ends with its block.
    """
    if not places:
        return []
    ends: dict[tuple[int, int], int] = {}
    for node in ast.walk(ast.parse(source.text())):
        for block in (getattr(node, name, None) for name in ("body", "orelse", "finalbody")):
            if isinstance(block, list):
                each = cast("list[ast.stmt]", block)
                ends |= {(n.lineno, n.col_offset): each[-1].end_lineno or n.lineno for n in each}
    return [range(place[0], ends.get(place, place[0]) + 1) for place in places]


def _unread(rows: range, *, is_word: bool) -> Finding:
    """Returns a hint about lines that mypy considers unreachable. The hint has the rule ``unread``
    if mypy considers a large part of the file unreachable, else ``unreachable``.
    """
    begin, end = rows[0], rows[-1]
    return Finding(
        "unread" if is_word else "unreachable",
        f"mypy takes lines {begin} to {end} for unreachable, and does not check them.",
        begin,
        Severity.LOW,
        end_line=end,
        remedy="Remove what makes them unreachable, or remove them.",
        is_hint=True,
        name="unreachable",
    )


def _checked(
    known: tuple[Path, Path | None, str], path: str, together: tuple[str, ...]
) -> dict[str, Any]:
    if set(together) - {*_asked, path}:
        # To read all of them at once takes seconds; to add each to what is known may take minutes.
        _servers.clear()
    server = _server(*known)
    _asked[:] = _asked or together
    others = [other for other in _asked if other != path and Path(other).is_file()]
    _asked[:] = [*others[1 - _MOST_ASKED :], path]
    imports = _IMPORT.findall(Path(path).read_text(encoding="utf-8", errors="replace"))
    try:
        answer = server.cmd_check(list(_asked), False, False, 1000)
        if _imports.get(path) != imports:
            # If a module that is new to mypy cannot be parsed, it says so the second time only.
            answer = server.cmd_check(list(_asked), False, False, 1000)
    except Exception:  # noqa: BLE001 - what it remembers of the project may confuse mypy
        answer = None
    if answer is None or (others and _blocked(answer, path)):
        # Another file is in the way, and nothing was checked. It need not be one that is imported.
        _servers.clear()
        if together:
            raise UnreadableError("mypy stopped before it had checked a change with this file.")
        server = _server(*known)
        _asked.append(path)
        answer = server.cmd_check([path], False, False, 1000)
    _imports[path] = imports
    return cast("dict[str, Any]", answer)


def _blocked(answer: dict[str, Any], path: str) -> bool:
    """Returns whether an error in another file prevented mypy from checking any file."""
    if int(str(answer["status"])) not in _CHECKED_STATUSES:
        return True
    matches = map(_LINE.match, str(answer["out"]).splitlines())
    return any(match and match["code"] == "syntax" and match["path"] != path for match in matches)


def _with_gaps(findings: tuple[Finding, ...], unknown: list[str], environment: Path | None) -> Scan:
    if unknown:
        names = ", ".join(sorted({name for name in unknown if name}))
        reason = (
            f"mypy does not know the types of {names}. The project has no environment. Install its "
            "packages in .venv below its root, or name another: qm docs index --project."
            if environment is None
            else f"mypy does not know the types of {names}. Install the packages and their types "
            "in the project's environment."
        )
        return Scan("mypy", "", Status.DEGRADED, reason, findings)
    return Scan("mypy", "", Status.OK, findings=findings)


def _finding(match: re.Match[str], code: str) -> Finding:
    name = _NAME.search(match["message"])
    return Finding(
        code,
        match["message"].replace(UNNAMED_WORD, NO_TYPE_CHECK),
        int(match["line"]),
        Severity.HIGH if code in _SERIOUS_CODES else Severity.MEDIUM,
        column=max(0, int(match["column"] or 1) - 1),
        end_line=int(match["end"]) if match["end"] else None,
        name=name[1] if name else "",
    )


def _server(mirror: Path, environment: Path | None, python_version: str) -> Server:
    key = (mirror, environment, python_version)
    if key not in _servers:
        _servers.clear()
        _asked.clear()
        _imports.clear()
        _use_packages_of(environment)
        folders = [mirror, *(mirror / name for name in ("src", "service", "lib"))]
        options = process_options(
            [
                "--config-file=",
                "--no-error-summary",
                "--show-column-numbers",
                "--show-error-end",
                "--hide-error-context",
                "--check-untyped-defs",
                "--warn-unreachable",
                "--namespace-packages",
                "--explicit-package-bases",
                f"--python-version={python_version}",
            ],
            require_targets=False,
            server_options=True,
        )[1]
        options.mypy_path = [str(folder) for folder in folders if folder.is_dir()]
        options.python_executable = sys.executable
        options.plugins = []
        options.custom_typeshed_dir = options.abs_custom_typeshed_dir = _stubs().name
        _servers[key] = Server(options, os.devnull + ".none")
    return _servers[key]


@cache
def _stubs() -> tempfile.TemporaryDirectory[str]:
    """Returns a folder with mypy's stubs of the standard library, in which `no_type_check` is
    renamed.

    Mypy skips everything with the decorator `no_type_check`, even if it is imported under an alias.
    The mirror uses the new name, which mypy treats like any other decorator.
    """
    own = Path(mypy.__file__).parent / "typeshed"
    made = tempfile.TemporaryDirectory(prefix="typeshed-")
    folder = Path(made.name)
    (folder / "stdlib").mkdir()
    (folder / "stubs").symlink_to(own / "stubs")
    for entry in (own / "stdlib").iterdir():
        copy = folder / "stdlib" / entry.name
        if entry.name in {"typing.pyi", "typing_extensions.pyi"}:
            copy.write_bytes(renamed(entry.read_bytes()))
        else:
            copy.symlink_to(entry)
    return made


def _use_packages_of(environment: Path | None) -> None:
    """Makes mypy search an environment for packages without running that environment's Python."""
    forms = ("lib/python3*/site-packages", "Lib/site-packages")
    packages = [sorted(environment.glob(form)) for form in forms] if environment else []
    found = [str(folder) for folder in chain(*packages)]
    before = sys.path, site.getsitepackages, site.ENABLE_USER_SITE
    cast("Any", modulefinder.get_search_dirs).cache_clear()
    sys.path = ["", sysconfig.get_path("stdlib")]

    site.getsitepackages = lambda _prefixes=None: found
    site.ENABLE_USER_SITE = False
    try:
        # The answer is remembered for this interpreter.
        modulefinder.get_search_dirs(sys.executable)
    finally:
        sys.path, site.getsitepackages, site.ENABLE_USER_SITE = before
