"""Projects and requests that cost much: each family is a folder and the calls about it."""

from __future__ import annotations

import os
import sqlite3
import subprocess
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

PROJECT: Final = "mire"
LIBRARY: Final = "anyio"
"""The library that the lookups ask about. It is indexed before they begin."""
_EMPTY_MODULE: Final = '"""Nothing."""\n'
_NASTY_TEXT: Final = "a" * 200 + "\u202e\0\\'\"%_(*|&!:<->" * 20 + "\U0001f469\u200d" * 100


def _nothing(_root: Path) -> None:
    """The family needs no more than the file of every project."""


def _no_text(_number: int) -> dict[str, str]:
    return {}


@dataclass(frozen=True)
class Family:
    """One kind of request that costs much.

    Attributes:
        name: what is hostile.
        tool: the tool that is called.
        arguments: of each call; ``{n}`` becomes a number.
        build: writes what the calls are about into a repository with a commit.
        texts: what is written before a call, by its number: paths with contents that differ, so
            that no answer is known already.
    """

    name: str
    tool: str
    arguments: Mapping[str, Any]
    build: Callable[[Path], None] = _nothing
    texts: Callable[[int], dict[str, str]] = _no_text

    def call(self, number: int) -> tuple[str, dict[str, Any]]:
        """Returns the tool of the bridge and its arguments."""
        given = {
            name: value.replace("{n}", str(number)) if isinstance(value, str) else value
            for name, value in self.arguments.items()
        }
        if self.tool == "search_tools":
            return self.tool, given
        return "call_tool", {"name": self.tool, "arguments": given}


def git(root: Path, *arguments: str, given: str = "") -> str:
    """Returns what git says in a repository."""
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    command = ["git", *who, *arguments]
    done = subprocess.run(command, cwd=root, check=True, capture_output=True, input=given.encode())
    return done.stdout.decode().strip()


def new_repository(root: Path) -> None:
    """A repository with one file and one commit."""
    root.mkdir()
    (root / "a.py").write_text(_EMPTY_MODULE)
    git(root, "init")
    commit_all(root)


def commit_all(root: Path) -> None:
    """Commits everything."""
    git(root, "add", ".")
    git(root, "commit", "-m", "change", "--allow-empty")


def end_fifos(root: Path) -> None:
    """Lets go whoever waits for a FIFO of the project."""
    for path in root.iterdir():
        if path.is_fifo():
            with suppress(OSError):
                writing = os.open(path, os.O_RDWR | os.O_NONBLOCK)
                path.unlink()
                os.close(writing)


def _tree_bomb(root: Path) -> None:
    blob = git(root, "hash-object", "-w", "--stdin", given=_EMPTY_MODULE)
    tree = git(root, "mktree", given="".join(f"100644 blob {blob}\t{n}.py\n" for n in range(10)))
    for _ in range(5):
        tree = git(root, "mktree", given="".join(f"040000 tree {tree}\t{n}\n" for n in range(10)))
    commit = git(root, "commit-tree", tree, "-m", "many")
    git(root, "update-ref", "HEAD", commit)


def _fifo(root: Path) -> None:
    os.mkfifo(root / ".gitignore")


def _reversed_lines(root: Path) -> None:
    lines = [f"x{number} = {number}\n" for number in range(800)]
    (root / "order.py").write_text(_EMPTY_MODULE + "".join(lines))
    commit_all(root)


def _coverage(root: Path) -> None:
    with sqlite3.connect(root / ".coverage") as data:
        data.executescript(
            "create table coverage_schema (version integer);"
            "insert into coverage_schema values (7);"
            "create table meta (key text, value text);"
            "create table file (id integer primary key, path text);"
            "create table context (id integer primary key, context text);"
            "create view line_bits as with recursive n(i) as"
            " (select 1 union all select i + 1 from n) select i as file_id, i as context_id,"
            " x'ff' as numbits from n;"
        )


def _importers(root: Path) -> None:
    for number in range(2_000):
        names = ", ".join(f"m{(number * 7 + step) % 2_000}" for step in range(1, 20))
        (root / f"m{number}.py").write_text(f"import a, {names}\n\n\nprint(a)\n")


def _slow_file(number: int) -> dict[str, str]:
    steps = "".join(
        f"    v{n} = v{n - 1} + request.args['k{n}'] if v{n - 1} else [v0 for _ in v{n - 1}]\n"
        for n in range(1, 3_000)
    )
    return {f"slow{number % 40}.py": f"def f(request, v0):\n{steps}    return v2999  # {number}\n"}


_GATE: Final = "quality__tapps_quality_gate"
_PROJECT_ARGUMENT: Final = {"project": f"local/{PROJECT}"}
FAMILIES: Final = (
    Family(
        "git tree", _GATE, {"file_path": "a.py", "new_code": True, **_PROJECT_ARGUMENT}, _tree_bomb
    ),
    Family("FIFO", _GATE, {"file_path": "a.py", "new_code": True, **_PROJECT_ARGUMENT}, _fifo),
    Family(
        "go.mod",
        "quality__tapps_project_profile",
        _PROJECT_ARGUMENT,
        texts=lambda n: {"go.mod": "\n" * 16_000 + f"// {n}"},
    ),
    Family(
        "Dockerfile",
        "quality__tapps_validate_config",
        {"file_path": "Dockerfile", **_PROJECT_ARGUMENT},
        texts=lambda n: {"Dockerfile": f"FROM a:{n}\nRUN " + "curl " * 12_000 + "\n"},
    ),
    Family(
        "Compose",
        "quality__tapps_validate_config",
        {"file_path": "compose.yaml", **_PROJECT_ARGUMENT},
        texts=lambda n: {"compose.yaml": f"services:\n  a{n}:\n    x: " + "1:" * 8_000 + "1\n"},
    ),
    Family(
        "difference",
        _GATE,
        {"file_path": "order.py", "new_code": True, **_PROJECT_ARGUMENT},
        _reversed_lines,
        lambda n: {
            "order.py": f'"""{n}"""\n'
            + "".join(f"x{number} = {number}\n" for number in reversed(range(800)))
        },
    ),
    Family(
        "slow file",
        "quality__tapps_security_scan",
        {"file_path": "slow0.py", **_PROJECT_ARGUMENT},
        texts=_slow_file,
    ),
    Family(
        "coverage",
        _GATE,
        {"file_path": "covered.py", **_PROJECT_ARGUMENT},
        _coverage,
        lambda n: {"covered.py": f'"""{n}"""\n'},
    ),
    Family(
        "impact",
        "quality__tapps_impact_analysis",
        {"file_path": "a.py", **_PROJECT_ARGUMENT},
        _importers,
        lambda n: {f"m{n % 2_000}.py": f"import a\n\nprint(a, {n})\n"},
    ),
    Family(
        "lookups",
        "knowledge__tapps_lookup_docs",
        {
            "library": LIBRARY,
            "topic": "{n} " + _NASTY_TEXT[:900].replace("\0", ""),
            **_PROJECT_ARGUMENT,
        },
    ),
    Family("searches", "search_tools", {"query": "{n} " + _NASTY_TEXT.replace("\0", "")}),
)
"""All families, by what is hostile."""
