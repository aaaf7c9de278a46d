"""Chooses a cluster's loopback port, the same at every start, so that the address stays valid."""

from __future__ import annotations

import secrets
import socket
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from quartermaster.core.errors import QmError
from quartermaster.core.paths import write_private

# The range is below the ports that systems use for outgoing connections.
_CANDIDATES: Final = range(20000, 32768)


@dataclass(frozen=True, slots=True)
class PortChoice:
    """A port that was free a moment ago.

    Attributes:
        port: the TCP port.
        taken: the previous port, if another program uses it now.
    """

    port: int
    taken: int | None = None


def choose(memory: Path, wanted: int | None) -> PortChoice:
    """Choose the requested port, else the previous port, else a free one.

    Args:
        memory: file written by `remember`, which need not exist.
        wanted: the requested port; if it is given, no other port is chosen.

    Raises:
        QmError: QM409 ``port_in_use`` if the requested port is taken.
    """
    if wanted is not None:
        if is_free(wanted):
            return PortChoice(wanted)
        raise QmError(
            409,
            "port_in_use",
            f"Another program uses port {wanted}.",
            "Choose another port for the database, or do not set one.",
        )
    remembered = _recall(memory)
    if remembered is not None and is_free(remembered):
        return PortChoice(remembered)
    while not is_free(port := secrets.choice(_CANDIDATES)):
        pass
    return PortChoice(port, taken=remembered)


def remember(memory: Path, port: int) -> None:
    """Make `choose` prefer this port from now on."""
    write_private(memory, f"{port}\n")


def is_free(port: int) -> bool:
    """Tell whether a server could listen on this loopback port now."""
    with socket.socket() as probe:
        # As in PostgreSQL, a connection that lingers after a stop does not block the port.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def _recall(memory: Path) -> int | None:
    try:
        port = int(memory.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None
    return port if 0 < port < 65536 else None
