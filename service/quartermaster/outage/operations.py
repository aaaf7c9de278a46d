"""The operations that are answered without the database, from what was kept of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from anyio import to_thread

from quartermaster.core.errors import QmError
from quartermaster.db import Principal, Row
from quartermaster.outage import refusals
from quartermaster.outage.asset_operations import AssetOperations
from quartermaster.outage.kept import Kept
from quartermaster.outage.search import described, search_items, within
from quartermaster.outage.spool import Spool
from quartermaster.settings.modes import Modes
from quartermaster.upstream.breakers import Breakers

Arguments = Mapping[str, Any]
Operation = Callable[[Principal, Arguments], Awaitable[list[Row]]]
OwnOperation = Callable[[Arguments], Awaitable[list[Row]]]
TOOL: Final = "tool"
_LONGEST_GOAL: Final = 10_000
_TOLD: Final = frozenset({"outcome", "duration_ms", "result_bytes", "failure", "attempts"})


class Operations:
    """Operations of schema api by name, each with the arguments and rows of its namesake.

    Args:
        kept: what was kept of the database.
        spool: where calls are written down.
        modes: say how many tools a mode shows.
        breakers: which origins were not to be called.
    """

    def __init__(self, kept: Kept, spool: Spool, modes: Modes, breakers: Breakers) -> None:
        self._breakers = breakers
        self._kept = kept
        self._spool = spool
        self._top_by_mode = {
            "fast": modes.fast.top,
            "balanced": modes.balanced.top,
            "thorough": modes.thorough.top,
        }
        self._exposed: dict[str, set[str]] = {}
        self.by_name: dict[str, Operation] = {
            "find_toolset": self._find_toolset,
            "search_tools": self._search_tools,
            "search_cards": self._search_cards,
            "describe_card": self._describe_card,
            "rerank_candidates": self._nothing,
            "last_receipt": self._last_receipt,
            "count_arrivals": self._nothing,
            "describe_tool": self._describe_tool,
            "record_denial": self._nothing,
            "list_exposed": self._list_exposed,
            "end_session": self._nothing,
            "get_connection": self._get_connection,
            "call_begin": self._call_begin,
            "call_end": self._call_end,
            "status": self._status,
        } | AssetOperations(kept, spool, breakers).by_name

        self.own_by_name: dict[str, OwnOperation] = {"end_calls": self._end_calls}

    def remember(self, operation: str, arguments: Arguments, rows: list[Row]) -> None:
        """Notes what the database has said of the tools that sessions were given."""
        session: str | None = arguments.get("session")
        if session is None:
            return
        names = {row["name"] for row in rows if "name" in row}
        if operation == "search_tools":
            self._exposed.setdefault(session, set()).update(names)
        elif operation == "list_exposed":
            self._exposed[session] = names
        elif operation == "end_session":
            self._exposed.pop(session, None)

    async def _find_toolset(self, _principal: Principal, arguments: Arguments) -> list[Row]:
        name: str = arguments["name"]
        if not (await self._kept.open()).rights.has_toolset(name):
            raise refusals.toolset_not_found(name)
        return [{"toolset": name, "description": ""}]

    async def _search_tools(self, principal: Principal, arguments: Arguments) -> list[Row]:
        _require_now(arguments)
        goal = _goal(arguments)
        opened = await self._kept.open()
        sees = opened.rights.sight(principal)
        return await to_thread.run_sync(
            opened.definitions.search,
            goal,
            sees,
            self._top(arguments),
            arguments.get("budget_tokens"),
        )

    async def _search_cards(self, principal: Principal, arguments: Arguments) -> list[Row]:
        goal = _goal(arguments)
        rights = (await self._kept.open()).rights
        budget: int | None = arguments.get("budget_tokens")
        kinds: list[str] = arguments.get("kinds") or [TOOL]
        rows: list[Row] = []
        for kind in kinds:
            if kind == TOOL:
                tools = await self._search_tools(principal, arguments)
                rows += [row | {"kind": TOOL} for row in tools]
            else:
                items = rights.assets(principal, kind, None)
                names = {number: item["name"] for number, item in rights.origins.items()}
                rows += await to_thread.run_sync(search_items, goal, kind, items, names)
        rows.sort(key=lambda row: -row["score"])
        return within(rows, self._top(arguments), budget)

    async def _describe_card(self, principal: Principal, arguments: Arguments) -> list[Row]:
        kind: str = arguments["kind"]
        name: str = arguments["name"]
        rights = (await self._kept.open()).rights
        if kind == TOOL:
            tool = await self._find_tool(principal, name)
            found = tool and (tool["origin"], tool["definition"])
        else:
            item = rights.assets(principal, kind, None).get(name)
            found = item and (rights.origins[item.origin_id]["name"], item.definition)
        if not found:
            raise refusals.card_not_found(kind, name)
        origin, definition = found
        card = {"kind": kind, "name": name, "origin": origin, "definition": definition}
        return [{"describe_card": card}]

    def _top(self, arguments: Arguments) -> int:
        top: int | None = arguments.get("top")
        return top or self._top_by_mode[arguments.get("mode", "balanced")]

    async def _last_receipt(self, _principal: Principal, _arguments: Arguments) -> list[Row]:
        return [{"last_receipt": None}]

    async def _nothing(self, _principal: Principal, _arguments: Arguments) -> list[Row]:
        return []

    async def _describe_tool(self, principal: Principal, arguments: Arguments) -> list[Row]:
        _require_now(arguments)
        tool = await self._find_tool(principal, arguments["name"])
        if tool is None:
            raise refusals.tool_not_found(arguments["name"])
        columns = ("callable_name", "origin", "version", "content_hash")
        row = {name: tool[name] for name in columns} | described(tool)
        valid_from = datetime.fromisoformat(tool["valid_from"])
        tool_name = tool["definition"]["name"]
        return [row | {"tool": tool_name, "valid_from": valid_from, "valid_to": None}]

    async def _list_exposed(self, principal: Principal, arguments: Arguments) -> list[Row]:
        rows: list[Row] = []
        for name in sorted(self._exposed.get(arguments["session"], ())):
            tool = await self._find_tool(principal, name)
            if tool is not None:
                rows.append({"name": name, **described(tool)})
        return rows

    async def _get_connection(self, _principal: Principal, arguments: Arguments) -> list[Row]:
        origin = (await self._kept.open()).rights.origins.get(arguments["origin_id"])
        if origin is None:
            raise refusals.origin_not_found(arguments["origin_id"])
        return [origin]

    async def _call_begin(self, principal: Principal, arguments: Arguments) -> list[Row]:
        tool = await self._find_tool(principal, arguments["name"])
        columns = ("call_id", "origin_id", "origin", "ref", "tool", "version", "content_hash")
        if tool is None:
            return [dict.fromkeys((*columns, "input_schema"))]
        origin = (await self._kept.open()).rights.origin_of(tool["id"])
        if origin["transport"] == "none":
            raise refusals.origin_not_callable(origin["name"])
        if arguments.get("idempotency_key") is not None:
            raise refusals.needs_database(
                "whether this idempotency key was used", "Send the same again"
            )
        key: UUID = arguments["key"]
        record = {
            "at": arguments["started_at"].isoformat(),
            "key": str(key),
            "principal_id": principal.id,
            "instance_id": str(arguments["instance"]),
            "request_id": arguments["request_id"],
            "receipt_id": arguments.get("receipt"),
            "kind": TOOL,
            "ref": tool["id"],
            "version": tool["version"],
            "argument_bytes": arguments["argument_bytes"],
        }
        await to_thread.run_sync(self._spool.begin, record)
        begun = (key, origin["id"], origin["name"], tool["id"], tool["definition"]["name"])
        row = dict(zip(columns, (*begun, tool["version"], tool["content_hash"]), strict=True))
        row |= self._breakers.columns(origin["id"])
        return [row | {"input_schema": tool["definition"].get("input_schema")}]

    async def _call_end(self, principal: Principal, arguments: Arguments) -> list[Row]:
        call: int | UUID = arguments["call_id"]
        known_by = {"key": str(call)} if isinstance(call, UUID) else {"call_id": call}
        # Neither arguments nor results are on the disk.
        told = {name: value for name, value in arguments.items() if name in _TOLD}
        told["started_at"] = arguments["started_at"].isoformat()
        record = {**known_by, "principal_id": principal.id, **told}
        await to_thread.run_sync(self._spool.end, record)
        return [{"call_end": None}]

    async def _end_calls(self, arguments: Arguments) -> list[Row]:
        for record in arguments["ends"]:
            await to_thread.run_sync(self._spool.end, record)
        return [{"end_calls": len(arguments["ends"])}]

    async def _status(self, principal: Principal, _arguments: Arguments) -> list[Row]:
        opened = await self._kept.open()
        sees = opened.rights.sight(principal)
        tools = opened.rights.tools.items()
        return [{"status": {"cards": {TOOL: sum(sees(number, row[0]) for number, row in tools)}}}]

    async def _find_tool(self, principal: Principal, name: str) -> Row | None:
        opened = await self._kept.open()
        sees = opened.rights.sight(principal)
        return await to_thread.run_sync(opened.definitions.find, name, sees)


def _goal(arguments: Arguments) -> str:
    goal: str = arguments["goal"].strip()
    if not goal:
        raise QmError(422, "goal_empty", "the goal is empty", "Say what you want to do.")
    return goal[:_LONGEST_GOAL]


def _require_now(arguments: Arguments) -> None:
    if arguments.get("as_of") is not None:
        raise refusals.needs_database("how things were", "Leave out as_of, or try again")
