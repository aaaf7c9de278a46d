"""Errors for requests that the outage copy cannot answer."""

from __future__ import annotations

from quartermaster.core.errors import QmError


def needs_database(what: str, instead: str) -> QmError:
    """QM503 database_unavailable.

    Args:
        what: that only the database knows.
        instead: what the caller can do, up to "when the database is back".
    """
    return QmError(
        503,
        "database_unavailable",
        f"The database is away, and only it knows {what}.",
        f"{instead} when the database is back.",
    )


def quoted(value: object, longest: int | None = None) -> str:
    """Quotes a value as messages of the database do: cut, then %L of its format().

    Args:
        value: to quote.
        longest: characters that are shown; None: all.
    """
    if value is None:
        return "NULL"
    text = str(value)[:longest].replace("'", "''")
    return f"'{text}'" if "\\" not in text else "E'" + text.replace("\\", "\\\\") + "'"
