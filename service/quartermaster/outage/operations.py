"""The operations that can be answered from the outage copy."""

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
from quartermaster.outage.cards import Card, Cards, Sight
from quartermaster.outage.kept import Kept
from quartermaster.outage.rights import Rights
from quartermaster.outage.spool import Spool
from quartermaster.upstream.breakers import Breakers

Arguments = Mapping[str, Any]
Operation = Callable[[Principal, Arguments], Awaitable[list[Row]]]
OwnOperation = Callable[[Arguments], Awaitable[list[Row]]]
_TOLD: Final = frozenset({"outcome", "duration_ms", "result_bytes", "failure", "attempts"})


@dataclass(frozen=True)
class _View:
    """The outage copy as one principal sees it."""

    principal: Principal
    rights: Rights
    cards: Cards
    sees: Sight

    @property
    def default_kind(self) -> str:
        return self.rights.facts["default_kind"]

    def find(self, kind: str, name: str, origin: str | None = None) -> Card | None:
        return self.cards.find(kind, name, origin, self.sees)

    def require(self, kind: str, name: str) -> Row:
        card = self.find(kind, name)
        if card is None:
            called = f"there is no {kind.replace('_', ' ')} called {quoted(name, 200)}"
            raise self.rights.error(self.rights.facts["kinds"][kind]["not_found"], called)
        return card.columns()


class Operations:
    """Operations of the api schema by name, with the same arguments and rows as the SQL functions.

    Limits, modes and error texts come from the outage copy.

    Args:
        kept: the outage copy.
        spool: the spool, in which calls are recorded.
        breakers: the origins that must not be called.
    """

    def __init__(self, kept: Kept, spool: Spool, breakers: Breakers) -> None:
        self._breakers = breakers
        self._kept = kept
        self._spool = spool
        self._exposed: dict[tuple[int, str], frozenset[str]] = {}
        views: dict[str, Callable[[_View, Arguments], list[Row]]] = {
            "find_toolset": _find_toolset,
            "search_tools": partial(self._search, "search_tools"),
            "search_cards": partial(self._search, "search_cards"),
            "describe_card": _describe_card,
            "rerank_candidates": lambda _view, _arguments: [],
            "describe_tool": _describe_tool,
            "list_exposed": self._list_exposed,
            "end_session": self._end_session,
            "get_connection": _get_connection,
            "list_items": _list_items,
            "view_digests": _view_digests,
            "may_read": _may_read,
            "call_begin": partial(self._begin, "call_begin"),
            "relay_begin": partial(self._begin, "relay_begin"),
            "status": _status,
            "context_share": _no_context,
        }
        for name in ("last_receipt", "count_arrivals", "advise_goal", "record_denial"):
            views[name] = partial(_nothing, name)
        self.by_name: dict[str, Operation] = {"call_end": self._call_end}
        for name, view in views.items():
            self.by_name[name] = partial(self._viewed, view)
        self.own_by_name: dict[str, OwnOperation] = {"end_calls": self._end_calls}

    def remember(
        self, operation: str, principal: Principal, arguments: Arguments, rows: list[Row]
    ) -> None:
        """Remember which tools the database returned in each session."""
        session: str | None = arguments.get("session")
        if session is None:
            return
        key = (principal.id, session)
        names = frozenset(row["name"] for row in rows if "name" in row)
        if operation == "search_tools":
            self._exposed[key] = names | self._exposed.get(key, names)
        elif operation == "list_exposed":
            self._exposed[key] = names
        elif operation == "end_session":
            self._exposed.pop(key, None)

    async def _viewed(
        self,
        view: Callable[[_View, Arguments], list[Row]],
        principal: Principal,
        arguments: Arguments,
    ) -> list[Row]:
        kept = await self._kept.open()
        seen = _View(principal, kept.rights, kept.cards, kept.rights.sight(principal))
        return await to_thread.run_sync(view, seen, arguments)

    def _search(self, name: str, view: _View, arguments: Arguments) -> list[Row]:
        _require_now(arguments)
        goal, top, budget = require_search(view.rights, arguments)
        kinds = arguments.get("kinds")
        kinds = require_kinds(view.rights, [view.default_kind] if kinds is None else kinds)
        found = view.cards.search(goal, kinds, view.sees, top, budget)
        return [
            view.rights.row(
                name,
                card.columns()
                | {"rank": rank, "score": score, "scores": {"lexical": round(score, 4)}}
                # A score by words is not a probability, so it cannot show that nothing fits.
                | {"weak": False, "unavailable": self._unavailable(view, card.body["origin_id"])},
            )
            for rank, (card, score) in enumerate(found, 1)
        ]

    def _unavailable(self, view: _View, origin_id: int) -> Row | None:
        """The reason, remedy and time that catalog.item_availability would return for a connection
        and a breaker.
        """
        origin = view.rights.origins.get(origin_id)
        if origin is not None and origin["transport"] == "none":
            connect = f"qm origin add {origin['name']} --replace --url URL (or a command)"
            return {
                "reason": "the server is in the catalog, but not connected",
                "remedy": f"An operator can connect the server with: {connect}.",
            }
        known = self._breakers.columns(origin_id, view.principal.id)
        until: datetime | None = known["unavailable_until"]
        if until is None:
            return None
        return {
            "reason": f"the server is failing: {known['unavailable_because']}",
            "remedy": "Wait until the given time, or use another item.",
            "until": until.isoformat(),
        }

    def _list_exposed(self, view: _View, arguments: Arguments) -> list[Row]:
        names = sorted(self._exposed.get((view.principal.id, arguments["session"]), ()))
        found = [view.find(view.default_kind, name) for name in names]
        return [view.rights.row("list_exposed", card.columns()) for card in found if card]

    def _end_session(self, view: _View, arguments: Arguments) -> list[Row]:
        names = self._exposed.pop((view.principal.id, arguments["session"]), ())
        return [{"end_session": len(names)}]

    def _begin(self, operation: str, view: _View, arguments: Arguments) -> list[Row]:
        facts = view.rights.facts
        kind: str = arguments.get("kind", view.default_kind)
        name: str = arguments["name"]
        card = view.find(kind, name, arguments.get("of_origin"))
        if card is None:
            if facts["kinds"].get(kind, {}).get("is_open"):
                # Rules can name such a resource directly. An invisible resource causes the same
                # error.
                raise needs_database(
                    f"who may read {name[:200]!r}, which is not in your list",
                    "Read it when the database is back.",
                )
            return _nothing(operation, view, arguments)
        row = card.columns()
        origin = view.rights.origins[row["origin_id"]]
        if origin["transport"] == "none":
            raise view.rights.error(
                "origin_not_callable",
                f"the origin {quoted(origin['name'])} is in the catalog, but not connected",
            )
        if arguments.get("idempotency_key") is not None:
            raise needs_database(
                "whether this idempotency key was used",
                "Send the call again when the database is back.",
            )
        key: UUID = arguments["key"]
        record = {
            "at": arguments["started_at"].isoformat(),
            "key": str(key),
            "principal_id": view.principal.id,
            "instance_id": str(arguments["instance"]),
            "request_id": arguments["request_id"],
            "argument_bytes": arguments["argument_bytes"],
            "receipt_id": arguments.get("receipt"),
            "kind": kind,
        }
        is_read = "method" in arguments
        if is_read:
            record |= {name: row[name] for name in ("origin_id", "target")}
            record["method"] = arguments["method"]
        else:
            record |= {"ref": row["ref"], "version": row["version"]}
        self._spool.begin(record)
        row |= self._breakers.columns(origin["id"], view.principal.id) | {
            "call_id": key,
            "is_trial": False,
        }
        terms: Row = {}
        if not is_read:
            terms = facts["terms"].get(str(row["ref"]), facts["terms"][""])
        guardrails = view.rights.guardrails(view.principal, origin["name"]) or None
        row["terms"] = terms | {"guardrails": guardrails}
        return [view.rights.row(operation, row)]

    async def _call_end(self, principal: Principal, arguments: Arguments) -> list[Row]:
        call: int | UUID = arguments["call_id"]
        known_by = {"key": str(call)} if isinstance(call, UUID) else {"call_id": call}
        # Neither arguments nor results are stored on the disk.
        told = {name: value for name, value in arguments.items() if name in _TOLD}
        told["started_at"] = arguments["started_at"].isoformat()
        record = {**known_by, "principal_id": principal.id, **told}
        await to_thread.run_sync(self._spool.end, record)
        return [{"call_end": None}]

    async def _end_calls(self, arguments: Arguments) -> list[Row]:
        for record in arguments["ends"]:
            await to_thread.run_sync(self._spool.end, record)
        return [{"end_calls": len(arguments["ends"])}]


def _nothing(operation: str, view: _View, _arguments: Arguments) -> list[Row]:
    return [view.rights.row(operation, {})]


def _no_context(view: _View, _arguments: Arguments) -> list[Row]:
    """Without vectors, context counts for nothing."""
    return [view.rights.row("context_share", {"context_share": 0.0})]


def _find_toolset(view: _View, arguments: Arguments) -> list[Row]:
    name: str = arguments["name"]
    toolsets: Mapping[str, str] = view.rights.facts["toolsets"]
    if name not in toolsets or not view.rights.finds(view.principal, name):
        raise view.rights.error(
            "toolset_not_found", f"there is no toolset called {quoted(name, 100)}"
        )
    return [{"toolset": name, "description": toolsets[name]}]


def _describe_card(view: _View, arguments: Arguments) -> list[Row]:
    _require_now(arguments)
    [kind] = require_kinds(view.rights, [arguments["kind"]])
    row = view.require(kind, arguments["name"])
    said = {name: row[name] for name in ("kind", "name", "origin", "brief")} | row["said"]
    # Keys are in the same order as in the database's JSON, because agents read the JSON as text.
    return [{"describe_card": dict(sorted(said.items(), key=lambda m: (len(m[0]), m[0])))}]


def _describe_tool(view: _View, arguments: Arguments) -> list[Row]:
    _require_now(arguments)
    row = view.require(view.default_kind, arguments["name"])
    row["valid_from"] = datetime.fromisoformat(row["valid_from"])
    return [view.rights.row("describe_tool", row)]


def _get_connection(view: _View, arguments: Arguments) -> list[Row]:
    if view.principal.role not in view.rights.facts["connecting_roles"]:
        raise QmError.from_sqlstate("42501", None, "", None, None)
    origin_id: int = arguments["origin_id"]
    if origin_id not in view.rights.origins:
        raise view.rights.error("origin_not_found", f"there is no origin with the id {origin_id}")
    return [view.rights.origins[origin_id]]


def _list_items(view: _View, arguments: Arguments) -> list[Row]:
    origin: str | None = arguments.get("of_origin")
    after, maximum = arguments.get("after"), arguments.get("maximum", 1000)
    rows = [
        card.columns()
        for card in view.cards.page(arguments["kind"], origin, after, maximum, view.sees)
    ]
    if origin is not None:
        rows = [row | {"name": row["target"]} for row in rows]
    return [view.rights.row("list_items", row) for row in rows]


def _view_digests(view: _View, _arguments: Arguments) -> list[Row]:
    # No digest from the database is equal to this digest, so clients are notified after the outage
    # that the list has changed.
    digest = view.rights.read_at.isoformat()
    return [{"kind": kind, "digest": digest} for kind in sorted(view.rights.facts["kinds"])]


def _may_read(view: _View, arguments: Arguments) -> list[Row]:
    origin: str | None = arguments.get("of_origin")
    kinds: Mapping[str, Row] = view.rights.facts["kinds"]
    found = any(
        view.find(kind, arguments["uri"], origin)
        for kind, known in kinds.items()
        if known["is_open"]
    )
    return [{"may_read": found}]


def _status(view: _View, _arguments: Arguments) -> list[Row]:
    kinds: Mapping[str, Row] = view.rights.facts["kinds"]
    kept = [kind for kind, known in kinds.items() if known["is_kept"]]
    return [{"status": {"cards": {kind: view.cards.count(kind, view.sees) for kind in kept}}}]


def _require_now(arguments: Arguments) -> None:
    if arguments.get("as_of") is not None:
        raise needs_database(
            "what was offered at that time",
            "Leave out as_of, or try again when the database is back.",
        )


def needs_database(what: str, hint: str) -> QmError:
    """Return QM503 database_unavailable.

    Args:
        what: the information that only the database has.
        hint: what the caller can do.
    """
    return QmError(
        503,
        "database_unavailable",
        f"While the database is unavailable, Quartermaster cannot determine {what}.",
        hint,
    )


def quoted(value: object, longest: int | None = None) -> str:
    """Quote a value as the database's messages do: shortened, then quoted like %L in format().

    Args:
        value: the value to quote.
        longest: largest number of characters to show; None shows all of them.
    """
    if value is None:
        return "NULL"
    text = str(value)[:longest].replace("'", "''")
    return f"'{text}'" if "\\" not in text else "E'" + text.replace("\\", "\\\\") + "'"


def require_search(rights: Rights, arguments: Mapping[str, Any]) -> tuple[str, int, int | None]:
    """Check the goal, the number of cards and their budget, as api.search_cards does.

    Raises:
        QmError: QM413 goal_too_long, QM422 goal_empty, mode_unknown, argument_invalid.
    """
    goal = (arguments["goal"] or "").strip()
    longest: int = rights.facts["longest_goal"]
    if not goal:
        raise rights.error("goal_empty", "the goal is empty")
    if len(goal) > longest:
        told = f"the goal is {len(goal)} characters long, but the limit is {longest}"
        raise rights.error("goal_too_long", told)
    modes: dict[str, int] = dict(rights.facts["modes"])
    mode: str | None = arguments.get("mode", "balanced")
    if mode not in modes:
        told = f"there is no mode called {quoted(mode)}"
        raise rights.error("mode_unknown", told, f"Use one of: {', '.join(modes)}.")
    top: int | None = arguments.get("top")
    if top is None:
        top = modes[mode]
    if not 1 <= top <= 100:
        told = f"the number of cards must be between 1 and 100, got {top}"
        raise rights.error("argument_invalid", told, "Ask for 1 to 100 cards, or omit the number.")
    budget: int | None = arguments.get("budget_tokens")
    if budget is not None and budget < 1:
        raise rights.error(
            "argument_invalid",
            f"budget_tokens must be above 0, got {budget}",
            "A tool definition is typically a few hundred tokens long; "
            "omit budget_tokens to set no limit.",
        )
    return goal, top, budget


def require_kinds(rights: Rights, kinds: list[str]) -> list[str]:
    """Check that the kinds exist and are in the outage copy.

    Raises:
        QmError: QM404 kind_not_found, QM503 database_unavailable.
    """
    known: Mapping[str, Mapping[str, Any]] = rights.facts["kinds"]
    unknown = [kind for kind in kinds if kind not in known]
    if unknown or not kinds:
        told = f"there is no kind of card called {quoted(min(unknown, default=None), 200)}"
        raise rights.error("kind_not_found", told, f"Use one of: {', '.join(sorted(known))}.")
    for kind in kinds:
        if not known[kind]["is_kept"]:
            raise needs_database(
                f"which cards of kind {kind} exist",
                "Search for these cards when the database is back.",
            )
    return kinds
