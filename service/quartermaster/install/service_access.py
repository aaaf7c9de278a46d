"""Sets up access for the service: its login, the local token, and embed() in psql."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final, LiteralString
from urllib.parse import quote

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict

from quartermaster.core.errors import QmError
from quartermaster.install.connection import Connection, connected, unreachable
from quartermaster.install.execute import (
    as_owner,
    begin,
    let_owner_act,
    owner_rows,
    set_service_password,
    settle,
)


@dataclass(frozen=True)
class _Trial:
    """A function in the database that works only if the server can read a model folder."""

    statement: LiteralString
    used_for: str
    stand_in: str
    without: str


_EMBED = _Trial(
    "select search.embed('a trial', %s, false) as vector",
    "searching by meaning from psql",
    "the service and qm search still search by meaning; psql searches by words and reports this",
    "the embedding model runs on a separate server",
)
_RERANK = _Trial(
    "select search.rerank('a trial', array['a text'], %s) as scores",
    "reranking from psql",
    "the service reranks; psql keeps the order of the initial search",
    "the settings do not name a reranker that runs on this machine",
)


# All installations of a server share the login. Everybody sees which databases it uses.
_OTHERS_QUERY: Final = """
select string_agg(distinct a.datname, ', ') from pg_stat_activity as a
where a.usename = 'qm_service' and a.datname <> current_database()
"""


def service_dsn(admin_dsn: str, password: str) -> str:
    """Sets the password of the login role qm_service, and returns the DSN for the service.

    Args:
        admin_dsn: DSN of an administrator, as a URL or as key=value text.
        password: password for qm_service.

    Raises:
        QmError: QM503 database_unavailable, QM409 service_login_taken.
    """
    try:
        dsn = _service_dsn(admin_dsn, password)
        if not _lets_in(dsn):
            with connected(admin_dsn) as connection:
                [(others,)] = connection.execute(_OTHERS_QUERY).fetchall()
                if others is not None:
                    raise _taken(others)
                set_service_password(connection, password)
    except psycopg.OperationalError as error:
        raise unreachable(error) from error
    return dsn


def refused_service(admin_dsn: str, password: str) -> str | None:
    """Tests whether the service can log in with its password. Returns a remedy; None if it can log
    in.

    Args:
        admin_dsn: DSN of an administrator who can connect to the database.
        password: password for qm_service.
    """
    if _lets_in(_service_dsn(admin_dsn, password)):
        return None
    return (
        "The login qm_service does not accept the password in credentials.json. Restart qm up,"
        " which sets it again."
    )


def _service_dsn(admin_dsn: str, password: str) -> str:
    with psycopg.connect(admin_dsn) as connection:
        host, port = connection.info.host, connection.info.port
        database = connection.info.dbname
    options = conninfo_to_dict(admin_dsn)
    retained = [f"{key}={options[key]}" for key in ("sslmode", "sslrootcert") if key in options]
    login = f"qm_service:{quote(password, safe='')}"
    if host.startswith("/"):
        retained, place = [f"host={quote(host, safe='')}", f"port={port}", *retained], ""
    else:
        place = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    return f"postgresql://{login}@{place}/{quote(database)}?{'&'.join(retained)}".rstrip("?")


def _taken(databases: str) -> QmError:
    return QmError(
        409,
        "service_login_taken",
        f"a service in the database {databases} of the same server uses the login qm_service, with"
        " another password",
        "Copy the value qm_service from credentials.json in the data directory of that service to"
        " credentials.json in this one.",
    )


def _lets_in(dsn: str) -> bool:
    try:
        psycopg.connect(dsn).close()
    except psycopg.OperationalError:
        return False
    return True


def register_token(admin_dsn: str, principal: str, token: str, label: str) -> None:
    """Makes the token a key of the principal, and replaces any key with the same label.

    Raises:
        QmError: QM409 key_conflict: the token exists under another label, for example because
            instance.json was lost.
    """
    digest = sha256(token.encode()).digest()
    with _acting_owner(admin_dsn) as connection:
        put = sql.SQL(
            "select api.put_key(principal => {}, label => {}, prefix => {}, key_hash => {})"
        ).format(principal, label, token[:6], digest)
        as_owner(connection, put.as_string(connection), "the key of this machine")


def try_embedding(admin_dsn: str, model: Path | None) -> str | None:
    """Tries the function embed() in the database, and records whether it works.

    Args:
        admin_dsn: DSN of an administrator.
        model: path of the model folder on the database server; None if there is no folder.

    Returns:
        The reason why the function does not work; None if it works.
    """
    return _try(admin_dsn, "embed", "embedding.directory", model, _EMBED)


def try_reranking(admin_dsn: str, model: Path | None) -> str | None:
    """Tries the function rerank() in the database, and records whether it works.

    Args:
        admin_dsn: DSN of an administrator.
        model: path of the reranker folder on the database server; None if there is no reranker.

    Returns:
        The reason why the function does not work; None if it works.
    """
    return _try(admin_dsn, "rerank", "reranker.directory", model, _RERANK)


def _try(
    admin_dsn: str, capability: str, setting: str, model: Path | None, trial: _Trial
) -> str | None:
    folder = None if model is None else str(model)
    reason: str | None = None
    with _acting_owner(admin_dsn) as connection:
        [(is_known,)] = owner_rows(
            connection,
            "select core.has_capability(%s) and core.get_setting(%s) #>> '{}' = %s as is_known",
            (capability, setting, folder),
        )
        if is_known:
            return None
        try:
            if folder is None:
                reason = trial.without
            else:
                owner_rows(connection, trial.statement, (folder,))
        except psycopg.errors.UndefinedFunction:
            reason = "PL/Python is not installed on the server"
        except psycopg.Error as error:
            reason = (error.diag.message_primary or str(error)).strip()
        record = sql.SQL(
            "select core.report_capability({}, {}, {}, {}, {});"
            " update core.setting set value = coalesce(to_jsonb({}::text), 'null') where name = {}"
        ).format(
            capability, reason is None, trial.used_for, trial.stand_in, reason, folder, setting
        )
        as_owner(connection, record.as_string(connection), capability)
    return reason


@contextmanager
def _acting_owner(admin_dsn: str) -> Generator[Connection]:
    """Opens a transaction in which the administrator's statements can act as qm_owner."""
    with connected(admin_dsn) as connection, connection.transaction():
        begin(connection)
        let_owner_act(connection)
        yield connection
        settle(connection)
