"""Finds and runs the commands of ``qm``. Prints their errors, each with the next step."""

from __future__ import annotations

import errno
import gc
import os
import resource
import signal
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import EntryPoint
from keyword import iskeyword
from pathlib import Path
from types import FrameType
from typing import Annotated, Any, Final, cast

import typer
from typer import Option

from quartermaster import __version__
from quartermaster.cli import ANOTHER_VERSION, INTERRUPTED_STATUS
from quartermaster.cli.noun import CommandGroup
from quartermaster.cli.options import present_name
from quartermaster.cli.output import note, print_error
from quartermaster.cli.short_help import SHORT_HELP
from quartermaster.core.errors import QmError, argument_invalid
from quartermaster.core.kind_packages import (
    BROKEN_HINT,
    COMMANDS_HELP,
    MORE_COMMANDS,
    ShortHelp,
    entries,
    loaded_or_reason,
    package_of,
)
from quartermaster.core.kind_packages import COMMANDS as KIND_COMMANDS
from quartermaster.core.stop_signals import was_interrupted
from quartermaster.secrets.passphrase import take_from_environment

COMMANDS: Final = {
    "First steps": ("up", "connect", "import", "search", "describe", "call"),
    "Servers and tools": ("status", "origin", "tool", "asset", "toolset", "card", "secret"),
    "Rights": ("principal", "organisation", "key", "policy", "audit"),
    "Projects": ("project",),
    "Quality and history": ("stats", "receipts", "eval", "model", "snapshot", "job"),
    "Database and service": (
        "version",
        "install",
        "uninstall",
        "doctor",
        "kind",
        "psql",
        "dsn",
        "reference",
        "bundle",
        "stdio",
    ),
}
"""Commands by heading, as ``qm --help`` shows them; each command has a module of the same name."""
_KINDS: Final = "Code, knowledge, and your own kinds"
_CONNECT_S: Final = "10"
# What Typer raises for a wrong command line; it has no public name.
_Misuse: Final = cast("type[typer.BadParameter]", typer.BadParameter.__base__)


class _Nouns(CommandGroup):
    """Lists the commands in the order of `COMMANDS`, and inserts the commands of packages at the
    positions that the packages choose. Typer would list groups first.
    """

    def list_commands(self, ctx: Any) -> list[str]:
        order = [word for words in COMMANDS.values() for word in words]
        for word, short_help in _help_of_packages().items():
            if short_help.after in order and word not in order:
                order.insert(order.index(short_help.after) + 1, word)
        return sorted(
            super().list_commands(ctx),
            key=lambda word: (order.index(word) if word in order else len(order), word),
        )


app = typer.Typer(
    name="qm",
    cls=_Nouns,
    help="Quartermaster finds the few tools that a goal needs, using one PostgreSQL database.",
    epilog="Start with: qm up. Then, in another terminal: qm search 'what time is it in Tokyo'.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "token_normalize_func": present_name},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"Quartermaster {__version__}")
        raise typer.Exit


@app.callback()
def _group(  # pyright: ignore[reportUnusedFunction]
    version: Annotated[
        bool, Option("--version", help="Print the version.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    # Without a callback, Typer turns an application with a single command into that command.
    pass


def register(app: typer.Typer, word: str = "", *, outlined: bool = False) -> None:
    """Adds the command with this name, or all commands if there is no such command.

    Only the module of that command is imported, because importing all of them takes a second.

    Args:
        app: application to which the commands are added.
        word: command name, as typed.
        outlined: whether only the short help of the commands is needed.
    """
    headings = {name: heading for heading, names in COMMANDS.items() for name in names}
    # The entry points of all packages are read only if the command is not one of our own.
    found = () if word in headings else entries(KIND_COMMANDS)
    of_packages = {entry.name: entry for entry in found if entry.name not in headings}
    is_one = word in {*headings, *of_packages}
    short_helps = {} if is_one else _help_of_packages()
    named = {name: ShortHelp(SHORT_HELP[name], heading) for name, heading in headings.items()}
    short_helps |= named
    for name in [word] if is_one else [*headings, *of_packages]:
        if outlined and name in short_helps:
            app.command(name, help=short_helps[name].text)(lambda: None)
            continue
        noun = _of_package(of_packages[name], word) if name in of_packages else _own(name)
        if noun is None:
            continue
        if noun.info.help:
            app.add_typer(noun, name=name)
        else:
            app.registered_commands += noun.registered_commands
    for added in [*app.registered_commands, *app.registered_groups]:
        own = short_helps.get(str(added.name))
        added.rich_help_panel = (own and own.heading) or _KINDS


def _own(name: str) -> typer.Typer:
    module = import_module(f"{__package__}.{name}{'_' if iskeyword(name) else ''}")
    if name in MORE_COMMANDS:
        found = (_of_package(entry) for entry in entries(MORE_COMMANDS[name]))
        module.noun.include(*(each for each in found if each is not None))
    return module.noun


def _of_package(entry: EntryPoint, word: str = "") -> typer.Typer | None:
    """Returns the command of a package. A broken command raises an error only if the user typed it;
    otherwise, a note is printed.

    Raises:
        QmError: QM500 command_broken.
    """
    noun = loaded_or_reason(entry, typer.Typer)
    if not isinstance(noun, str):
        return noun
    what = f"The command {entry.name} of the package {package_of(entry)} cannot be loaded: {noun}."
    if entry.name == word:
        raise QmError(500, "command_broken", what, BROKEN_HINT)
    note(what)
    return None


def _help_of_packages() -> dict[str, ShortHelp]:
    """Returns the short help that packages provide for their commands. If it cannot be loaded, the
    command itself is imported for its help, which takes longer.
    """
    found: dict[str, ShortHelp] = {}
    for entry in entries(COMMANDS_HELP):
        short_helps = loaded_or_reason(entry, cast("type[dict[str, ShortHelp]]", dict))
        found |= {} if isinstance(short_helps, str) else short_helps
    return found


def run(on_interrupt: Callable[[int, FrameType | None], Any] | int | None) -> None:
    """Runs ``qm``. Exit status: 0 success, 1 explained error, 2 wrong usage, 3 another version was
    installed, 130 interruption.

    Args:
        on_interrupt: SIGINT handler to install.
    """
    try:
        signal.signal(signal.SIGINT, on_interrupt)
        # The passphrase is taken from the environment first, so that no child process can inherit
        # it.
        take_from_environment()
        _leave_no_memory_images()
        # A frozen database accepts connections but never answers, so there is a time limit. The DSN
        # may set another limit.
        os.environ.setdefault("PGCONNECT_TIMEOUT", _CONNECT_S)
        if not sys.stdin:
            # Treat a closed standard input as an empty standard input.
            sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115
        _register_typed()
        # The garbage collector was off while modules were imported. From here on, the collector
        # does not examine these modules.
        gc.freeze()
        gc.enable()
        sys.exit(app(standalone_mode=False))
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED_STATUS)
    except typer.Abort:
        note("Aborted.")
        sys.exit(1)
    except BaseException as error:
        if was_interrupted():
            sys.exit(INTERRUPTED_STATUS)
        # The errors of tasks in a task group arrive in an exception group.
        explained = _explained(error)
        if explained is None:
            raise
        if explained.message:
            print_error(explained, as_json="--json" in sys.argv)
        if explained.slug == "version_changed":
            sys.exit(ANOTHER_VERSION)
        sys.exit(2 if isinstance(error, _Misuse) else 1)


def _register_typed() -> None:
    """Adds the command that was typed. For the list of all commands, it adds only their short
    help.
    """
    if sys.argv[1:2] == ["help"]:
        sys.argv[1:] = [*sys.argv[2:], "--help"]
    if sys.argv[1:] in ([], ["--help"], ["-h"]):
        register(app, outlined=True)
    elif sys.argv[1:] != ["--version"]:
        register(app, *sys.argv[1:2])


def _leave_no_memory_images() -> None:
    """Disables core files for this process and its children, because they could contain secrets."""
    _, hard = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (0, hard))


def _explained(error: BaseException) -> QmError | None:
    if isinstance(error, _Misuse):
        return _misuse(error)
    if isinstance(error, BaseExceptionGroup):
        group = cast("BaseExceptionGroup[BaseException]", error)
        return next(filter(None, map(_explained, group.exceptions)), None)
    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        where = f" at {error.filename}" if error.filename else ""
        return QmError(500, "disk_full", f"No space is left{where}.", "Free some space and retry.")
    return error if isinstance(error, QmError) else None


def _misuse(error: typer.BadParameter) -> QmError:
    path = error.ctx.command_path if error.ctx else "qm"
    what, _, advice = error.format_message().partition("\n")
    if options := getattr(error, "possibilities", None):
        what, advice = error.message, f"Did you mean: {' or '.join(options)}?"
    return argument_invalid(what, advice or f"See: {path} --help.")
