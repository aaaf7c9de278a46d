"""Classes of refresh failures, and which failures to retry."""

from __future__ import annotations

from typing import Final

from quartermaster.core.errors import QmError
from quartermaster.upstream import UpstreamError

_AUTH: Final = frozenset(
    {"vault_locked", "keyring_unavailable", "login_needed", "login_failed", "credential_missing"}
)
_RETRIED: Final = frozenset({"network", "timeout"})


def is_worth_a_retry(error: Exception) -> bool:
    """Tell whether an upstream may soon succeed."""
    return isinstance(error, UpstreamError) and error.kind in _RETRIED


def is_database_away(error: Exception) -> bool:
    """Tell whether the error means that the database cannot be reached."""
    return isinstance(error, QmError) and error.status == 503


def failure_class(error: QmError) -> str:
    """Return the class of a refresh failure for catalog.refresh."""
    if isinstance(error, UpstreamError):
        return error.kind
    is_auth = error.slug.startswith("secret_") or error.slug in _AUTH
    return "auth" if is_auth else "configuration"
