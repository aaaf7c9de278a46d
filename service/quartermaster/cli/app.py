"""The commands of ``qm``, and how their errors reach people: what happened, and the next step."""

from __future__ import annotations

import errno
import os
import resource
import sys
from importlib import import_module
from pathlib import Path
from typing import cast

import typer

from quartermaster.cli.interruption import STATUS, was_interrupted
from quartermaster.cli.output import print_error
from quartermaster.core.errors import QmError
from quartermaster.core.kind_packages import kind_packages
from quartermaster.secrets.passphrase import take_from_environment

# The module of each command. Only that of the one asked for is read: all of them take a second.
COMMANDS = {
    "up": "up",
    "install": "database",
    "bundle": "database",
    "doctor": "database",
    "docs": "database",
    "psql": "database",
    "status": "status",
    "origin": "origins",
    "secret": "secrets",
    "import": "importing",
    "search": "tools",
    "call": "tools",
    "asset": "assets",
    "card": "cards",
    "tool": "trust",
    "policy": "policies",
    "toolset": "toolsets",
    "organisation": "toolsets",
    "model": "embedding_models",
    "job": "jobs",
    "stats": "stats",
    "snapshot": "snapshots",
    "key": "keys",
    "principal": "principals",
    "audit": "audit",
    "connect": "connect",
    "stdio": "stdio",
    "lookup": "lookup",
    "eval": "evaluate",
}

app = typer.Typer(
    name="qm",
    help="Quartermaster: the right few tools out of many, from one PostgreSQL database.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def _group() -> None:  # pyright: ignore[reportUnusedFunction]
    # Without it, an application of one command is that command.
    pass


def register(app: typer.Typer, word: str = "") -> None:
    """Adds the commands of the module that has one, of all modules where none does.

    Args:
        app: is added to.
        word: name of a command.
    """
    for module in [COMMANDS[word]] if word in COMMANDS else dict.fromkeys(COMMANDS.values()):
        import_module(f"quartermaster.cli.{module}").register(app)
    if word not in COMMANDS:
        for package in kind_packages():
            if package.register is not None:
                package.register(app)


def main() -> None:
    """Runs ``qm``: exit status 0 done, 1 an explained error, 2 wrong usage, 130 interrupted."""
    # Before anything is started that could inherit what it should not.
    take_from_environment()
    _leave_no_memory_images()
    if not sys.stdin:
        # Who closed it says nothing, and is answered as such.
        sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115
    register(app, *sys.argv[1:2])
    try:
        app()
    except KeyboardInterrupt:
        sys.exit(STATUS)
    except BaseException as error:
        if was_interrupted():
            sys.exit(STATUS)
        # Tasks that run together end together: their error comes in a group.
        explained = _explained(error)
        if explained is None:
            raise
        print_error(explained)
        sys.exit(1)


def _leave_no_memory_images() -> None:
    """A crash of this process, or of one it starts, writes no core file: it would hold secrets."""
    _, hard = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (0, hard))


def _explained(error: BaseException) -> QmError | None:
    if isinstance(error, BaseExceptionGroup):
        group = cast("BaseExceptionGroup[BaseException]", error)
        return next(filter(None, map(_explained, group.exceptions)), None)
    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        where = f" at {error.filename}" if error.filename else ""
        return QmError(500, "disk_full", f"no space is left{where}", "Make room, and try again.")
    return error if isinstance(error, QmError) else None
