"""Ports for programs that cannot say themselves which one they took."""

from __future__ import annotations

import socket


def free_port() -> int:
    """Returns a loopback port that nobody listens at now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
