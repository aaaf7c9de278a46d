"""Options that several commands share; packages may also use them in their own `typer.Typer`."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import typer
from typer import Argument, Option

from quartermaster.cli.output import repeat
from quartermaster.core.errors import argument_invalid
from quartermaster.core.moments import parse_moment

if TYPE_CHECKING:
    from quartermaster.settings.settings import Settings

# What of a connection string may be printed; everything else could be a secret.
_PUBLIC_OPTIONS: Final = frozenset(
    {"host", "hostaddr", "port", "dbname", "user", "sslmode", "sslrootcert", "sslcert", "sslkey"}
)


def without_secrets(dsn: str) -> str:
    """Returns a connection string without its password, so that it may be printed. If the password
    cannot be identified, returns the placeholder ``DSN``. A user can provide the password in
    PGPASSWORD or ``~/.pgpass``.
    """
    from psycopg import ProgrammingError
    from psycopg.conninfo import conninfo_to_dict, make_conninfo

    try:
        members = conninfo_to_dict(dsn)
    except ProgrammingError:
        return "DSN"
    # A password with a slash that is not escaped is read as the name of a database.
    if any("@" in str(each) for each in members.values()):
        return "DSN"
    public = {name: value for name, value in members.items() if name in _PUBLIC_OPTIONS}
    return dsn if public == members else make_conninfo("", **public)


def _repeated(context: typer.Context, parameter: Any, value: Any) -> Any:
    """Makes printed commands repeat this option. A value from an environment variable is not
    repeated, because the variable is still set when the user pastes a command.
    """
    source = context.get_parameter_source(parameter.name)
    if source is not None and source.name == "COMMANDLINE":
        text = str(value.absolute() if isinstance(value, Path) else value)
        repeat(parameter.envvar, without_secrets(text) if parameter.name == "dsn" else text)
    return value


def _from_command_line(context: typer.Context, parameter: Any, value: Any) -> Any:
    """Ignores a value from an environment variable. The variable is read where it is needed,
    because another variable may take precedence.
    """
    source = context.get_parameter_source(parameter.name)
    if source is not None and source.name == "ENVIRONMENT":
        return None
    return _repeated(context, parameter, value)


DataDir = Annotated[
    Path | None,
    Option(
        help="Quartermaster's data directory; it takes precedence over QM_URL.",
        envvar="QM_DATA_DIR",
        callback=_from_command_line,
    ),
]
Dsn = Annotated[
    str | None,
    Option(
        help="Connect to this database instead of the running Quartermaster's database.",
        envvar="QM_DATABASE__DSN",
        callback=_repeated,
    ),
]
SettingsFile = Annotated[
    Path | None, Option("--settings", help="Settings file (YAML).", envvar="QM_SETTINGS")
]
Admin = Annotated[
    bool, Option("--admin", help="Connect as the administrator, who may do everything.")
]
Json = Annotated[bool, Option("--json", help="Print JSON.")]
DryRun = Annotated[
    bool, Option("--dry-run", help="Show what would change, without changing anything.")
]
Yes = Annotated[bool, Option("--yes", "-y", help="Do not ask for confirmation.")]
Wait = Annotated[bool, Option(help="Wait until the tools are read.")]
Reason = Annotated[str, Option(help="Reason to record with the change.")]
Limit = Annotated[int, Option(min=1, help="Maximum number of rows.")]
Project = Annotated[
    str | None,
    Option(
        help=(
            "Name of the project, or OWNER/NAME; default: the project of this folder, or your "
            "only project."
        ),
        envvar="QM_PROJECT",
        callback=_repeated,
    ),
]
Status = Literal["approved", "pending", "quarantined", "deprecated", "gone"]
To = Annotated[Path | None, Option("--to", help="File to write; default: standard output.")]
Mode = Annotated[Literal["fast", "balanced", "thorough"], Option(help="How much to search.")]
Per = Annotated[Literal["hour", "day"] | None, Option(help="Show one row per hour or day (UTC).")]
AsOf = Annotated[
    datetime | None,
    Option(
        parser=parse_moment,
        metavar="TIME",
        help="Show the state at this time, such as 2026-08-01T12:00Z or 2d (two days ago).",
    ),
]
Since = Annotated[
    datetime | None,
    Option(
        parser=parse_moment,
        metavar="TIME",
        help="Start of the period, such as 2026-08-01 or 12h (ago); default: a week ago.",
    ),
]
Until = Annotated[
    datetime | None,
    Option(parser=parse_moment, metavar="TIME", help="End of the period; default: now."),
]
OriginName = Annotated[str, Argument(help="Name of the origin; see qm origin list.")]
ToolName = Annotated[str, Argument(help="Name of the tool, such as time__convert_time.")]

_RENAMED_WORDS: Final = {
    "expose": "limit",
    "profile": "table",
    "redact": "mask",
    "rm": "remove",
    "withhold": "quarantine",
}


def configure(
    data_dir: Path,
    file: Path | None,
    *,
    dsn: str | None = None,
    server: Mapping[str, object] | None = None,
) -> Settings:
    """Loads the settings, and applies the overrides from the command line.

    Args:
        server: settings of the section server; the value None means that an option was not given.

    Raises:
        QmError: QM422 settings_invalid.
    """
    from quartermaster.settings.settings import load

    settings = load(data_dir, file)
    if dsn is not None:
        database = settings.database.model_copy(update={"dsn": dsn})
        settings = settings.model_copy(update={"database": database})
    if given := {key: value for key, value in (server or {}).items() if value is not None}:
        settings = settings.model_copy(update={"server": settings.server.model_copy(update=given)})
    return settings


def pair(text: str, example: str) -> tuple[str, str]:
    """Splits an argument ``NAME=VALUE`` into name and value.

    Args:
        text: argument as typed.
        example: correct argument, for the hint.

    Raises:
        QmError: QM422 argument_invalid.
    """
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise argument_invalid(f"{text!r} is not NAME=VALUE.", f"For instance: {example}.")
    return name, value


def present_name(word: str) -> str:
    """Returns the current name of a command or option; names from release 0.1 are accepted until
    0.3.

    Args:
        word: name as typed, without the leading dashes.
    """
    return _RENAMED_WORDS.get(word, word)
