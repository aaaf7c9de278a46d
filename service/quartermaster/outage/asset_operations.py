"""Resources, templates and prompts without the database: listed as kept, read as calls are made."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from uuid import UUID

from anyio import to_thread

from quartermaster.db import Principal, Row
from quartermaster.outage import refusals
from quartermaster.outage.kept import Kept
from quartermaster.outage.rights import Asset
from quartermaster.outage.spool import Spool
from quartermaster.upstream.breakers import Breakers

Arguments = Mapping[str, Any]
Operation = Callable[[Principal, Arguments], Awaitable[list[Row]]]


class AssetOperations:
    """Operations of schema api by name, each with the arguments and rows of its namesake.

    Args:
        kept: what was kept of the database.
        spool: where reads are written down.
        breakers: which origins were not to be called.
    """

    def __init__(self, kept: Kept, spool: Spool, breakers: Breakers) -> None:
        self._kept = kept
        self._spool = spool
        self._breakers = breakers
        self.by_name: dict[str, Operation] = {
            "list_items": self._list_items,
            "view_digests": self._view_digests,
            "may_read": self._may_read,
            "relay_begin": self._relay_begin,
        }

    async def _list_items(self, principal: Principal, arguments: Arguments) -> list[Row]:
        if arguments["kind"] == "tool":
            raise refusals.needs_database("which tools one server lists", "List them")
        found = await self._seen(principal, arguments["kind"], arguments["of_origin"])
        after: str | None = arguments["after"]
        names = sorted(name for name in found if after is None or name > after)
        return [
            {
                "name": name,
                "public_name": found[name].public_name,
                "definition": found[name].definition,
            }
            for name in names[: arguments["maximum"]]
        ]

    async def _view_digests(self, _principal: Principal, _arguments: Arguments) -> list[Row]:
        # Unlike any digest of the database's: when it is back, clients are told to look again.
        read_at = (await self._kept.open()).rights.read_at.isoformat()
        return [{"kind": kind, "digest": read_at} for kind in ("tool", "resource", "prompt")]

    async def _may_read(self, principal: Principal, arguments: Arguments) -> list[Row]:
        found = await self._seen(principal, "resource", arguments["of_origin"])
        return [{"may_read": arguments["uri"] in found}]

    async def _relay_begin(self, principal: Principal, arguments: Arguments) -> list[Row]:
        name: str = arguments["name"]
        asset = (await self._seen(principal, arguments["kind"], arguments["of_origin"])).get(name)
        if asset is None and arguments["kind"] == "resource":
            # Rules judge such a URI by its name. A hidden one is refused in the same words.
            raise refusals.needs_database(
                f"who may read {name[:200]!r}, which is not in your list", "Read it"
            )
        if asset is None:
            return [dict.fromkeys(("call_id", "origin_id", "origin", "target"))]
        origin = (await self._kept.open()).rights.origins[asset.origin_id]
        if origin["transport"] == "none":
            raise refusals.origin_not_callable(origin["name"])
        key: UUID = arguments["key"]
        record = {
            "at": arguments["started_at"].isoformat(),
            "key": str(key),
            "principal_id": principal.id,
            "instance_id": str(arguments["instance"]),
            "request_id": arguments["request_id"],
            "method": arguments["method"],
            "kind": arguments["kind"],
            "origin_id": asset.origin_id,
            "target": asset.name,
            "argument_bytes": arguments["argument_bytes"],
        }
        await to_thread.run_sync(self._spool.begin, record)
        row = {"call_id": key, "origin_id": asset.origin_id, "origin": origin["name"]}
        return [row | {"target": asset.name} | self._breakers.columns(asset.origin_id)]

    async def _seen(self, principal: Principal, kind: str, origin: str | None) -> dict[str, Asset]:
        return (await self._kept.open()).rights.assets(principal, kind, origin)
