"""Failures of a refresh, and which of them to retry."""

from __future__ import annotations

from typing import Final

from quartermaster.core.errors import QmError
from quartermaster.upstream import UpstreamError

_AUTH: Final = frozenset(
    {"vault_locked", "keyring_unavailable", "login_needed", "login_failed", "credential_missing"}
)
_RETRIED: Final = frozenset({"network", "timeout"})


def is_worth_a_retry(error: Exception) -> bool:
    """Tells whether an upstream may succeed a moment later."""
    return isinstance(error, UpstreamError) and error.kind in _RETRIED


def is_database_away(error: Exception) -> bool:
    """Whether it is the database that cannot be reached."""
    return isinstance(error, QmError) and error.status == 503


def failure_class(error: QmError) -> str:
    """Returns the class of a failed refresh, for catalog.refresh."""
    if isinstance(error, UpstreamError):
        return error.kind
    is_auth = error.slug.startswith("secret_") or error.slug in _AUTH
    return "auth" if is_auth else "configuration"
