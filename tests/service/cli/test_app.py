"""``qm`` itself: its help, the names of release 0.1, and an interruption at any moment."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest
import typer
from rich.cells import cell_len
from typer.core import TyperGroup
from typer.testing import CliRunner

from quartermaster import __version__
from quartermaster.cli.app import COMMANDS, app, register
from quartermaster.cli.noun import OF_KINDS
from quartermaster.core.errors import QmError
from quartermaster.core.kind_packages import COMMANDS as COMMANDS_GROUP
from quartermaster.core.kind_packages import COMMANDS_HELP, MORE_COMMANDS, entries
from quartermaster.install.apply import git_sha
from tests.support.database import ROOT, Database
from tests.support.forks import forked_qm
from tests.support.instance import QM, environment_of_commands

# They start something, or print or write a text that is the answer itself.
_NO_JSON = {
    *("up", "psql", "dsn", "reference", "bundle", "stdio", "origin login"),
    *("audit export", "eval export-golden", "eval export-tools"),
}
# Each takes a large part of a second to import.
_LARGE = {
    "asyncpg",
    "mcp",
    "mcp_types",
    "numpy",
    "onnxruntime",
    "quartermaster.service",
    "sqlalchemy",
}


@pytest.fixture(scope="module")
def qm() -> typer.Typer:
    whole = typer.Typer(cls=app.info.cls, context_settings=app.info.context_settings)
    register(whole)
    return whole


def _qm(typed: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*forked_qm(), *typed.split()],
        env=environment_of_commands(),
        capture_output=True,
        text=True,
    )


def commands(command: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if not isinstance(command, TyperGroup):
        yield path, command
        return
    for name, below in command.commands.items():
        yield from commands(below, f"{path} {name}".strip())


def test_help_lists_the_first_steps_first(qm: typer.Typer):
    shown = CliRunner().invoke(qm, ["--help"], env={"COLUMNS": "100"}).stdout

    assert all(heading in shown for heading in COMMANDS)
    places = [shown.index(f"│ {name} ") for names in COMMANDS.values() for name in names]
    assert places == sorted(places)


def test_help_shows_what_the_commands_say_about_themselves(qm: typer.Typer):
    outlined = typer.Typer(cls=app.info.cls)
    register(outlined, outlined=True)

    report, full = (typer.main.get_command(each) for each in (outlined, qm))
    assert isinstance(report, TyperGroup)
    assert isinstance(full, TyperGroup)
    context: Any = None
    assert report.list_commands(context) == full.list_commands(context)
    for name, command in full.commands.items():
        assert command.help is not None
        assert report.commands[name].help == " ".join(command.help.split("\n\n")[0].split())


def test_every_command_and_option_is_explained_and_prints_json(qm: typer.Typer):
    found = dict(commands(typer.main.get_command(qm)))

    options = {
        path: {word for parameter in command.params for word in parameter.opts}
        for path, command in found.items()
    }
    assert {path for path, words in options.items() if "--json" not in words} == _NO_JSON
    unexplained = [
        (path, parameter.name)
        for path, command in found.items()
        for parameter in command.params
        if not parameter.help and not getattr(parameter, "hidden", False)
    ]
    assert unexplained == []
    assert [path for path, command in found.items() if not command.help] == []


@pytest.mark.parametrize(
    ("former", "present"),
    [
        (["search", "goal", "--expose", "3"], ["search", "goal", "--limit", "3"]),
        (["secret", "rm", "a"], ["secret", "remove", "a"]),
        (["tool", "terms", "a", "--redact", "b"], ["tool", "terms", "a", "--mask", "b"]),
        (["asset", "withhold", "a"], ["asset", "quarantine", "a"]),
        (
            ["eval", "fit-lookup", "a", "b", "--profile", "t"],
            ["eval", "fit-lookup", "a", "b", "--table", "t"],
        ),
    ],
)
def test_names_of_release_0_1_are_understood(
    qm: typer.Typer, former: list[str], present: list[str]
):
    def parsed(words: list[str]) -> tuple[str, dict[str, Any]]:
        context: Any = None
        command: Any = typer.main.get_command(qm)
        rest = ["qm", *words]
        while isinstance(command, TyperGroup):
            context = command.make_context(rest[0], rest[1:], parent=context)
            rest = [*context._protected_args, *context.args]
            _, command, arguments = command.resolve_command(context, rest)
            rest = [command.name, *arguments]
        return command.name, command.make_context(rest[0], rest[1:], parent=context).params

    assert parsed(former) == parsed(present)


@pytest.mark.parametrize(
    ("typed", "report"),
    [
        ("serach time", "No such command 'serach'. Did you mean: qm search?"),
        ("probe", "No such command 'probe'. Did you mean: qm tool probe?"),
        ("start", "No such command 'start'. Did you mean: qm up?"),
        ("stop", "No such command 'stop'. Press Ctrl-C in the terminal in which qm up runs."),
        ("add server", "No such command 'add'. Did you mean: qm origin add?"),
        ("tools", "No such command 'tools'. Did you mean: qm tool or qm toolset?"),
        (
            "list",
            "No such command 'list'. Did you mean: qm origin list or qm tool list or qm asset list,"
            " or another: qm --help",
        ),
        ("xyzzy", "No such command 'xyzzy'. All commands: qm --help."),
        ("origin ls", "No such command 'ls'. Did you mean: qm origin list?"),
        ("tool lst", "No such command 'lst'. Did you mean: qm tool list?"),
        ("tool xyzzy", "No such command 'xyzzy'. All commands: qm tool --help."),
        ("search time --limt 2", "No such option: --limt Did you mean: --limit?"),
        ("search", "Missing argument 'goal'. See: qm search --help."),
        ("origin show", "Missing argument 'name'. See: qm origin show --help."),
    ],
)
def test_what_is_no_command_is_answered_with_what_to_type(typed: str, report: str):
    refused = _qm(typed)
    message = " ".join(refused.stderr.split()).removeprefix("Error ")
    assert message.replace("(QM422 argument_invalid) Next: ", "") == report
    assert (refused.returncode, refused.stdout) == (2, "")
    known = json.loads(_qm(f"{typed} --json").stderr)["error"]
    assert f"{known['message']} {known['hint']}" == report


def test_the_commands_of_our_kinds_are_known_without_their_packages():
    found: dict[str, str] = {}
    for path in ROOT.glob("kinds/*/pyproject.toml"):
        groups = tomllib.loads(path.read_text(encoding="utf-8"))["project"]["entry-points"]
        for before, group in {"": COMMANDS_GROUP, **MORE_COMMANDS}.items():
            found |= {
                f"{before} {word}".strip(): path.parent.name for word in groups.get(group, ())
            }
    assert found == OF_KINDS


def test_a_client_that_is_not_known_is_connected_by_hand():
    refused = _qm("connect mystery")
    assert refused.returncode == 2
    assert "'mystery' is none of claude, claude-code, cursor, vscode," in refused.stderr
    assert "qm principal create mystery, then qm key create mystery." in refused.stderr


@pytest.mark.parametrize("typed", ["", "search", "origin"])
def test_help_can_be_asked_for_as_a_command(typed: str):
    asked, known = _qm(f"help {typed}"), _qm(f"{typed} --help")
    assert (asked.returncode, asked.stdout) == (0, known.stdout)
    assert "Usage: qm" in asked.stdout


def test_help_fits_into_a_terminal(qm: typer.Typer):
    groups = {path.rpartition(" ")[0] for path, _ in commands(typer.main.get_command(qm))}
    for path in {*groups, "tool terms", "origin add"}:
        report = CliRunner().invoke(qm, [*path.split(), "--help"], env={"COLUMNS": "80"}).stdout
        assert "Usage:" in report
        assert [line for line in report.splitlines() if cell_len(line) > 80 or "…" in line] == []


def test_the_versions_are_told(tmp_path: Path, database: Database):
    alone = json.loads(_qm(f"version --json --data-dir {tmp_path}").stdout)
    assert alone.pop("revision") == git_sha()
    unknown = dict.fromkeys(("schema", "schema_revision", "postgresql"))
    assert alone == {"version": __version__, **unknown}
    with database.connect() as connection:
        server = connection.info.parameter_status("server_version")
    report = _qm(f"version --dsn {database.dsn}").stdout.splitlines()
    assert report[0] == f"Quartermaster\t{__version__}"
    assert {f"schema\t{__version__}", f"postgresql\t{server}"} <= {*report}


@pytest.mark.parametrize("command", [[str(QM)], [sys.executable, "-m", "quartermaster"]])
def test_the_version_is_printed(command: list[str]):
    done = subprocess.run([*command, "--version"], capture_output=True, text=True)

    assert (done.returncode, done.stdout.strip()) == (0, f"Quartermaster {__version__}")


def test_commands_import_what_is_large_only_when_they_run():
    program = (
        "import sys, typer\n"
        "from quartermaster.cli.app import register\n"
        "register(typer.Typer())\n"
        "print(*sys.modules)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert "quartermaster_decisions.cli" in done.stdout.split()
    assert _LARGE.isdisjoint(done.stdout.split())


def test_the_help_of_all_commands_imports_none_of_them():
    program = (
        "import sys, typer\n"
        "from quartermaster.cli.app import register\n"
        "register(typer.Typer(), outlined=True)\n"
        "print(*sys.modules)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    commands = {entry.module for entry in entries(COMMANDS_GROUP)}
    assert {"quartermaster_lookup.cli", "quartermaster_decisions.cli"} <= commands
    assert commands.isdisjoint(done.stdout.split())


def _install(monkeypatch: pytest.MonkeyPatch, *installed: EntryPoint) -> None:
    def entries(group: str) -> list[EntryPoint]:
        return [entry for entry in installed if entry.group == group]

    monkeypatch.setattr("quartermaster.cli.app.entries", entries)


def test_a_word_of_our_own_is_not_taken_by_a_package(monkeypatch: pytest.MonkeyPatch):
    ours, theirs = typer.Typer(), EntryPoint("status", "quartermaster.cli.job:noun", COMMANDS_GROUP)
    _install(monkeypatch, theirs)
    register(ours)

    found = dict(commands(typer.main.get_command(ours)))
    assert "status" in found
    assert "status list" not in found


@pytest.mark.parametrize("value", ["no_such_module:noun", "json:nothing", "json:loads"])
def test_a_broken_package_costs_its_command_only(
    value: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    broken = EntryPoint("broken", value, COMMANDS_GROUP)
    _install(monkeypatch, broken)
    whole = typer.Typer()
    register(whole)

    assert "status" in dict(commands(typer.main.get_command(whole)))
    assert "The command broken of the package" in capsys.readouterr().err
    with pytest.raises(QmError, match="cannot be loaded"):
        register(typer.Typer(), "broken")


@pytest.mark.parametrize("value", ["no_such_module:HELP", "json:dumps"])
def test_a_command_whose_short_help_is_broken_tells_its_help_itself(
    value: str, monkeypatch: pytest.MonkeyPatch
):
    _install(
        monkeypatch,
        EntryPoint("job_of_theirs", "quartermaster.cli.job:noun", COMMANDS_GROUP),
        EntryPoint("theirs", value, COMMANDS_HELP),
    )
    outlined = typer.Typer()
    register(outlined, outlined=True)

    command = dict(commands(typer.main.get_command(outlined)))
    assert "job_of_theirs list" in command


def test_an_interruption_while_modules_are_read_ends_quietly():
    # The signal comes from within the import, so that no clock decides when.
    program = (
        "import os, signal, sys\n"
        "class Finder:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'quartermaster.cli.app': os.kill(os.getpid(), signal.SIGINT)\n"
        "from quartermaster.cli import main\n"
        "sys.meta_path.insert(0, Finder())\n"
        "main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=environment_of_commands(),
        capture_output=True,
        text=True,
    )

    assert (done.returncode, done.stderr) == (128 + signal.SIGINT, "")
