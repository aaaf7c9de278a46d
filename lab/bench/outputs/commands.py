"""The help of each command, as the program prints it."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from typing import Any, Final

import typer
from typer.core import TyperGroup

from lab.bench.outputs.writing import Output
from quartermaster.cli.app import app, register
from tests.support.forks import forked_qm
from tests.support.instance import environment_of_commands

WIDTH: Final = 100


def write_help(output: Output, within: tuple[str, ...] = ("qm",)) -> None:
    """A file for each command and each group of commands that begins with these words."""
    environment = environment_of_commands() | {"COLUMNS": str(WIDTH)}
    for words in command_words():
        if words[: len(within)] != within:
            continue
        output.tell(" ".join(words))
        asked = [*forked_qm(), *words[1:], "--help"]
        done = subprocess.run(asked, env=environment, capture_output=True, text=True, check=True)
        lines = [line.rstrip() for line in done.stdout.splitlines()]
        output.write(f"help/{'-'.join(words)}.txt", "\n".join(lines))


def command_words() -> list[tuple[str, ...]]:
    """Returns the words of each command, beginning with `qm`."""
    whole = typer.Typer(cls=app.info.cls, context_settings=app.info.context_settings)
    register(whole)
    return sorted(_below(typer.main.get_command(whole), ("qm",)))


def _below(command: Any, words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    yield words
    if isinstance(command, TyperGroup):
        for name, one in command.commands.items():
            yield from _below(one, (*words, name))
