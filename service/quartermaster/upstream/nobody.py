"""The requester of requests that nobody stands behind: probes, and work of the service's own."""

from __future__ import annotations

from typing import Final

import mcp_types as types


class _Nobody:
    @property
    def key(self) -> object:
        return None

    @property
    def capabilities(self) -> types.ClientCapabilities:
        return types.ClientCapabilities()

    @property
    def client(self) -> types.Implementation | None:
        return None

    @property
    def log_level(self) -> types.LoggingLevel | None:
        return None

    async def ask(self, question: types.InputRequest) -> types.ErrorData:
        return types.ErrorData(
            code=types.INVALID_REQUEST, message=f"There is nobody to answer {question.method}."
        )

    async def tell(self, message: types.LoggingMessageNotificationParams) -> None:
        del message


NOBODY: Final = _Nobody()
