"""Checks whether a running service can be reached, and how long its certificate is valid."""

from __future__ import annotations

import socket
import ssl
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any, Final
from urllib.parse import urlsplit

import httpx2

from quartermaster.core.errors import QmError
from quartermaster.core.paths import RunFile
from quartermaster.core.trust import context_for

_ANSWER_S: Final = 10.0
_WARN_DAYS: Final = 14


@dataclass(frozen=True, slots=True)
class ServiceReachability:
    """Whether a client on this machine can reach the service.

    Attributes:
        url: address of the service.
        certificate_until: end of the validity of its certificate; None without TLS.
        problem: what is wrong, and what to do; None if nothing is wrong.
    """

    url: str
    certificate_until: str | None = None
    problem: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """Returns the attributes as a dict for JSON."""
        return asdict(self)


def ask(run: RunFile) -> ServiceReachability:
    """Sends a request to the service as every client does, and checks its certificate."""
    until = None
    try:
        trusted = context_for(run)
        if run.url.startswith("https:"):
            until = _certificate_until(run.url, trusted)
        httpx2.get(f"{run.url}/healthz", timeout=_ANSWER_S, trust_env=False, verify=trusted)
    except QmError as error:
        return ServiceReachability(run.url, None, f"{error.message} {error.hint}")
    except (httpx2.HTTPError, OSError) as error:
        shown = None if until is None else until.isoformat()
        problem = f"Quartermaster at {run.url} does not answer: {error}. Read its log."
        return ServiceReachability(run.url, shown, problem)
    if until is None:
        return ServiceReachability(run.url)
    days = (until - datetime.now(UTC)).days
    soon = f"The certificate of {run.url} expires in {days} days. Renew it; no restart is needed."
    return ServiceReachability(run.url, until.isoformat(), soon if days < _WARN_DAYS else None)


def _certificate_until(url: str, trusted: ssl.SSLContext) -> datetime:
    place = urlsplit(url)
    assert place.hostname is not None
    with (
        socket.create_connection((place.hostname, place.port or 443), _ANSWER_S) as connection,
        trusted.wrap_socket(connection, server_hostname=place.hostname) as secured,
    ):
        shown: Any = secured.getpeercert()
    return datetime.fromtimestamp(ssl.cert_time_to_seconds(shown["notAfter"]), UTC)
