"""What the administrator sets up for the service: its login, the local token, embed() in psql."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict

from quartermaster.install.execute import unreachable

_USED_FOR = "searching by meaning from psql"
_STAND_IN = "the service and qm embed; psql searches lexically and says so"


def service_dsn(admin_dsn: str, password: str) -> str:
    """Gives the login role qm_service its password, and says how the service connects.

    Args:
        admin_dsn: of an administrator, as URL or as key=value text.
        password: for qm_service.

    Raises:
        QmError: QM503 database_unavailable.
    """
    try:
        with psycopg.connect(admin_dsn) as connection:
            host, port = connection.info.host, connection.info.port
            database = connection.info.dbname
        options = conninfo_to_dict(admin_dsn)
        kept = [f"{key}={options[key]}" for key in ("sslmode", "sslrootcert") if key in options]
        login = f"qm_service:{quote(password, safe='')}"
        if host.startswith("/"):
            kept, place = [f"host={quote(host, safe='')}", f"port={port}", *kept], ""
        else:
            place = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        dsn = f"postgresql://{login}@{place}/{quote(database)}?{'&'.join(kept)}".rstrip("?")
        if not _lets_in(dsn):
            statement = sql.SQL("alter role qm_service password {}").format(sql.Literal(password))
            with psycopg.connect(admin_dsn) as connection:
                connection.execute(statement)
    except psycopg.OperationalError as error:
        raise unreachable(error) from error
    return dsn


def _lets_in(dsn: str) -> bool:
    try:
        psycopg.connect(dsn).close()
    except psycopg.OperationalError:
        return False
    return True


def register_token(admin_dsn: str, principal: str, token: str) -> None:
    """Makes the token a key of the principal; harmless when it is one already."""
    digest = sha256(token.encode()).digest()
    with psycopg.connect(admin_dsn, autocommit=True) as connection:
        connection.execute(
            "select api.put_key("
            "principal => %s, label => 'run.json', prefix => %s, key_hash => %s)",
            (principal, token[:6], digest),
        )


def try_embedding(admin_dsn: str, model: Path) -> str | None:
    """Tries embed() inside the database and records whether it works.

    Args:
        admin_dsn: of an administrator.
        model: folder of the model, as the database server sees it.

    Returns:
        Why it does not work, or None.
    """
    reason: str | None = None
    with psycopg.connect(admin_dsn, autocommit=True) as connection:
        connection.execute("set role qm_owner")
        known = connection.execute(
            "select core.has_capability('embed')"
            " and core.get_setting('embedding.directory') #>> '{}' = %s",
            (str(model),),
        ).fetchone()
        if known and known[0]:
            return None
        try:
            connection.execute("select search.embed('a trial', %s)", (str(model),))
        except psycopg.errors.UndefinedFunction:
            reason = "PL/Python is not installed on the server"
        except psycopg.Error as error:
            reason = (error.diag.message_primary or str(error)).strip()
        connection.execute(
            "select core.report_capability('embed', %s, %s, %s, %s)",
            (reason is None, _USED_FOR, _STAND_IN, reason),
        )
        connection.execute(
            "update core.setting set value = to_jsonb(%s::text) where name = 'embedding.directory'",
            (str(model),),
        )
    return reason
