"""``qm`` itself: its help, the names of release 0.1, and an interruption at any moment."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from typing import Any

import pytest
import typer
from typer.core import TyperGroup
from typer.testing import CliRunner

from quartermaster import __version__
from quartermaster.cli.app import COMMANDS, app, register
from quartermaster.core.errors import QmError
from quartermaster.core.kind_packages import COMMANDS as COMMANDS_GROUP
from tests.support.instance import QM, environment_of_commands

# They print text, start something, or change the one thing they name.
_NO_JSON = {
    *(
        "up",
        "install",
        "psql",
        "dsn",
        "reference",
        "bundle",
        "stdio",
        "origin login",
        "origin logout",
    ),
    *("secret set", "secret remove", "secret rotate", "secret move"),
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

    told, full = (typer.main.get_command(each) for each in (outlined, qm))
    assert isinstance(told, TyperGroup)
    assert isinstance(full, TyperGroup)
    context: Any = None
    assert told.list_commands(context) == full.list_commands(context)
    for name, command in full.commands.items():
        assert command.help is not None
        assert told.commands[name].help == " ".join(command.help.split("\n\n")[0].split())


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
    ("word", "told"),
    [
        ("probe", "No such command 'probe'. Did you mean: qm tool probe?"),
        ("serch", "No such command 'serch'. Did you mean 'search'?"),
        ("list", "No such command 'list'."),
    ],
)
def test_a_verb_without_its_noun_is_told_the_noun(qm: typer.Typer, word: str, told: str):
    result = CliRunner().invoke(qm, [word], env={"COLUMNS": "200", "TERM": "dumb"})

    assert result.exit_code == 2
    assert told in result.output


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

    assert "quartermaster.decisions.cli" in done.stdout.split()
    assert _LARGE.isdisjoint(done.stdout.split())


def _install(entry: EntryPoint, monkeypatch: pytest.MonkeyPatch) -> None:
    def entries(group: str) -> list[EntryPoint]:
        return [entry] if group == entry.group else []

    monkeypatch.setattr("quartermaster.cli.app.entries", entries)


def test_a_word_of_our_own_is_not_taken_by_a_package(monkeypatch: pytest.MonkeyPatch):
    ours, theirs = typer.Typer(), EntryPoint("status", "quartermaster.cli.job:noun", COMMANDS_GROUP)
    _install(theirs, monkeypatch)
    register(ours)

    found = dict(commands(typer.main.get_command(ours)))
    assert "status" in found
    assert "status list" not in found


@pytest.mark.parametrize("value", ["no_such_module:noun", "json:nothing", "json:loads"])
def test_a_broken_package_costs_its_command_only(
    value: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    broken = EntryPoint("broken", value, COMMANDS_GROUP)
    _install(broken, monkeypatch)
    whole = typer.Typer()
    register(whole)

    assert "status" in dict(commands(typer.main.get_command(whole)))
    assert "The command broken of the package" in capsys.readouterr().err
    with pytest.raises(QmError, match="cannot be loaded"):
        register(typer.Typer(), "broken")


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
