"""Divides large results into pages. The reply contains the first page, and a handle for the
others.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import mcp_types as types

from quartermaster import api
from quartermaster.calls.call_record import CallRecord
from quartermaster.calls.caller import Caller
from quartermaster.calls.replies import compact_json, text_result
from quartermaster.core.errors import QmError
from quartermaster.core.json_text import is_json_of
from quartermaster.core.large import handled
from quartermaster.core.logs import get_logger
from quartermaster.db import Database

READ_RESULT: Final = "read_result"
PAGE_KEY: Final = "quartermaster/page"

# tools/list does not contain this tool. A reply that has further pages says how to call it.
READ_RESULT_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "handle": {"type": "string", "maxLength": 100},
        "start": {"type": "integer", "minimum": 0, "maximum": 2**53},
        "maximum": {"type": "integer", "minimum": 1, "maximum": 10_000_000},
    },
    "required": ["handle"],
    "additionalProperties": False,
}


class Pages:
    """Returns large results page by page.

    Args:
        database: the database, which stores the pages and decides how long to keep them.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def first(
        self, caller: Caller, record: CallRecord, reply: types.CallToolResult
    ) -> types.CallToolResult:
        """Returns the result with the first page of its text, or unchanged if its text fits on one
        page.

        A result that cannot be stored is not cut. Content other than text stays in the reply.

        Args:
            caller: owner of the result.
            record: record of the call.
            reply: result of the call.
        """
        most = record.terms.page_characters
        texts = [block.text for block in reply.content if block.type == "text"]
        value = [*texts, reply.structured_content]
        document, media_type = await handled(value, _document, reply)
        if len(document) <= most or not isinstance(record.id, int):
            return reply
        try:
            handle: str = await self._database.call_value(
                api.keep_page(
                    call_id=record.id,
                    started_at=record.started_at,
                    document=document,
                    media_type=media_type,
                ),
                caller.principal,
            )
        except QmError as error:
            get_logger().warning("result_not_paged", call=record.id, error=str(error))
            return reply
        others = [block for block in reply.content if block.type != "text"]
        page = _page(handle, document[:most], 0, len(document), media_type)
        return reply.model_copy(
            update={
                "content": [*page.content, *others],
                "structured_content": None,
                "meta": (reply.meta or {}) | (page.meta or {}),
            }
        )

    async def read(self, caller: Caller, arguments: Mapping[str, Any]) -> types.CallToolResult:
        """Returns a page of a stored result.

        Args:
            caller: the reader; only the owner of a result can read it.
            arguments: arguments according to READ_RESULT_SCHEMA.

        Raises:
            QmError: the errors of api.read_page.
        """
        row = await self._database.call_one(api.read_page(**arguments), caller.principal)
        start = arguments.get("start", 0)
        return _page(arguments["handle"], row["page"], start, row["characters"], row["media_type"])


def _document(reply: types.CallToolResult) -> tuple[str, str]:
    """Returns the result as one text: its text blocks, or JSON if it has other content."""
    texts = [block.text for block in reply.content if block.type == "text"]
    text, structured = "\n".join(texts), reply.structured_content
    if structured is None or is_json_of(text, structured):
        return text, "text/plain"
    return compact_json({"text": texts, "structuredContent": structured}), "application/json"


def _page(
    handle: str, text: str, start: int, characters: int, media_type: str
) -> types.CallToolResult:
    end = start + len(text)
    facts: dict[str, Any] = {
        "handle": handle,
        "start": start,
        "characters": characters,
        "mediaType": media_type,
        "nextStart": end if end < characters else None,
    }
    reply = text_result(text, None)
    reply.meta = {PAGE_KEY: facts}
    if end < characters:
        asked = compact_json({"name": READ_RESULT, "arguments": {"handle": handle, "start": end}})
        note = f"[Characters {start} to {end} of {characters}. Go on with call_tool {asked}]"
        reply.content.append(types.TextContent(type="text", text=note))
    return reply
