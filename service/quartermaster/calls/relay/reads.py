"""Lists resources and prompts from the catalog, and relays reads and completions to their
origins.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from typing import Any, Final

import mcp_types as types
from mcp import MCPError

from quartermaster import api
from quartermaster.calls.call_log import CallLog
from quartermaster.calls.call_record import PROVENANCE_KEY
from quartermaster.calls.caller import Caller
from quartermaster.calls.guarding import GuardrailFilter
from quartermaster.calls.relay.read_log import ReadLog, ReadRecord
from quartermaster.calls.relay.relay import Relay
from quartermaster.calls.tool_calls import require_size
from quartermaster.core.large import handled
from quartermaster.upstream.breakers import require_available
from quartermaster.upstream.failure import UpstreamError

PAGE: Final = 500
"""Largest number of list entries in one answer."""
JsonObject = dict[str, Any]
_MEMBERS: Final = {
    "resource": ("resources", "uri"),
    "resource_template": ("resourceTemplates", "uriTemplate"),
    "prompt": ("prompts", "name"),
}


def encoded(name: str) -> str:
    """Returns the cursor for the page that begins after a name."""
    return base64.urlsafe_b64encode(name.encode()).decode()


def decoded(cursor: str | None) -> str | None:
    """Returns the name after which a page begins; None for the first page.

    Raises:
        MCPError: INVALID_PARAMS: the cursor is unknown.
    """
    if cursor is None:
        return None
    try:
        return base64.b64decode(cursor.encode(), altchars=b"-_", validate=True).decode()
    except ValueError:
        raise MCPError(types.INVALID_PARAMS, f"The cursor {cursor[:80]!r} is unknown.") from None


class Reads:
    """Relays reads, that is, all requests except tool calls.

    Args:
        log: the log in which reads are recorded.
        relay: object that sends requests to the upstreams.
        guard: object that marks and masks the findings of the guardrails in resources and prompts.
        origin: the single origin that this endpoint serves, with the origin's own item names and
            without provenance in the results; None for the whole catalog with public names.
    """

    def __init__(
        self, log: CallLog, relay: Relay, guard: GuardrailFilter, origin: str | None = None
    ) -> None:
        self._database = log.database
        self._relay = relay
        self._guard = guard
        self._origin = origin
        self.log = ReadLog(log, origin)

    async def list(self, caller: Caller, kind: str, cursor: str | None) -> JsonObject:
        """Returns a page of the visible items.

        Args:
            caller: sender of the request.
            kind: resource, resource_template or prompt.
            cursor: cursor from the previous page.

        Raises:
            MCPError: INVALID_PARAMS: the cursor is unknown.
        """
        rows = await self._database.call(
            api.list_items(
                kind=kind, of_origin=self._origin, after=decoded(cursor), maximum=PAGE + 1
            ),
            caller.principal,
        )
        member, key = _MEMBERS[kind]
        page = [row["definition"] | {key: row["name"]} for row in rows[:PAGE]]
        if len(rows) <= PAGE:
            return {member: page}
        return {member: page, "nextCursor": encoded(rows[PAGE - 1]["name"])}

    async def read(self, caller: Caller, uri: str) -> JsonObject:
        """Reads a resource (resources/read).

        Raises:
            QmError: the errors of ReadLog.record and Relay.send.
            MCPError: the error that the upstream returned.
        """
        result, record = await self._relayed(caller, "resources/read", "resource", "uri", uri)
        prefix = uri.removesuffix(record.tool)
        if prefix:
            contents = [entry | {"uri": f"{prefix}{entry['uri']}"} for entry in result["contents"]]
            return result | {"contents": contents}
        return result

    async def get_prompt(self, caller: Caller, name: str) -> JsonObject:
        """Gets a prompt (prompts/get).

        Raises:
            QmError: the errors of ReadLog.record and Relay.send.
            MCPError: the error that the upstream returned.
        """
        result, _ = await self._relayed(caller, "prompts/get", "prompt", "name", name)
        return result

    async def complete(self, caller: Caller, reference: Mapping[str, Any]) -> JsonObject:
        """Completes an argument (completion/complete).

        Args:
            caller: sender of the request.
            reference: ``ref`` in the request: a prompt or a resource template.

        Raises:
            QmError: the errors of ReadLog.record and Relay.send.
            MCPError: the error that the upstream returned.
        """
        is_prompt = reference["type"] == "ref/prompt"
        kind, key = ("prompt", "name") if is_prompt else ("resource_template", "uri")
        method = "completion/complete"
        params = caller.context.params or {}
        async with self.log.record(caller, method, kind, reference[key], params) as record:
            own = {"ref": {**reference, key: record.tool}}
            return await self._send(caller, record, method, {**params, **own})

    async def _relayed(
        self, caller: Caller, method: str, kind: str, key: str, name: str
    ) -> tuple[JsonObject, ReadRecord]:
        params = caller.context.params or {}
        async with self.log.record(caller, method, kind, name, params) as record:
            return await self._send(caller, record, method, {**params, key: record.tool}), record

    async def _send(
        self, caller: Caller, record: ReadRecord, method: str, params: Mapping[str, Any]
    ) -> JsonObject:
        try:
            require_available(record.origin, record.unavailable_until, record.unavailable_because)
            result = await self._relay.send(caller, record.origin_id, method, params)
        except UpstreamError as error:
            if error.reply is None:
                raise
            message = await self._guard.text(error.reply.message, record.terms.guardrails)
            record.outcome, record.failure = "tool_error", message
            error_data = error.reply.model_copy(update={"message": message})
            raise MCPError.from_error_data(error_data) from error
        record.outcome = "ok"
        record.result_bytes = await handled(result, _size, result)
        require_size(record)
        result, record.findings = await self._guard.read(result, record.terms.guardrails)
        if self._origin is not None:
            return result
        meta: JsonObject = {**(result.get("_meta") or {}), PROVENANCE_KEY: record.provenance}
        # This member describes the upstream's server, not Quartermaster.
        meta.pop(types.SERVER_INFO_META_KEY, None)
        return result | {"_meta": meta}


def _size(result: JsonObject) -> int:
    return len(json.dumps(result, ensure_ascii=False).encode())
