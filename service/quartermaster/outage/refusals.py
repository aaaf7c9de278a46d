"""What is said of requests that cannot be answered without the database, in its own words."""

from __future__ import annotations

from quartermaster.core.errors import QmError


def toolset_not_found(name: str) -> QmError:
    """QM404 toolset_not_found."""
    return QmError(
        404,
        "toolset_not_found",
        f"there is no toolset called {name[:100]!r}",
        "List toolsets with: qm toolset list.",
    )


def tool_not_found(name: str) -> QmError:
    """QM404 tool_not_found."""
    return QmError(
        404,
        "tool_not_found",
        f"there is no tool called {name[:200]!r}",
        "Search for it with search_tools.",
    )


def card_not_found(kind: str, name: str) -> QmError:
    """QM404 card_not_found."""
    return QmError(
        404,
        "card_not_found",
        f"there is no {kind.replace('_', ' ')} called {name[:200]!r}",
        "Search for it with search_tools.",
    )


def origin_not_found(origin_id: int) -> QmError:
    """QM404 origin_not_found."""
    return QmError(
        404,
        "origin_not_found",
        f"there is no origin {origin_id} in what was kept for the outage",
        "List origins with: qm origin list.",
    )


def origin_not_callable(name: str) -> QmError:
    """QM409 origin_not_callable."""
    return QmError(
        409,
        "origin_not_callable",
        f"the origin {name!r} is in the catalog, but not connected",
        "Connect it with: qm origin add NAME --replace --url URL (or a command).",
    )


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
