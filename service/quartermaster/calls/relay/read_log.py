"""Records reads in the call log. Reads are all relayed requests except tool calls."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from mcp import MCPError

from quartermaster import api
from quartermaster.calls.call_log import CallLog, outcome_of
from quartermaster.calls.call_record import CallRecord, CallTerms
from quartermaster.calls.caller import Sender
from quartermaster.core.errors import QmError
from quartermaster.db import Principal
from quartermaster.upstream.failure import UpstreamError

_KIND_NAMES = {"resource": "resource", "resource_template": "resource template", "prompt": "prompt"}


@dataclass
class ReadRecord(CallRecord):
    """A read in progress; ``tool`` is the origin's own name for the item."""

    @property
    def provenance(self) -> dict[str, Any]:
        """The provenance of the result, for ``_meta`` in the result."""
        return {"id": self.id, "origin": self.origin, "requestId": self.request_id}


class ReadLog:
    """Records reads in the call log.

    Args:
        log: the call log.
        origin: the single origin that this endpoint serves under the origin's own item names; None
            for the whole catalog.
    """

    def __init__(self, log: CallLog, origin: str | None) -> None:
        self._log = log
        self._origin = origin

    @asynccontextmanager
    async def record(
        self, caller: Sender, method: str, kind: str, name: str, params: Mapping[str, Any]
    ) -> AsyncGenerator[ReadRecord]:
        """Logs the read that the block carries out.

        Args:
            caller: sender of the request.
            method: MCP method.
            kind: resource, resource_template or prompt.
            name: name that the client uses for the item.
            params: parameters of the request; only their size is stored.

        Raises:
            QmError: QM404 asset_not_found, QM409 asset_withheld or origin_not_callable: nothing is
                read.
        """
        started = time.perf_counter()
        started_at = datetime.now(UTC)
        row = await self._log.begin(
            api.relay_begin(
                method=method,
                kind=kind,
                name=name,
                argument_bytes=len(json.dumps(params, separators=(",", ":"), default=str)),
                request_id=caller.request_id,
                instance=self._log.instance,
                of_origin=self._origin,
                started_at=started_at,
                key=uuid4(),
            ),
            caller.principal,
        )
        if row["call_id"] is None:
            # The message is the same for a missing item and for a denied item.
            raise QmError(
                404,
                "asset_not_found",
                f"there is no {_KIND_NAMES[kind]} {name[:200]!r}",
                f"List the available {_KIND_NAMES[kind]}s.",
            )
        record = ReadRecord(
            id=row.pop("call_id"),
            tool=row.pop("target"),
            started_at=started_at,
            request_id=caller.request_id,
            terms=CallTerms.read(row.pop("terms")),
            **row,
        )
        async with self._log.until_end(caller, record, started):
            try:
                yield record
            except (QmError, MCPError) as error:
                if record.failure is None:
                    record.outcome = (
                        outcome_of(error) if isinstance(error, UpstreamError) else "protocol"
                    )
                    record.failure = str(error)
                raise

    async def may_read(self, principal: Principal, uri: str) -> bool:
        """Returns whether the caller may read a resource now. Nothing is logged."""
        return await self._log.database.call_value(
            api.may_read(uri=uri, of_origin=self._origin), principal
        )
