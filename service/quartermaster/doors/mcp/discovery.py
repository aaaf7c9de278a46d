"""Answers the bridge tools search_tools and describe_tool, and provides the tool list for session
clients.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final

import mcp_types as types

from quartermaster import api
from quartermaster.calls.caller import Caller
from quartermaster.calls.replies import compact_json, text_result
from quartermaster.calls.sessions import HandshakeSession
from quartermaster.core.api_call import AnyRow, ApiCall
from quartermaster.core.errors import QmError, argument_invalid
from quartermaster.core.kinds import TOOL
from quartermaster.core.moments import parse_moment
from quartermaster.db import Principal, Row
from quartermaster.doors.mcp.bridge_tools import own_tools
from quartermaster.doors.mcp.definitions import (
    definition_of,
    found_tool,
    listed_definition,
    signature,
)
from quartermaster.doors.mcp.whole_list import LIST_KEY, Extent, WholeList
from quartermaster.retrieval import SearchResult
from quartermaster.service import Service

WARNINGS_KEY: Final = "quartermaster/warnings"

_NOTHING_FITS: Final = "No {what} fit this goal. The nearest {what} are below, best first."


class Discovery:
    """Answers calls to search_tools and describe_tool from the catalog.

    Args:
        service: service that provides the database and the embedding model.
    """

    def __init__(self, service: Service) -> None:
        self._service = service
        self._whole = WholeList(service.database)

    async def search(self, caller: Caller, arguments: Mapping[str, Any]) -> types.CallToolResult:
        """Answers search_tools. If the search adds tools to a session client's list, tells the
        client that its list has changed.

        Raises:
            QmError: the errors of `answer`.
        """
        # Tools from the past cannot be called, so they are not added to a list.
        session = caller.session if _moment(arguments) is None else None
        receipts: dict[str, int] = {}
        reply = await self.answer(caller.principal, arguments, session, receipts)
        if session is not None and receipts:
            await self._announce_found(caller, session, receipts)
        return reply

    async def answer(
        self,
        principal: Principal,
        arguments: Mapping[str, Any],
        session: HandshakeSession | None = None,
        receipts: dict[str, int] | None = None,
    ) -> types.CallToolResult:
        """Answers search_tools.

        Args:
            principal: who searches.
            arguments: arguments that match the schema of search_tools.
            session: session whose list grows by the tools that are found; None if there is none.
            receipts: mapping to which the receipt for each of these tools is added.

        Raises:
            QmError: QM422 argument_invalid, and the errors of api.search_tools.
        """
        if arguments.get("kinds", [TOOL]) != [TOOL]:
            return await self._search_cards(principal, arguments)
        goal: str = arguments["goal"]
        as_of = _moment(arguments)
        found = await self._service.retriever.search(
            principal,
            goal,
            mode=arguments.get("mode"),
            recent_context=arguments.get("recent_context"),
            top=arguments.get("limit"),
            budget_tokens=arguments.get("budget_tokens"),
            session=session.id if session else None,
            as_of=as_of,
        )
        if session is not None and receipts is not None:
            receipts |= {row["name"]: row["receipt"] for row in found.rows}
        # A stateless client's list never grows, so the answer contains everything that a call
        # needs.
        full = arguments.get("full", session is None)
        if as_of is not None:
            reply = past_reply(goal, found.rows, as_of, full=full)
        else:
            receipt = (
                found.rows[0]["receipt"] if found.rows else await self._receipt(principal, goal)
            )
            database = self._service.database
            arrivals: Row | None = None
            if nothing_fits(found.rows):
                arrivals = await database.if_available(
                    partial(database.call_one, api.count_arrivals(), principal)
                )
            listed = session is not None
            reply = search_reply(
                goal, found.rows, receipt, full=full, listed=listed, arrivals=arrivals
            )
        return self._noted(reply, found)

    async def _search_cards(
        self, principal: Principal, arguments: Mapping[str, Any]
    ) -> types.CallToolResult:
        if _moment(arguments) is not None:
            raise argument_invalid(
                "With as_of, only tools can be searched.", "Leave out kinds or as_of."
            )
        found = await self._service.retriever.search(
            principal,
            arguments["goal"],
            operation=api.search_cards,
            kinds=arguments["kinds"],
            mode=arguments.get("mode"),
            recent_context=arguments.get("recent_context"),
            top=arguments.get("limit"),
            budget_tokens=arguments.get("budget_tokens"),
        )
        return self._noted(cards_reply(arguments["goal"], found.rows), found)

    def _noted(self, reply: types.CallToolResult, found: SearchResult) -> types.CallToolResult:
        if found.warnings:
            reply.meta = {WARNINGS_KEY: found.warnings}
        if found.advice is not None:
            # Some clients show the model only the text, others only the structured content.
            reply.content.append(types.TextContent(type="text", text=found.advice))
            reply.structured_content = {**(reply.structured_content or {}), "advice": found.advice}
        if notice := self._service.outage.notice():
            reply.content.append(types.TextContent(type="text", text=notice["message"]))
        return reply

    async def describe(self, caller: Caller, arguments: Mapping[str, Any]) -> types.CallToolResult:
        """Answers describe_tool.

        Raises:
            QmError: QM404 tool_not_found, QM422 argument_invalid, and the errors of
                api.describe_card and api.explain_absence.
        """
        if goal := arguments.get("why"):
            answer: dict[str, Any] = {
                **await self._service.retriever.explain_absence(
                    caller.principal,
                    goal,
                    arguments["name"],
                    kind=arguments.get("kind"),
                    as_of=_moment(arguments),
                )
            }
            return text_result(compact_json(answer), answer)
        if (kind := arguments.get("kind") or TOOL) != TOOL:
            name = arguments["name"]
            asked = api.describe_card(kind=kind, name=name, as_of=_moment(arguments))
            card: dict[str, Any] = (await self._definition(caller, asked, kind, name))[
                "describe_card"
            ]
            return text_result(compact_json(card), card)
        name = arguments["name"]
        definition = api.describe_tool(name=name, as_of=_moment(arguments))
        row = await self._definition(caller, definition, TOOL, name)
        ended: datetime | None = row["valid_to"]
        described = definition_of(row, row["callable_name"]) | {
            "origin": row["origin"],
            "tool": row["tool"],
            "version": row["version"],
            "contentHash": row["content_hash"],
            "validFrom": row["valid_from"].isoformat(),
            "validTo": ended.isoformat() if ended else None,
        }
        return text_result(compact_json(described), described)

    async def list_tools(self, caller: Caller) -> types.ListToolsResult:
        """Returns the bridge tools and, for a session client, the tools that the client has found,
        sorted by name. A client that searches by itself gets all its tools instead.

        Raises:
            QmError: the errors of api.list_exposed and service.list_tools.
        """
        session = caller.session
        version = caller.context.protocol_version
        listed: dict[str, dict[str, Any]] = {}
        meta: dict[str, Any] | None = None
        if caller.lists_all:
            listed, extent = await self._all(caller.principal, session, version)
            if extent.left_out > 0:
                meta = {
                    LIST_KEY: {
                        "listed": extent.listed,
                        "leftOut": extent.left_out,
                        "hint": extent.notice(),
                    }
                }
        elif session is not None:
            listed = await self._exposed(session, version)
        if session is not None:
            session.lists_all = caller.lists_all
            session.remember_list(listed)
        tools = [types.Tool.model_validate(tool, by_name=False) for tool in listed.values()]
        return types.ListToolsResult(tools=[*own_tools(), *tools], _meta=meta)

    async def _all(
        self, principal: Principal, session: HandshakeSession | None, protocol_version: str
    ) -> tuple[dict[str, dict[str, Any]], Extent]:
        listed, extent = await self._whole.definitions(principal, protocol_version)
        if session is not None and extent.left_out > 0:
            found = await self._exposed(session, protocol_version)
            listed = dict(sorted(({**found, **listed}).items()))
        return listed, extent

    async def list_changed(self, session: HandshakeSession) -> bool:
        """Returns whether tools in a session's list have changed in the catalog since its client
        fetched the list.

        Raises:
            QmError: the errors of api.list_exposed and service.list_tools.
        """
        version = session.peer.protocol_version
        if session.lists_all:
            listed, _ = await self._all(session.principal, session, version)
            return session.remember_list(listed)
        if not session.listed:
            return False
        return session.remember_list(await self._exposed(session, version))

    async def _exposed(
        self, session: HandshakeSession, protocol_version: str
    ) -> dict[str, dict[str, Any]]:
        database = self._service.database
        ask = partial(database.call, api.list_exposed(session=session.id), session.principal)
        rows = await database.if_available(ask)
        if rows is None:
            rows = await self._found_before(session)
        # A toolset offers what an operator chose.
        is_pinned = session.principal.toolset is not None
        tools = {
            row["name"]: listed_definition(
                row, protocol_version, is_pinned=is_pinned, is_found=True
            )
            for row in rows
        }
        return {name: tool for name, tool in tools.items() if tool is not None}

    async def _found_before(self, session: HandshakeSession) -> list[Row]:
        """Returns the tools that the session's searches have found. This also works while the
        database does not answer.
        """
        rows: list[Row] = []
        for name in sorted(session.receipts):
            try:
                row = await self._service.database.call_one(
                    api.describe_tool(name=name), session.principal
                )
            except QmError as error:
                if error.status != 404:
                    raise
            else:
                rows.append({**row, "name": name})
        return rows

    async def _definition(
        self, caller: Caller, asked: ApiCall[AnyRow], kind: str, name: str
    ) -> AnyRow:
        database = self._service.database
        try:
            return await database.call_one(asked, caller.principal)
        except QmError as error:
            if error.status == 404:
                # Operators find the reason in the decision log; the caller gets the error for a
                # missing card.
                await database.if_available(
                    partial(
                        database.call, api.record_denial(kind=kind, name=name), caller.principal
                    )
                )
            raise

    async def _receipt(self, principal: Principal, goal: str) -> int | None:
        """Returns the receipt of a search that found nothing. It is read separately, because the
        search returned no row that could contain the receipt.
        """
        database = self._service.database
        return await database.if_available(
            partial(database.call_value, api.last_receipt(goal=goal), principal)
        )

    async def _announce_found(
        self, caller: Caller, session: HandshakeSession, receipts: dict[str, int]
    ) -> None:
        session.receipts |= receipts
        if receipts.keys() <= session.listed.keys():
            return
        # The notification is sent on the answer's own stream, so that it arrives even if the client
        # has no other stream.
        await caller.context.session.send_notification(
            types.ToolListChangedNotification(), related_request_id=caller.context.request_id
        )


def _moment(arguments: Mapping[str, Any]) -> datetime | None:
    """Returns the time in ``as_of``; None if the text is empty, which means the same as leaving the
    argument out.
    """
    text: str | None = arguments.get("as_of")
    return parse_moment(text) if text else None


def search_reply(
    goal: str,
    rows: Sequence[Row],
    receipt: int | None,
    *,
    full: bool,
    listed: bool,
    arrivals: Row | None = None,
) -> types.CallToolResult:
    """Lists the tools that a search found, best first: one line per tool for the model, and all
    scores for programs.

    Args:
        goal: goal of the search.
        rows: rows from api.search_tools.
        receipt: receipt of the search.
        full: whether the structured answer contains complete definitions.
        listed: whether the tools are now part of the client's own list.
        arrivals: counts from api.count_arrivals if nothing fits; None if they were not
            requested.
    """
    also = " They are in your tool list now, too." if listed else ""
    # Without the database, there is no receipt.
    by = f", receipt {receipt}" if receipt is not None else ""
    first = f"Tools found: {len(rows)}, best first. Run one with call_tool{by}.{also}"
    if nothing_fits(rows):
        first = (
            f"{_NOTHING_FITS.format(what='tools')} If one of them is useful anyway, run it with"
            f" call_tool{by}.{also}"
        )
    facts: dict[str, Any] = {"receipt": receipt}
    if arrivals and arrivals["hint"]:
        facts["onTheirWay"] = {"installing": arrivals["installing"], "listing": arrivals["listing"]}
    hint = arrivals["hint"] if arrivals else None
    return _found_reply(goal, first, rows, facts, full=full, hint=hint)


def cards_reply(goal: str, rows: Sequence[Row]) -> types.CallToolResult:
    """Lists cards of several kinds, best first.

    Args:
        goal: goal of the search.
        rows: rows from api.search_cards.
    """
    cards = [
        {key: row[key] for key in ("rank", "kind", "name", "origin", "brief", "score", "receipt")}
        | {key: row[key] for key in ("weak", "unavailable") if row.get(key)}
        for row in rows
    ]
    if not cards:
        return text_result(f"No card was found for: {_shortened(goal)}", {"cards": []})
    first = f"Cards found: {len(cards)}, best first."
    if nothing_fits(rows):
        first = _NOTHING_FITS.format(what="cards")
    lines = [f"{first} Read one with describe_tool (name and kind)."]
    lines += [
        f"{row['rank']}. [{row['kind']}] {row['name']} {row['brief']}{_unavailable(row)}".rstrip()
        for row in rows
    ]
    return text_result("\n".join([*lines, *_remedies(rows)]), {"cards": cards})


def past_reply(
    goal: str, rows: Sequence[Row], as_of: datetime, *, full: bool
) -> types.CallToolResult:
    """Lists tools as they were offered at a given time, best first.

    Args:
        goal: goal of the search.
        rows: rows from api.search_tools.
        as_of: time in the past.
        full: whether the structured answer contains complete definitions.
    """
    first = (
        f"Tools found as of {as_of.isoformat()}: {len(rows)}, best first. call_tool runs "
        "the current version."
    )
    return _found_reply(goal, first, rows, {"asOf": as_of.isoformat()}, full=full)


def _found_reply(
    goal: str,
    first: str,
    rows: Sequence[Row],
    facts: dict[str, Any],
    *,
    full: bool,
    hint: str | None = None,
) -> types.CallToolResult:
    lines = [first]
    if not rows:
        lines = [f"No tool was found for: {_shortened(goal)}"]
        lines.append("Use other words, or name the thing to act on.")
    for row in rows:
        call = signature(row["name"], row["input_schema"])
        lines.append(f"{row['rank']}. {call} {row['brief']}{_unavailable(row)}".rstrip())
    lines += [*_remedies(rows), *([hint] if hint else [])]
    tools = [found_tool(row, full=full) for row in rows]
    return text_result("\n".join(lines), facts | {"tools": tools})


def nothing_fits(rows: Sequence[Row]) -> bool:
    """Returns whether there is no result, or every result is a weak match.

    Args:
        rows: rows from api.search_tools or api.search_cards.
    """
    return all(row.get("weak") for row in rows)


def _unavailable(row: Row) -> str:
    unavailable: Row | None = row.get("unavailable")
    if unavailable is None:
        return ""
    until = unavailable.get("until")
    when = f" until {datetime.fromisoformat(until).astimezone(UTC):%H:%M:%S} UTC" if until else ""
    return f" [cannot be called{when}: {unavailable['reason']}]"


def _remedies(rows: Sequence[Row]) -> list[str]:
    """Returns the remedies for results that cannot be called. Each remedy occurs once."""
    return list(dict.fromkeys(row["unavailable"]["remedy"] for row in rows if row["unavailable"]))


def _shortened(goal: str, longest: int = 100) -> str:
    return goal if len(goal) <= longest else goal[: longest - 1] + "…"
