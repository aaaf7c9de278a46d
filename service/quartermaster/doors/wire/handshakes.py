"""Accepts connections with TLS, and limits the memory of connections that do not complete their
handshake. A connection needs about 60 kB during its handshake, sixteen times as much as a
connection without TLS.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_address
from typing import Final, NoReturn

from quartermaster.core.logs import get_logger

# Their memory is at most about 30 MB.
_MOST_OPEN: Final = 500
# The process may have no file descriptor left for another connection.
_PAUSE_S: Final = 0.5

log = get_logger(part="tls")


@dataclass(eq=False)
class Handshakes:
    """The handshakes of one listening socket.

    If too many handshakes are open, the oldest handshake of the network (see `network_of`) with the
    most handshakes is ended. So a client that opens many handshakes loses its own handshakes.

    Like an asyncio server, the object can be closed, and callers can wait until it is closed.

    Attributes:
        context: certificate and key of the service.
        limit_s: time limit for a handshake.
        make: function that makes the protocol for a connection. The protocol gets the connection
            when the handshake is complete.
        most: largest number of open handshakes.
    """

    context: ssl.SSLContext
    limit_s: float
    make: Callable[[], asyncio.Protocol]
    most: int = _MOST_OPEN
    # By handshake, the network that it is from. A dict has an order: the first is the oldest.
    _open: dict[asyncio.Task[None], str] = field(
        default_factory=dict[asyncio.Task[None], str], init=False
    )
    _accepting: asyncio.Task[NoReturn] | None = field(default=None, init=False)

    def start(self, listener: socket.socket, backlog: int) -> None:
        """Listens, and accepts connections until `close` is called."""
        listener.setblocking(False)
        listener.listen(backlog)
        self._accepting = asyncio.get_running_loop().create_task(self._accept(listener))

    def close(self) -> None:
        """Stops accepting connections, and ends all open handshakes."""
        assert self._accepting is not None
        self._accepting.cancel()
        for handshake in self._open:
            handshake.cancel()

    async def wait_closed(self) -> None:
        """Waits until no further connection can arrive."""
        assert self._accepting is not None
        await asyncio.wait([self._accepting])

    async def _accept(self, listener: socket.socket) -> NoReturn:
        loop = asyncio.get_running_loop()
        while True:
            try:
                connection, address = await loop.sock_accept(listener)
            except OSError as error:
                log.warning("connection_not_accepted", error=str(error))
                await asyncio.sleep(_PAUSE_S)
                continue
            if len(self._open) >= self.most:
                self._end_one()
            handshake = loop.create_task(self._shake_hands(connection))
            self._open[handshake] = network_of(address[0])
            handshake.add_done_callback(lambda ended, its=connection: self._end(ended, its))

    def _end_one(self) -> None:
        [(busiest, _)] = Counter(self._open.values()).most_common(1)
        oldest = next(one for one, network in self._open.items() if network == busiest)
        del self._open[oldest]
        oldest.cancel()

    async def _shake_hands(self, connection: socket.socket) -> None:
        await asyncio.get_running_loop().connect_accepted_socket(
            self.make, connection, ssl=self.context, ssl_handshake_timeout=self.limit_s
        )

    def _end(self, handshake: asyncio.Task[None], connection: socket.socket) -> None:
        self._open.pop(handshake, None)
        error = None if handshake.cancelled() else handshake.exception()
        if handshake.cancelled() or error is not None:
            connection.close()
        # A client that does not speak TLS, or that is gone, is no problem of the service.
        if error is not None and not isinstance(error, OSError):
            log.error("handshake_failed", exc_info=error)


def network_of(host: str) -> str:
    """Returns the network of an address: the whole address for IPv4, and the first half for IPv6,
    because a client can choose the second half freely.
    """
    address = ip_address(host.partition("%")[0])
    if isinstance(address, IPv6Address) and address.ipv4_mapped is None:
        return address.packed[:8].hex()
    return str(address)
