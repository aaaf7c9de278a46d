"""The operations that the outage copy answers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from functools import partial
from typing import Any, Final
from uuid import UUID

from anyio import to_thread

from quartermaster.core.errors import QmError
from quartermaster.db import Principal, Row
from quartermaster.outage.cards import Card
from quartermaster.outage.kept import Kept
from quartermaster.outage.refusals import needs_database, quoted
from quartermaster.outage.rights import Rights
from quartermaster.outage.spool import Spool
from quartermaster.upstream.breakers import Breakers

Arguments = Mapping[str, Any]
Operation = Callable[[Principal, Arguments], Awaitable[list[Row]]]
OwnOperation = Callable[[Arguments], Awaitable[list[Row]]]
_TOLD: Final = frozenset({"outcome", "duration_ms", "result_bytes", "failure", "attempts"})


class Operations:
    """Operations of schema api by name, each with the arguments and rows of its namesake.

    Limits, modes and the words of errors are those that were kept.

    Args:
        kept: what was kept of the database.
        spool: where calls are written down.
        breakers: which origins were not to be called.
    """

    def __init__(self, kept: Kept, spool: Spool, breakers: Breakers) -> None:
        self._breakers = breakers
        self._kept = kept
        self._spool = spool
        self._exposed: dict[tuple[int, str], set[str]] = {}
        self.by_name: dict[str, Operation] = {
            "find_toolset": self._find_toolset,
            "search_tools": partial(self._search, "search_tools"),
            "search_cards": partial(self._search, "search_cards"),
            "describe_card": self._describe_card,
            "rerank_candidates": self._no_candidates,
            "last_receipt": partial(self._nothing, "last_receipt"),
            "count_arrivals": partial(self._nothing, "count_arrivals"),
            "describe_tool": self._describe_tool,
            "record_denial": partial(self._nothing, "record_denial"),
            "list_exposed": self._list_exposed,
            "end_session": self._end_session,
            "get_connection": self._get_connection,
            "list_items": self._list_items,
            "view_digests": self._view_digests,
            "may_read": self._may_read,
            "call_begin": partial(self._begin, "call_begin"),
            "relay_begin": partial(self._begin, "relay_begin"),
            "call_end": self._call_end,
            "status": self._status,
        }
        self.own_by_name: dict[str, OwnOperation] = {"end_calls": self._end_calls}

    def remember(
        self, operation: str, principal: Principal, arguments: Arguments, rows: list[Row]
    ) -> None:
        """Notes what the database said about the tools of sessions."""
        session: str | None = arguments.get("session")
        if session is None:
            return
        key = (principal.id, session)
        names = {row["name"] for row in rows if "name" in row}
        if operation == "search_tools":
            self._exposed.setdefault(key, set()).update(names)
        elif operation == "list_exposed":
            self._exposed[key] = names
        elif operation == "end_session":
            self._exposed.pop(key, None)

    async def _find_toolset(self, _principal: Principal, arguments: Arguments) -> list[Row]:
        name: str = arguments["name"]
        rights = await self._rights()
        if name not in rights.facts["toolsets"]:
            raise rights.error(
                "toolset_not_found", f"there is no toolset called {quoted(name, 100)}"
            )
        return [{"toolset": name, "description": rights.facts["toolsets"][name]}]

    async def _search(self, name: str, principal: Principal, arguments: Arguments) -> list[Row]:
        _require_now(arguments)
        opened = await self._kept.open()
        goal, top = _required(opened.rights, arguments)
        kinds = arguments.get("kinds", [opened.rights.facts["called_kind"]])
        _require_kinds(opened.rights, kinds)
        found = await to_thread.run_sync(
            opened.cards.search,
            goal,
            kinds,
            opened.rights.sight(principal),
            top,
            arguments.get("budget_tokens"),
        )
        rows = [
            self._breakers.columns(card.body["origin_id"])
            | card.columns()
            | {"rank": rank, "score": score, "scores": {"lexical": round(score, 4)}}
            for rank, (card, score) in enumerate(found, 1)
        ]
        return [opened.rights.row(name, row) for row in rows]

    async def _describe_card(self, principal: Principal, arguments: Arguments) -> list[Row]:
        _require_now(arguments)
        kind: str = arguments["kind"]
        _require_kinds(await self._rights(), [kind])
        card = await self._named(principal, kind, arguments["name"])
        row = card.columns()
        known = {name: row[name] for name in ("kind", "name", "origin", "brief")}
        return [{"describe_card": known | row["said"]}]

    async def _nothing(
        self, operation: str, _principal: Principal, _arguments: Arguments
    ) -> list[Row]:
        return [(await self._rights()).row(operation, {})]

    async def _no_candidates(self, _principal: Principal, _arguments: Arguments) -> list[Row]:
        return []

    async def _describe_tool(self, principal: Principal, arguments: Arguments) -> list[Row]:
        _require_now(arguments)
        kind: str = (await self._rights()).facts["called_kind"]
        card = await self._named(principal, kind, arguments["name"])
        valid_from = datetime.fromisoformat(card.body["valid_from"])
        row = card.columns() | {"valid_from": valid_from}
        return [(await self._rights()).row("describe_tool", row)]

    async def _list_exposed(self, principal: Principal, arguments: Arguments) -> list[Row]:
        rights = await self._rights()
        names = sorted(self._exposed.get((principal.id, arguments["session"]), ()))
        found = [await self._find(principal, rights.facts["called_kind"], name) for name in names]
        return [rights.row("list_exposed", card.columns()) for card in found if card]

    async def _end_session(self, principal: Principal, arguments: Arguments) -> list[Row]:
        names = self._exposed.pop((principal.id, arguments["session"]), ())
        return [{"end_session": len(names)}]

    async def _get_connection(self, principal: Principal, arguments: Arguments) -> list[Row]:
        rights = await self._rights()
        if principal.role not in rights.facts["connecting_roles"]:
            raise QmError.from_sqlstate("42501", None, "", None, None)
        origin_id: int = arguments["origin_id"]
        if origin_id not in rights.origins:
            raise rights.error("origin_not_found", f"there is no origin with the id {origin_id}")
        return [rights.origins[origin_id]]

    async def _list_items(self, principal: Principal, arguments: Arguments) -> list[Row]:
        opened = await self._kept.open()
        origin: str | None = arguments.get("of_origin")
        cards = await to_thread.run_sync(
            opened.cards.page,
            arguments["kind"],
            origin,
            arguments.get("after"),
            arguments.get("maximum", 1000),
            opened.rights.sight(principal),
        )
        rows = [card.columns() for card in cards]
        if origin is not None:
            rows = [row | {"name": row["target"]} for row in rows]
        return [opened.rights.row("list_items", row) for row in rows]

    async def _view_digests(self, _principal: Principal, _arguments: Arguments) -> list[Row]:
        # It differs from every digest of the database, so that clients refresh when that is back.
        rights = await self._rights()
        return [
            {"kind": kind, "digest": rights.read_at.isoformat()}
            for kind in sorted(rights.facts["kinds"])
        ]

    async def _may_read(self, principal: Principal, arguments: Arguments) -> list[Row]:
        kinds: dict[str, Row] = (await self._rights()).facts["kinds"]
        origin: str | None = arguments.get("of_origin")
        found = [
            await self._find(principal, kind, arguments["uri"], origin)
            for kind, known in kinds.items()
            if known["is_open"]
        ]
        return [{"may_read": any(found)}]

    async def _begin(self, operation: str, principal: Principal, arguments: Arguments) -> list[Row]:
        rights = await self._rights()
        facts = rights.facts
        kind: str = arguments.get("kind", facts["called_kind"])
        name: str = arguments["name"]
        card = await self._find(principal, kind, name, arguments.get("of_origin"))
        if card is None:
            if facts["kinds"].get(kind, {}).get("is_open"):
                # Rules apply to such a name by itself. An invisible one gives the same error.
                raise needs_database(
                    f"who may read {name[:200]!r}, which is not in your list", "Read it"
                )
            return [rights.row(operation, {})]
        row = card.columns()
        origin = rights.origins[row["origin_id"]]
        if origin["transport"] == "none":
            raise rights.error(
                "origin_not_callable",
                f"the origin {quoted(origin['name'])} is in the catalog, but not connected",
            )
        if arguments.get("idempotency_key") is not None:
            raise needs_database("whether this idempotency key was used", "Send the same again")
        key: UUID = arguments["key"]
        record = {
            "at": arguments["started_at"].isoformat(),
            "key": str(key),
            "principal_id": principal.id,
            "instance_id": str(arguments["instance"]),
            "request_id": arguments["request_id"],
            "argument_bytes": arguments["argument_bytes"],
            "receipt_id": arguments.get("receipt"),
            "kind": kind,
        }
        if "method" in arguments:
            record |= {name: row[name] for name in ("origin_id", "target")}
            record["method"] = arguments["method"]
        else:
            record |= {"ref": row["ref"], "version": row["version"]}
        await to_thread.run_sync(self._spool.begin, record)
        row |= self._breakers.columns(origin["id"]) | {"call_id": key, "is_trial": False}
        row["terms"] = facts["terms"].get(str(row["ref"]), facts["terms"][""])
        return [rights.row(operation, row)]

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
        cards = {
            kind: await to_thread.run_sync(opened.cards.count, kind, sees)
            for kind in _kept(opened.rights)
        }
        return [{"status": {"cards": cards}}]

    async def _rights(self) -> Rights:
        return (await self._kept.open()).rights

    async def _find(
        self, principal: Principal, kind: str, name: str, origin: str | None = None
    ) -> Card | None:
        opened = await self._kept.open()
        sees = opened.rights.sight(principal)
        return await to_thread.run_sync(opened.cards.find, kind, name, origin, sees)

    async def _named(self, principal: Principal, kind: str, name: str) -> Card:
        card = await self._find(principal, kind, name)
        if card is None:
            rights = await self._rights()
            called = f"there is no {kind.replace('_', ' ')} called {quoted(name, 200)}"
            raise rights.error(rights.facts["kinds"][kind]["not_found"], called)
        return card


def _required(rights: Rights, arguments: Arguments) -> tuple[str, int]:
    """The goal and how many cards it gets, if they are as api.search_cards wants them."""
    goal = (arguments["goal"] or "").strip()
    longest: int = rights.facts["longest_goal"]
    if not goal:
        raise rights.error("goal_empty", "the goal is empty")
    if len(goal) > longest:
        told = f"the goal has {len(goal)} characters, the limit is {longest}"
        raise rights.error("goal_too_long", told)
    modes: dict[str, int] = dict(rights.facts["modes"])
    mode: str | None = arguments.get("mode", "balanced")
    if mode not in modes:
        raise rights.error(
            "mode_unknown",
            f"there is no mode called {quoted(mode)}",
            f"Use one of: {', '.join(modes)}.",
        )
    top: int | None = arguments.get("top")
    if top is None:
        top = modes[mode]
    budget: int | None = arguments.get("budget_tokens")
    if not 1 <= top <= 100:
        raise rights.error(
            "argument_invalid",
            f"the number of cards must be between 1 and 100, got {top}",
            "Ask for 1 to 100, or leave it out.",
        )
    if budget is not None and budget < 1:
        raise rights.error(
            "argument_invalid",
            f"budget_tokens must be above 0, got {budget}",
            "A tool's definition has a few hundred tokens; omit it for no limit.",
        )
    return goal, top


def _kept(rights: Rights) -> list[str]:
    """The kinds whose cards are kept."""
    return [kind for kind, known in rights.facts["kinds"].items() if known["is_kept"]]


def _require_kinds(rights: Rights, kinds: list[str]) -> None:
    known: dict[str, Row] = rights.facts["kinds"]
    unknown = [kind for kind in kinds if kind not in known]
    if unknown or not kinds:
        told = f"there is no kind of card called {quoted(min(unknown, default=None))}"
        raise rights.error("kind_not_found", told)
    for kind in kinds:
        if not known[kind]["is_kept"]:
            raise needs_database(f"the cards of kind {kind}", "Search for them")


def _require_now(arguments: Arguments) -> None:
    if arguments.get("as_of") is not None:
        raise needs_database("how things were", "Leave out as_of, or try again")
