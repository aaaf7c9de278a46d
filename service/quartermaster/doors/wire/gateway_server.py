"""The SDK's server, extended by the capabilities that our servers declare."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import mcp_types as types
from mcp.server import Server
from mcp.server.caching import CacheableMethod, CacheHint
from mcp.server.lowlevel import NotificationOptions

from quartermaster.calls.relay.parking import Parking
from quartermaster.doors.wire.session_limit import LimitedSessions, SessionLimit
from quartermaster.settings.sections import ServerSettings as Options

# Clients that listen learn about changes immediately; this lifetime is for clients that do not
# listen.
_LIST_TTL_MS: Final = 300_000
_LISTS: Final[tuple[CacheableMethod, ...]] = (
    *("tools/list", "prompts/list"),
    *("resources/list", "resources/templates/list"),
)
CACHE_HINTS: Final[dict[CacheableMethod, CacheHint]] = {
    **dict.fromkeys(_LISTS, CacheHint(ttl_ms=_LIST_TTL_MS, scope="private")),
    "resources/read": CacheHint(ttl_ms=0, scope="private"),
}
"""The time for which clients may cache an answer if its origin does not state a time."""

Capabilities = Callable[[str | None], types.ServerCapabilities]


class GatewayServer(Server[Parking]):
    """A server that declares to its clients that its lists can change. Over HTTP, the SDK would not
    declare this.

    Attributes:
        capabilities: function that returns the capabilities for a client's revision; None declares
            everything that is handled.
    """

    capabilities: Capabilities | None = None

    def get_capabilities(
        self,
        notification_options: NotificationOptions | None = None,
        experimental_capabilities: dict[str, dict[str, Any]] | None = None,
        extensions: dict[str, dict[str, Any]] | None = None,
        *,
        protocol_version: str | None = None,
    ) -> types.ServerCapabilities:
        """Returns the capabilities that clients see."""
        del notification_options
        if self.capabilities is not None:
            return self.capabilities(protocol_version)
        changing = NotificationOptions(
            tools_changed=True, resources_changed=True, prompts_changed=True
        )
        return super().get_capabilities(
            changing, experimental_capabilities, extensions, protocol_version=protocol_version
        )

    def over_http(self, options: Options, limit: SessionLimit) -> LimitedSessions:
        """Returns the HTTP sessions of the server's clients.

        Args:
            options: settings of the HTTP server.
            limit: limit for the sessions of one principal.
        """
        return LimitedSessions(self, options, limit)

    @property
    def server_info_stamp(self) -> dict[str, Any]:
        """The server's current name and version for results. Without this override, the SDK would
        cache them.
        """
        return self.server_info.model_dump(by_alias=True, mode="json", exclude_none=True)
