"""Connects commands to the database of a DSN, or to the database of the running Quartermaster."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, LiteralString, cast

from quartermaster import api
from quartermaster.cli import output
from quartermaster.core import paths
from quartermaster.core.api_call import AnyRow, AnyValue, ApiCall, ApiValue
from quartermaster.core.errors import QmError, argument_invalid
from quartermaster.core.locks import is_claimed

if TYPE_CHECKING:
    # Most commands ask the service. They do not need the driver, which takes 0.1 s to import.
    import psycopg

Row = Mapping[str, Any]


def running(data_dir: Path | None) -> paths.RunFile:
    """Returns the service that QM_URL names, or the service that is running in a data directory.

    Raises:
        QmError: QM503 not_running, QM403 data_dir_not_ours.
    """
    run = paths.find_service(data_dir)
    if run is None:
        raise _not_running(paths.data_dir(data_dir))
    return run


def admin_dsn(data_dir: Path | None) -> str:
    """Returns the administrator's DSN of the Quartermaster that is running in a data directory.

    If QM_KEY is set, prints that the command acts as the administrator, not as the owner of the
    key.

    Raises:
        QmError: QM409 service_elsewhere, QM503 not_running, QM403 data_dir_not_ours.
    """
    if data_dir is None and (named := paths.RunFile.in_environment()) is not None:
        raise QmError(
            409,
            "service_elsewhere",
            f"This command needs the database, but QM_URL names the service at {named.url}.",
            "Run it on the machine of that service, or name its database with --dsn. If you mean"
            " the service of a data directory of this machine, add --data-dir, or unset QM_URL.",
        )
    folder = paths.data_dir(data_dir)
    run, dsn = paths.RunFile.read(folder), paths.read_admin(folder)
    if run is None or not run.is_alive() or dsn is None:
        raise _not_running(folder)
    if paths.chosen_key(data_dir) is not None:
        output.note("As the administrator (local): this command does not use QM_KEY.")
    return dsn


def _not_running(folder: Path) -> QmError:
    if is_claimed(folder / paths.UP_LOCK):
        return QmError(
            503,
            "not_running",
            f"The Quartermaster in {folder} is starting or stopping.",
            "Wait until qm up says that it is ready, and try again.",
        )
    return QmError(
        503,
        "not_running",
        f"No Quartermaster is running in {folder}.",
        "Start it with qm up, or choose another Quartermaster with --data-dir or --dsn.",
    )


class AdminSession:
    """An administrator's connection. Each call is a separate transaction."""

    def __init__(self, connection: psycopg.Connection[Row]) -> None:
        self._connection = connection

    def call(self, asked: ApiCall[AnyRow], /) -> list[AnyRow]:
        """Calls an api function.

        Args:
            asked: the function and its arguments; dicts and lists of dicts are sent as JSON.

        Raises:
            QmError: the error that the function raised; QM404 not_installed.
        """
        given = ", ".join(f"{name} => %({name})s" for name in asked.arguments)
        values = {name: _adapted(value) for name, value in asked.arguments.items()}
        from psycopg import errors

        # The operation and the names come from our own code; the values are sent as parameters.
        statement = cast(LiteralString, f"select * from api.{asked.operation}({given})")  # noqa: S608
        with _explained():
            try:
                rows = self._connection.execute(statement, values).fetchall()
            except errors.ProgrammingError as error:
                if _lacks_operation(error):
                    # PostgreSQL looks for a function that takes a number of this size.
                    if large := _large_number(asked.arguments):
                        raise argument_invalid(
                            f"{large} is too large.",
                            "Use a number that a list shows, such as qm receipts list.",
                        ) from error
                    raise _not_installed(self._connection.info.dbname) from error
                raise
        return cast(list[AnyRow], rows)

    def call_value(self, asked: ApiValue[AnyValue], /) -> AnyValue:
        """Returns the single value of a function that returns a scalar or JSON."""
        return next(iter(self.call(asked)[0].values()))

    def stand_in(self, folder: Path) -> None:
        """Makes the project that contains a folder or a file the default for calls that name no
        project.
        """
        named = str(folder.expanduser().absolute())
        self._connection.execute("select pg_catalog.set_config('qm.folder', %s, false)", [named])

    def select(self, query: str) -> Sequence[Row]:
        """Runs a query that a person has typed. The query is read-only, and runs with that person's
        login.

        Raises:
            QmError: the query failed.
        """
        with _explained(), self.rolled_back():
            self._connection.execute("set transaction read only")
            return self._connection.execute(cast(LiteralString, query)).fetchall()

    def together(self) -> AbstractContextManager[object]:
        """Returns a transaction around all calls in the block: all of them take effect, or none."""
        return self._connection.transaction()

    def rolled_back(self) -> AbstractContextManager[object]:
        """Returns a transaction around all calls in the block; it is rolled back at the end."""
        return self._connection.transaction(force_rollback=True)

    @contextmanager
    def acting_as(self, principal: str | None) -> Generator[None]:
        """Makes the calls in the block act as a principal.

        The connected user must be a superuser, and the block must be inside `rolled_back` or
        `together`.

        Args:
            principal: name of the principal; None changes nothing.

        Raises:
            QmError: QM403 principal_unknown, or not_permitted if the user is not a superuser.
        """
        if principal is None:
            yield
            return
        [found] = self.call(api.find_principal(name=principal))
        with _explained():
            self._connection.execute("set local session authorization qm_service")
            self._connection.execute(cast(LiteralString, f"set local role qm_{found['role']}"))
            self._connection.execute(
                "select pg_catalog.set_config('qm.principal', %s, true)",
                [str(found["principal_id"])],
            )
        yield
        self._connection.execute("set local session authorization default")

    def notifications(self, channel: str, timeout_s: float) -> Iterator[str]:
        """Yields payloads of the notifications that arrive on a channel before the timeout."""
        self._connection.execute(cast(LiteralString, f"listen {channel}"))
        for heard in self._connection.notifies(timeout=timeout_s):
            yield heard.payload


@contextmanager
def open_session(data_dir: Path | None, dsn: str | None = None) -> Generator[AdminSession]:
    """Connects to the given database, or to the database of the running Quartermaster.

    Raises:
        QmError: QM503 not_running or database_unavailable; QM422 argument_invalid.
    """
    target = dsn or admin_dsn(data_dir)
    import psycopg
    from psycopg.rows import dict_row

    from quartermaster.install.connection import unreachable
    from quartermaster.install.pooler import refuse_pooler

    try:
        connection = psycopg.Connection[Row].connect(target, autocommit=True, row_factory=dict_row)
    except psycopg.OperationalError as error:
        raise unreachable(error) from error
    except psycopg.ProgrammingError:
        # Its text quotes a part of the DSN, which may be the password.
        raise argument_invalid(
            "The DSN is not a connection string.",
            "For example: postgresql://USER:PASSWORD@HOST/DATABASE.",
        ) from None
    with connection:
        refuse_pooler(connection, target)
        # A person may think about a question for longer than the server waits.
        connection.execute("set idle_session_timeout = 0; set statement_timeout = 0")
        session = AdminSession(connection)
        session.stand_in(Path())
        yield session


@contextmanager
def _explained() -> Generator[None]:
    """Turns errors of the database driver into `QmError`."""
    import psycopg

    from quartermaster.install.connection import explained

    try:
        yield
    except psycopg.Error as error:
        raise explained(error) from error


def _lacks_operation(error: psycopg.errors.ProgrammingError) -> bool:
    """Returns whether the called function itself is missing, rather than an object that it uses."""
    from psycopg.errors import InvalidSchemaName, UndefinedFunction

    is_missing = isinstance(error, (InvalidSchemaName, UndefinedFunction))
    return is_missing and error.diag.context is None


def _large_number(arguments: Mapping[str, object]) -> int | None:
    """Returns a number in the arguments that no column of type integer holds."""
    for value in arguments.values():
        for each in cast("list[object]", value) if isinstance(value, list) else [value]:
            if isinstance(each, int) and abs(each) >= 2**31:
                return each
    return None


def _not_installed(database: str) -> QmError:
    return QmError(
        404,
        "not_installed",
        f"Quartermaster is not installed in the database {database}, or only a part of it is.",
        "Name its database with --dsn. If it is this one, run qm install, then qm doctor.",
    )


def _adapted(value: object) -> object:
    from psycopg.types.json import Jsonb

    if isinstance(value, dict):
        return Jsonb(cast("object", value))
    if isinstance(value, list):
        items = cast("list[object]", value)
        return Jsonb(items) if any(isinstance(item, dict) for item in items) else items
    return value
