"""Every command with a table, in a terminal of 80 columns and in a pipe, as files in `golden/`."""

from __future__ import annotations

import ast
import functools
import inspect
import json
import os
import re
import time
from collections.abc import Generator, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import pytest
import typer
from rich.cells import cell_len
from typer.core import TyperGroup

from quartermaster.cli import output
from quartermaster.cli.app import app, register
from quartermaster.upstream.confinement import Confinement
from tests.support.database import Database, Server, run_script

HERE = Path(__file__).parent
GOLDEN = HERE / "golden"
PRINTING = {"table", "facts", "print_table", "print_rows", "print_facts"}
# The arguments of commands that need some.
ARGUMENTS = {
    "import": "servers.json --dry-run",
    "search": "time --explain",
    "describe": "time__get_current_time",
    "origin show": "tracker",
    "tool show": "time__convert_time",
    "tool why": "time tracker__hostile",
    "tool teach": "time time__convert_time --preview",
    "tool approve": "time__convert_time --dry-run",
    "tool quarantine": "tracker__long tracker__hostile --dry-run",
    "tool deprecate": "tracker__long --dry-run",
    "tool terms": "time__get_current_time",
    "asset show": "first__greet",
    "asset approve": "memo://plan --dry-run",
    "asset quarantine": "memo://plan --dry-run",
    "asset deprecate": "memo://plan --dry-run",
    "card search": "time --kind tool",
    "card describe": "tool time__get_current_time",
    "card show": "time__convert_time",
    "card approve": "time__convert_time --dry-run",
    "card quarantine": "tracker__long --dry-run",
    "card deprecate": "tracker__long --dry-run",
    "policy diff": "1 2",
    "policy apply": "rules.yaml --dry-run",
    "policy try": "rules.yaml",
    "policy rollback": "--dry-run",
    "audit list": "--by local --limit 20",
    "lookup show": "plant 1",
    "lookup search": "plant betula",
    "lookup curations": "plant",
    "lookup suggest-aliases": "plant names.txt",
    "lookup vectors": "plant",
    "receipts list": "--limit 4",
    "receipts show": "1",
    "eval compare": "1 2",
    "snapshot diff": "before-payments odd",
    "snapshot verify": "odd",
    "job set": "tend --every 2h",
    "decisions show": "1",
    "knowledge validate": "note.md",
}
# What they print depends on measurements, a repository, this machine or a running service, or they
# change what other commands list.
ELSEWHERE = {
    *("doctor", "tool probe", "lookup tune", "job set", "knowledge add", "uninstall", "version"),
    "kind remove",
    *(f"eval {verb}" for verb in ("tune", "fit", "calibrate", "lookup", "fit-lookup", "docs")),
    *(f"eval {verb}" for verb in ("fit-docs", "experts", "fit-experts", "guardrails")),
    *("eval decisions", "eval quality"),
    *(f"decisions {verb}" for verb in ("ingest", "propose", "check", "refresh")),
}
LOCAL = {"connect", "secret list"}
# Times, versions, and the numbers of receipts and audit records, which depend on what was there.
VARYING = re.compile(
    r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d[\d:.+]*|(?<=[Rr]eceipt[ (])\d+|(?<=receipts show )\d+"
    r"|^\d{3}(?=\s)|(?<=^version           )\d\S+|(?<=^version\t)\d+\.\S+"
    r"|(?<=^postgresql        )\S+|(?<=^postgresql\t)\S+",
    re.MULTILINE,
)
NOW = "2026-11-28 12:00Z"
# The width of the longest heading, behind which a value stands in a narrow terminal.
LABELS = 20
# Diffs and commands, which people copy, are not wrapped.
FREE = re.compile(r"[-+@]|.*\bqm [a-z]")
FILES = {
    "servers.json": '{"mcpServers": {"files": {"command": "mcp-server-files", "args": ["/srv"]}}}',
    "rules.yaml": "rules:\n  - {effect: deny, subject: role:user, tools: ['time__*']}\n",
    "names.txt": "Betula pendula L.\n",
    "note.md": "---\ndomain: databases\ntitle: Rota\nversion: 1\nsource: Runbook\nverified: true\n"
    "reviewed: 2026-11-26\n---\n\nKept for 35 days.\n",
}


@pytest.fixture(scope="module")
def qm() -> Any:
    whole = typer.Typer(cls=app.info.cls, context_settings=app.info.context_settings)
    register(whole)
    return typer.main.get_command(whole)


@pytest.fixture(scope="module")
def listed(embedded_server: Server) -> Generator[Database]:
    """A database with something in each list; its clock stands still."""
    with embedded_server.clone() as database:
        with database.connect() as connection:
            run_script(connection, (HERE / "lists.sql").read_text(encoding="utf-8"))
            run_script(connection, f"alter database {database.name} set t.now = '{NOW}'")
        yield database


@pytest.fixture(autouse=True)
def place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Generator[None]:
    """A folder with the files that commands read, of a person who has no other."""
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(name).write_text(text)
    monkeypatch.setenv("QM_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("HOME", "/ada")
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    # What the sandbox is like depends on the machine.
    offered = Confinement("bwrap", "/usr/bin/bwrap", "/usr/bin/slirp4netns")
    monkeypatch.setattr("quartermaster.upstream.confinement.confinement", lambda: offered)
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "UTC")
        time.tzset()
        yield
    time.tzset()


def commands(command: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if not isinstance(command, TyperGroup):
        yield path, command
        return
    for name, below in command.commands.items():
        yield from commands(below, f"{path} {name}".strip())


@functools.cache
def printing(module: ModuleType) -> set[str]:
    """Returns the functions of a module that print a table, or call one that does."""
    calls = {
        function.name: {
            call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
            for call in ast.walk(function)
            if isinstance(call, ast.Call)
        }
        for function in ast.walk(ast.parse(inspect.getsource(module)))
        if isinstance(function, ast.FunctionDef)
    }
    found: set[str] = set()
    while more := {name for name in calls if calls[name] & (found | PRINTING)} - found:
        found |= more
    return found


def lists(qm: Any) -> list[str]:
    """Returns the commands that print a table, found in their modules."""
    functions = {path: inspect.unwrap(command.callback) for path, command in commands(qm)}
    return [
        path
        for path, function in functions.items()
        if (module := inspect.getmodule(function)) and function.__name__ in printing(module)
    ]


def printed(qm: Any, listed: Database, capsys: Any, command: str, *options: str) -> str:
    """Returns what a command prints to standard output, with one moment for all times."""
    asked = [*command.split(), *ARGUMENTS.get(command, "").split(), *options]
    with pytest.MonkeyPatch.context() as patch:
        if command not in LOCAL:
            patch.setenv("QM_DATABASE__DSN", listed.dsn)
        qm.main(asked, prog_name="qm", standalone_mode=False)
    return VARYING.sub(lambda found: "2026-01-01 00:00"[: len(found[0])], capsys.readouterr().out)


def compare(file: str, now: dict[str, str]) -> None:
    """Compares what commands print with a file, or writes the file."""
    path = GOLDEN / file
    if os.environ.get("QM_WRITE_SNAPSHOTS"):
        path.write_text("\n".join(f"$ qm {command}\n{text}" for command, text in now.items()))
    known = dict(
        section.split("\n", 1)
        for section in path.read_text().removeprefix("$ qm ").split("\n$ qm ")
    )
    assert known == now, "QM_WRITE_SNAPSHOTS=1 keeps what is new"


@pytest.mark.parametrize("width", [40, 80])
def test_a_list_fits_into_a_terminal(
    qm: Any,
    listed: Database,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    width: int,
):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setattr(output.out, "width", width)
    shown = {
        command: printed(qm, listed, capsys, command)
        for command in lists(qm)
        if command not in ELSEWHERE
    }
    if width == 80:
        compare("terminal_80.txt", shown)
    # What does not fit is a name, which people copy.
    lines = [line for text in shown.values() for line in text.splitlines() if not FREE.match(line)]
    assert [line for line in lines if cell_len(line) > width and " " in line[LABELS:]] == []


def test_a_list_in_a_pipe_has_a_line_for_each_row_and_nothing_is_cut(
    qm: Any, listed: Database, capsys: pytest.CaptureFixture[str]
):
    shown = {
        command: printed(qm, listed, capsys, command)
        for command in lists(qm)
        if command not in ELSEWHERE
    }
    assert {*ARGUMENTS, *ELSEWHERE, *LOCAL} <= {*lists(qm)}
    compare("pipe.txt", shown)
    assert "…" not in "".join(shown.values())
    assert [line for text in shown.values() for line in text.split("\n") if "\x1b" in line] == []


def test_what_a_list_shows_is_in_its_json(
    qm: Any, listed: Database, capsys: pytest.CaptureFixture[str]
):
    for command in lists(qm):
        if command in ELSEWHERE:
            continue
        document: Any = json.loads(printed(qm, listed, capsys, command, "--json"))
        shown = printed(qm, listed, capsys, command).splitlines()
        if isinstance(document, list):
            count = len(cast("list[object]", document))
            assert len(shown) >= count, command
            values = json.dumps(document, ensure_ascii=False)
            names = [line.partition("\t")[0] for line in shown[len(shown) - count :]]
            assert [name for name in names if name not in values] == [], command
