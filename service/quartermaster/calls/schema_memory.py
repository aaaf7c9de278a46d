"""The schemas of tools that were called. They are used to repair arguments before a call begins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from cachetools import LRUCache

from quartermaster import api
from quartermaster.calls.argument_repair import Json, repaired_arguments
from quartermaster.calls.arguments import find_problems
from quartermaster.calls.call_record import CallRecord
from quartermaster.calls.caller import Caller
from quartermaster.core.errors import QmError
from quartermaster.db import Database

_MAX_SCHEMAS: Final = 2_000


@dataclass(frozen=True, slots=True)
class Fitting:
    """The arguments of a call, repaired if that was necessary.

    Attributes:
        arguments: the arguments.
        fits: hash of the definition whose schema they fit; None if they fit no known schema.
    """

    arguments: Mapping[str, Any]
    fits: str | None


class SchemaMemory:
    """Remembers the schema of each tool that was called. For each call, the database uses the
    schema that it has stored. This memory only avoids a second request for the schema.

    Args:
        database: the database with the definitions.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: LRUCache[str, tuple[str, object]] = LRUCache(_MAX_SCHEMAS)

    async def fitted(
        self, caller: Caller, name: str, arguments: Mapping[str, Any]
    ) -> tuple[Fitting, list[Json]]:
        """Returns the arguments for a call, and the changes that were made to them.

        Args:
            caller: sender of the call.
            name: callable name of the tool.
            arguments: arguments as the client sent them.
        """
        known = self._known.get(name) or await self._described(caller, name)
        if known is None or not known[0]:
            return Fitting(arguments, None), []
        digest, schema = known
        if not find_problems(schema, arguments, known_as=digest):
            return Fitting(arguments, digest), []
        repaired, repairs = repaired_arguments(schema, arguments, known_as=digest)
        fits = bool(repairs) and not find_problems(schema, repaired, known_as=digest)
        return Fitting(repaired, digest if fits else None), repairs

    def remember(self, name: str, record: CallRecord) -> None:
        """Stores the schema of a tool whose call has begun."""
        self._known[name] = (record.content_hash, record.input_schema)

    async def _described(self, caller: Caller, name: str) -> tuple[str, object] | None:
        try:
            row = await self._database.call_one(api.describe_tool(name=name), caller.principal)
        except QmError:
            # The call itself reports what is wrong.
            return None
        return row["content_hash"], row["input_schema"]
