"""Forwards questions and log messages from a handshake upstream to the right client."""

from __future__ import annotations

from typing import cast

import mcp_types as types
from mcp.client.session import ClientRequestContext

from quartermaster.upstream.exchange import Exchanges


class Questions:
    """The callbacks for one connection.

    There is no callback for roots, because the connection is shared and no client may see another
    client's folders.

    Args:
        exchanges: requests in progress.
    """

    def __init__(self, exchanges: Exchanges) -> None:
        self._exchanges = exchanges

    async def elicit(
        self, context: ClientRequestContext, params: types.ElicitRequestParams
    ) -> types.ElicitResult | types.ErrorData:
        """Returns the user's answer to a form or to a page to visit."""
        del context
        answer = await self._ask(types.ElicitRequest(params=params))
        return cast("types.ElicitResult | types.ErrorData", answer)

    async def sample(
        self, context: ClientRequestContext, params: types.CreateMessageRequestParams
    ) -> types.CreateMessageResult | types.CreateMessageResultWithTools | types.ErrorData:
        """Forwards a question to the client's model."""
        del context
        answer = await self._ask(types.CreateMessageRequest(params=params))
        return cast("types.CreateMessageResult | types.ErrorData", answer)

    async def log(self, params: types.LoggingMessageNotificationParams) -> None:
        """Forwards a log message, unless its client is unknown."""
        if (exchange := self._exchanges.find()) is not None:
            await exchange.requester.tell(params)

    async def _ask(self, question: types.InputRequest) -> types.InputResponse | types.ErrorData:
        exchange = self._exchanges.find()
        if exchange is None:
            what = (
                f"Several clients are waiting; {question.method} does not say which one it is for."
            )
            return types.ErrorData(code=types.INVALID_REQUEST, message=what)
        return await exchange.ask(question)
