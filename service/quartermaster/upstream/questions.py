"""Brings questions and log messages of a handshake upstream to the right client."""

from __future__ import annotations

from typing import cast

import mcp_types as types
from mcp.client.session import ClientRequestContext

from quartermaster.upstream.exchange import Exchanges


class Questions:
    """The callbacks of one connection.

    Roots are not among them: the connection is shared, and the folders of one client are no
    other's business.

    Args:
        exchanges: the requests under way.
    """

    def __init__(self, exchanges: Exchanges) -> None:
        self._exchanges = exchanges

    async def elicit(
        self, context: ClientRequestContext, params: types.ElicitRequestParams
    ) -> types.ElicitResult | types.ErrorData:
        """The user's answer to a form, or to a page to be visited."""
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
            what = f"Several clients wait here, and {question.method} does not say whom it is for."
            return types.ErrorData(code=types.INVALID_REQUEST, message=what)
        return await exchange.ask(question)
