"""Every `qm` command that a document names is there, with the options it is given."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.core import TyperGroup

from quartermaster.cli.app import COMMANDS, register
from tests.support.sql_files import LAB, ROOT, files, relative

pytestmark = pytest.mark.lint

# The reference is rendered from the database's comments; what they say is read here as well.
DOCUMENTS = [*files("README.md"), *files("docs/**/*.md"), *LAB.rglob("*.md")]
_INLINE = re.compile(r"`(qm [^`]+)`")
_BLOCK = re.compile(r"^ *(qm [^#\n]+)", re.MULTILINE)
_TAKES_THE_REST = {"psql"}


@pytest.fixture(scope="module")
def qm() -> TyperGroup:
    app = typer.Typer(name="qm")
    register(app)
    command = typer.main.get_command(app)
    assert isinstance(command, TyperGroup)
    return command


def test_a_command_is_found_in_its_module_alone(qm: TyperGroup):
    words = [word for named in COMMANDS.values() for word in named]
    # Packages bring further commands.
    assert set(words) <= qm.commands.keys()
    for word in words:
        alone = typer.Typer(name="qm")
        alone.callback()(lambda: None)
        register(alone, word)
        command = typer.main.get_command(alone)
        assert isinstance(command, TyperGroup)
        assert word in command.commands


def commands_in(text: str) -> list[str]:
    """Returns the command lines of a Markdown text, in spans of code and in blocks."""
    return [*_INLINE.findall(text), *(line.strip() for line in _BLOCK.findall(text))]


def problem_of(line: str, qm: TyperGroup) -> str | None:
    """Returns what is wrong with a command line, or None."""
    try:
        words = shlex.split(line)[1:]
    except ValueError:
        words = line.split()[1:]
    command: Any = qm
    while isinstance(command, TyperGroup) and words and not words[0].startswith(("...", "--")):
        found = command.commands.get(words[0])
        if found is None:
            return f"there is no `qm` command {words[0]!r} in {line!r}"
        command, words = found, words[1:]
        if found.name in _TAKES_THE_REST:
            return None
    known = {option for parameter in command.params for option in parameter.opts}
    known |= {option for parameter in command.params for option in parameter.secondary_opts}
    known |= {"--help", "--version"} if command is qm else {"--help"}
    unknown = [word for word in words if re.match(r"--[a-z]", word) and word not in known]
    return f"{unknown[0]!r} is no option of {line!r}" if unknown else None


def test_a_command_or_option_that_is_not_there_is_noticed(qm: TyperGroup):
    text = (
        "`qm lookup lode x` and\n```\nqm stats calls --buy origin  # why\nqm psql -c 'select'\n```"
    )
    problems = [problem_of(line, qm) for line in commands_in(text)]
    assert problems == [
        "there is no `qm` command 'lode' in 'qm lookup lode x'",
        "'--buy' is no option of 'qm stats calls --buy origin'",
        None,
    ]


@pytest.mark.parametrize("path", DOCUMENTS, ids=relative)
def test_documented_commands_are_there(path: Path, qm: TyperGroup):
    problems = [problem_of(line, qm) for line in commands_in(path.read_text(encoding="utf-8"))]
    assert not list(filter(None, problems))


def test_the_runbooks_name_commands():
    assert len(commands_in((ROOT / "docs" / "runbooks.md").read_text(encoding="utf-8"))) > 30
