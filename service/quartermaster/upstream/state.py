"""Describes the state of the upstreams for operators."""

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
        since: time when the upstream entered this state, in UTC.
        pid: process id of a stdio upstream that is running.
        protocol_version: protocol version that was negotiated on the current or last connection.
        in_flight: number of listings and calls that are running or waiting for the connection.
        waiting: number of these that are waiting because too many are running.
        last_error: text of the last connection failure or connection loss.
    """

    state: Literal["idle", "connecting", "connected", "down"]
    since: datetime
    pid: int | None
    protocol_version: str | None
    in_flight: int
    waiting: int
    last_error: str | None


def state_of(held: Connection, started: datetime) -> UpstreamState:
    """Returns the state of one connection.

    Args:
        held: connection to describe.
        started: start of the idle time, if the connection was never used.
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
