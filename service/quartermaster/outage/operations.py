"""The operations that are answered from the outage copy during an outage."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, Final
from uuid import UUID

from anyio import to_thread

from quartermaster.core.errors import QmError
from quartermaster.db import Principal, Row
from quartermaster.outage.cards import Cards, Sight
from quartermaster.outage.outage_copy import OutageCopy
from quartermaster.outage.rights import Rights
from quartermaster.outage.spool import Spool
from quartermaster.upstream.breakers import Breakers

Arguments = Mapping[str, Any]
Substitute = Callable[[Principal | None, Arguments], Awaitable[list[Row]]]
_RECORDED_ARGUMENTS: Final = frozenset(
    {"outcome", "duration_ms", "result_bytes", "failure", "attempts"}
)


@dataclass(frozen=True)
class _View:
    """The outage copy as one principal sees it."""

    principal: Principal
    rights: Rights
    cards: Cards
    sees: Sight

    def require(self, kind: str, name: str) -> Row:
        card = self.cards.find(kind, name, self.sees)
        if card is None:
            raise self.rights.error(self.rights.facts["kinds"][kind]["not_found"])
        return card


class Operations:
    """Operations of the api schema by name, with the arguments, columns and errors of the SQL
    functions. The error messages are shorter.

    Args:
        outage_copy: the outage copy, which also contains limits, modes and the registry of errors.
        spool: the spool, in which calls are recorded.
        breakers: the origins that must not be called.
    """

    def __init__(self, outage_copy: OutageCopy, spool: Spool, breakers: Breakers) -> None:
        self._breakers = breakers
        self._outage_copy = outage_copy
        self._spool = spool
        views: dict[str, Callable[[_View, Arguments], list[Row]]] = {
            "find_toolset": _find_toolset,
            "search_tools": partial(self._search, "search_tools"),
            "search_cards": partial(self._search, "search_cards"),
            "describe_tool": _describe_tool,
            "describe_card": _describe_card,
            "get_connection": _get_connection,
            "call_begin": self._call_begin,
        }
        self.by_name: dict[str, Substitute] = {
            "call_end": self._call_end,
            "end_calls": self._end_calls,
            **{name: partial(self._viewed, view) for name, view in views.items()},
        }

    async def _viewed(
        self,
        view: Callable[[_View, Arguments], list[Row]],
        principal: Principal | None,
        arguments: Arguments,
    ) -> list[Row]:
        assert principal is not None
        outage_copy = await self._outage_copy.open()
        seen = _View(
            principal, outage_copy.rights, outage_copy.cards, outage_copy.rights.sight(principal)
        )
        return await to_thread.run_sync(view, seen, arguments)

    def _search(self, name: str, view: _View, arguments: Arguments) -> list[Row]:
        goal, top, budget = _require_search(view.rights, arguments)
        kinds = arguments.get("kinds")
        kinds = [view.rights.facts["default_kind"]] if kinds is None else kinds
        _require_kinds(view.rights, kinds)
        found = view.cards.search(goal, kinds, view.sees, top, budget)
        return [
            view.rights.row(
                name,
                card
                | {"rank": rank, "score": score, "scores": {"lexical": round(score, 4)}}
                # A score by words is not a probability, so it cannot show that nothing fits.
                | {"weak": False, "unavailable": self._unavailable(view, card["origin_id"])},
            )
            for rank, (card, score) in enumerate(found, 1)
        ]

    def _unavailable(self, view: _View, origin_id: int) -> Row | None:
        """Returns the reason that search_tools gives if the cards of an origin cannot be used."""
        if view.rights.origins.get(origin_id, {}).get("transport") == "none":
            because = view.rights.error("origin_not_callable")
            return {"reason": because.message, "remedy": because.hint}
        known = self._breakers.columns(origin_id, view.principal.id)
        until: datetime | None = known["unavailable_until"]
        return until and {
            "reason": f"the server is failing: {known['unavailable_because']}",
            "remedy": "Wait until the given time, or use another item.",
            "until": until.isoformat(),
        }

    def _call_begin(self, view: _View, arguments: Arguments) -> list[Row]:
        facts = view.rights.facts
        kind: str = arguments.get("kind") or facts["default_kind"]
        card = view.cards.find(kind, arguments["name"], view.sees)
        if card is None:
            return [view.rights.row("call_begin", {})]
        origin = view.rights.origins[card["origin_id"]]
        if origin["transport"] == "none":
            raise view.rights.error("origin_not_callable")
        if arguments.get("idempotency_key") is not None:
            raise needs_database("whether this idempotency key was used")
        key: UUID = arguments["key"]
        self._spool.begin(
            {
                "at": arguments["started_at"].isoformat(),
                "key": str(key),
                "principal_id": view.principal.id,
                "instance_id": str(arguments["instance"]),
                "request_id": arguments["request_id"],
                "argument_bytes": arguments["argument_bytes"],
                "receipt_id": arguments.get("receipt"),
                "kind": kind,
                "ref": card["ref"],
                "version": card["version"],
            }
        )
        terms: Row = facts["terms"].get(str(card["ref"]), facts["terms"][""])
        guardrails = view.rights.guardrails(view.principal, origin["name"]) or None
        known = {"call_id": key, "is_trial": False, "terms": {**terms, "guardrails": guardrails}}
        known |= self._breakers.columns(origin["id"], view.principal.id)
        return [view.rights.row("call_begin", card | known)]

    async def _call_end(self, principal: Principal | None, arguments: Arguments) -> list[Row]:
        assert principal is not None
        call: int | UUID = arguments["call_id"]
        known_by = {"key": str(call)} if isinstance(call, UUID) else {"call_id": call}
        # Neither arguments nor results are stored on the disk.
        report = {name: value for name, value in arguments.items() if name in _RECORDED_ARGUMENTS}
        report |= {"started_at": arguments["started_at"].isoformat(), "principal_id": principal.id}
        await to_thread.run_sync(self._spool.end, known_by | report)
        return [{"call_end": None}]

    async def _end_calls(self, _principal: Principal | None, arguments: Arguments) -> list[Row]:
        for record in arguments["ends"]:
            await to_thread.run_sync(self._spool.end, record)
        return [{"end_calls": len(arguments["ends"])}]


def _find_toolset(view: _View, arguments: Arguments) -> list[Row]:
    name: str = arguments["name"]
    toolsets: Mapping[str, str] = view.rights.facts["toolsets"]
    if name not in toolsets or not view.rights.finds(view.principal, name):
        raise view.rights.error("toolset_not_found")
    return [{"toolset": name, "description": toolsets[name]}]


def _describe_tool(view: _View, arguments: Arguments) -> list[Row]:
    _require_now(arguments)
    card = view.require(view.rights.facts["default_kind"], arguments["name"])
    valid_from = datetime.fromisoformat(card["valid_from"])
    return [view.rights.row("describe_tool", {**card, "valid_from": valid_from})]


def _describe_card(view: _View, arguments: Arguments) -> list[Row]:
    _require_now(arguments)
    _require_kinds(view.rights, [arguments["kind"]])
    card = view.require(arguments["kind"], arguments["name"])
    said = {name: card[name] for name in ("kind", "name", "origin", "brief")} | card["said"]
    # Keys are in the same order as in the database's JSON, because agents read the JSON as text.
    return [{"describe_card": dict(sorted(said.items(), key=lambda m: (len(m[0]), m[0])))}]


def _get_connection(view: _View, arguments: Arguments) -> list[Row]:
    if view.principal.role == "user":
        raise QmError.from_sqlstate("42501", None, "", None, None)
    origin = view.rights.origins.get(arguments["origin_id"])
    if origin is None:
        raise view.rights.error("origin_not_found")
    return [origin]


def needs_database(what: str) -> QmError:
    """Returns QM503 database_unavailable.

    Args:
        what: the information that only the database has.
    """
    return QmError(
        503,
        "database_unavailable",
        f"While the database is unavailable, Quartermaster cannot determine {what}.",
        "Try again when the database is back.",
    )


def _require_now(arguments: Arguments) -> None:
    if arguments.get("as_of") is not None:
        raise needs_database("what was offered at that time")


def _require_search(rights: Rights, arguments: Arguments) -> tuple[str, int, int | None]:
    """Checks the goal, the number of cards and their token budget, in the same order as
    api.search_cards.
    """
    _require_now(arguments)
    goal: str = (arguments["goal"] or "").strip()
    modes: dict[str | None, int] = dict(rights.facts["modes"])
    mode, top = arguments.get("mode", "balanced"), arguments.get("top")
    top = modes.get(mode, 1) if top is None else top
    budget: int | None = arguments.get("budget_tokens")
    for slug, holds in (
        ("goal_empty", goal),
        ("goal_too_long", len(goal) <= rights.facts["longest_goal"]),
        ("mode_unknown", mode in modes),
    ):
        if not holds:
            raise rights.error(slug)
    if not 1 <= top <= 100 or (budget is not None and budget < 1):
        raise rights.error("argument_invalid", "Ask for 1 to 100 cards, and at least one token.")
    return goal, top, budget


def _require_kinds(rights: Rights, kinds: list[str]) -> None:
    known: Mapping[str, Row] = rights.facts["kinds"]
    if not kinds or not known.keys() >= set(kinds):
        raise rights.error("kind_not_found")
    for kind in kinds:
        if not known[kind]["is_kept"]:
            raise needs_database(f"which cards of kind {kind} exist")
