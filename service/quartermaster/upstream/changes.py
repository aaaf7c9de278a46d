"""How an upstream of the newest protocol revision tells that its tools changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import anyio
import mcp_types as types
from mcp import Client, MCPError
from mcp.client.subscriptions import SubscriptionLost

from quartermaster.logs import get_logger

_FIRST_DELAY_S: Final = 1.0
_LAST_DELAY_S: Final = 60.0


async def listen_for_changes(client: Client, origin: str, on_change: Callable[[], None]) -> None:
    """Call back at every change until cancelled; returns only if the upstream cannot tell.

    An interrupted stream is opened again and may have missed a change, so that counts as one.
    """
    delay_s = _FIRST_DELAY_S
    is_first = True
    while True:
        try:
            async with client.listen(tools_list_changed=True) as changes:
                if not is_first:
                    on_change()
                is_first, delay_s = False, _FIRST_DELAY_S
                async for _ in changes:
                    on_change()
        except (MCPError, SubscriptionLost) as error:
            if isinstance(error, MCPError) and error.code == types.METHOD_NOT_FOUND:
                return
            get_logger().info("upstream_listen_ended", origin=origin, error=str(error))
        await anyio.sleep(delay_s)
        delay_s = min(2 * delay_s, _LAST_DELAY_S)
