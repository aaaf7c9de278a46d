"""Watches the resources of an upstream."""

from __future__ import annotations

import anyio

from quartermaster.upstream.connection import UpstreamConnection
from quartermaster.upstream.link import UpstreamLink
from quartermaster.upstream.request import send_raw


async def watch(connection: UpstreamConnection, uri: str) -> None:
    """Starts to watch a resource. After a lost connection, the next connection watches it again.

    Raises:
        UpstreamError: the upstream refused, or the request failed.
    """
    await _tell(connection, "resources/subscribe", uri)
    connection.watched.add(uri)
    _listen_anew(connection)


async def unwatch(connection: UpstreamConnection, uri: str) -> None:
    """Stops watching a resource.

    Raises:
        UpstreamError: the request failed; even then, no further updates are reported.
    """
    if uri in connection.watched:
        connection.watched.discard(uri)
        _listen_anew(connection)
        await _tell(connection, "resources/unsubscribe", uri)


async def _tell(connection: UpstreamConnection, method: str, uri: str) -> None:
    async def tell(link: UpstreamLink) -> None:
        # A stateless upstream learns about a subscription from the next stream.
        if not link.is_stateless:
            with anyio.fail_after(connection.spec.list_timeout_s):
                await send_raw(link.session, method, {"uri": uri})

    await connection.use(tell, f"answering {method}", is_call=False)


def _listen_anew(connection: UpstreamConnection) -> None:
    if connection.link is not None:
        connection.link.notifications.others_watched.set()
