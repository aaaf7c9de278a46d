"""The instructions that a client gets when it connects: how to search, and which servers there are.

They are made from what the caller may see. Many clients cut them after 2 KiB, and all repeat them
in each request to a model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, Final, cast

from anyio import to_thread
from mcp.server.context import CallNext, HandlerResult

from quartermaster import api
from quartermaster.calls.caller import Callers
from quartermaster.calls.sessions import Context
from quartermaster.core.errors import QmError
from quartermaster.core.logs import get_logger
from quartermaster.db import Database, Principal, Row
from quartermaster.doors.mcp.bridge_tools import INSTRUCTIONS
from quartermaster.doors.mcp.whole_list import WholeList
from quartermaster.guardrails.masking import sanitized

_GREETINGS: Final = frozenset({"initialize", "server/discover"})
_MOST_BYTES: Final = 2_000
# More lines than this never fit.
_MOST_ORIGINS: Final = 100
_NAME_CHARACTERS: Final = 60
_PURPOSE_CHARACTERS: Final = 120
_SERVERS: Final = "\n\nThe servers that it searches, and what they say of themselves:"
_LAST_LINE: Final = "\n- and {number} more"
_ALL_LISTED: Final = (
    "The tools of all servers are in your tool list, too: call them there by their names."
)


@dataclass(frozen=True)
class Introduction:
    """Adds instructions to the answer with which a connection begins.

    Attributes:
        callers: object that finds the sender of a request.
        database: database that decides which servers each principal may see.
    """

    callers: Callers
    database: Database

    async def __call__(self, ctx: Context, call_next: CallNext) -> HandlerResult:
        """Answers one message; a middleware of the SDK's server."""
        result = await call_next(ctx)
        if ctx.method not in _GREETINGS:
            return result
        return {**cast("dict[str, Any]", result), "instructions": await self._made_for(ctx)}

    async def _made_for(self, context: Context) -> str:
        try:
            # No session begins, because a client that only connects needs none.
            principal = await self.callers.principal_of(context)
            if self.callers.wants_all(context):
                return await self._of_list(principal)
            asked = api.describe_catalog(maximum=_MOST_ORIGINS)
            rows = await self.database.if_available(partial(self.database.call, asked, principal))
        except QmError as error:
            # The client is refused with its first request, in words that say why.
            get_logger().warning("instructions_not_made", error=str(error))
            return INSTRUCTIONS
        return await to_thread.run_sync(instructions, rows) if rows else INSTRUCTIONS

    async def _of_list(self, principal: Principal) -> str:
        """Returns instructions without the servers: each tool in the list has the name of its
        server. Codex searches the instructions with each tool, so a word that stands there finds
        none.
        """
        ask = partial(WholeList(self.database).extent, principal)
        extent = await self.database.if_available(ask)
        return f"{INSTRUCTIONS} {extent.notice() or _ALL_LISTED}" if extent else INSTRUCTIONS


def instructions(rows: Sequence[Row]) -> str:
    """Returns instructions of less than 2,000 bytes that name as many servers as fit.

    Args:
        rows: rows from api.describe_catalog, of which there must be one.
    """
    number: int = rows[0]["origins"]
    room = _MOST_BYTES - len((INSTRUCTIONS + _SERVERS + _LAST_LINE.format(number=number)).encode())
    lines: list[str] = []
    for row in rows:
        line = f"\n- {_line(row['origin'], _NAME_CHARACTERS)}"
        if purpose := _line(row["description"], _PURPOSE_CHARACTERS):
            line += f": {purpose}"
        room -= len(line.encode())
        if room <= 0:
            break
        lines.append(line)
    left_out = number - len(lines)
    rest = [_LAST_LINE.format(number=left_out)] if left_out else []
    return "".join([INSTRUCTIONS, _SERVERS, *lines, *rest])


@lru_cache(maxsize=4096)
def _line(text: str, longest: int) -> str:
    """Returns one line of a text that anybody may have written. It is masked before it is cut, so
    that no half of a secret is left.
    """
    flat = " ".join(sanitized(text).split())
    return flat if len(flat) <= longest else flat[: longest - 1].rstrip() + "…"
