"""The state of the upstreams, for operators."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from quartermaster.upstream.connection import Connection


@dataclass(frozen=True, slots=True)
class UpstreamState:
    """The state of one upstream.

    Attributes:
        state: ``idle`` before the first use, then ``connecting``, ``connected`` or ``down``.
        since: when it got into this state, UTC.
        pid: process id of a running stdio upstream.
        protocol_version: as negotiated on the current or last connection.
        in_flight: listings and calls running or waiting for the connection.
        waiting: of these, those that wait because too many run.
        last_error: the last failure to connect or loss of the connection, as text.
    """

    state: Literal["idle", "connecting", "connected", "down"]
    since: datetime
    pid: int | None
    protocol_version: str | None
    in_flight: int
    waiting: int
    last_error: str | None


def state_of(held: Connection, started: datetime) -> UpstreamState:
    """The state of one connection.

    Args:
        held: the connection.
        started: since when it was idle, if it was never used.
    """
    link = held.link
    return UpstreamState(
        state=link.state if link else "idle",
        since=link.since if link else started,
        pid=link.pid if link else None,
        protocol_version=link.protocol_version if link else None,
        in_flight=held.in_flight,
        waiting=held.admission.waiting,
        last_error=held.last_error.message if held.last_error else None,
    )
