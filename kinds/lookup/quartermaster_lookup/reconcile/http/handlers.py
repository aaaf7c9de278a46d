"""Handlers for the endpoints of the reconciliation API. Each handler reads a request, calls the
database, and returns the answer.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from starlette.responses import HTMLResponse

from quartermaster.core.api_call import AnyRow, AnyValue, ApiCall, ApiValue
from quartermaster.core.errors import QmError, argument_invalid
from quartermaster.db import Principal, Row
from quartermaster.service import Service
from quartermaster_lookup import api
from quartermaster_lookup.finaliser import FinalisedString, Input, finalise
from quartermaster_lookup.lookup_answers import LookupAnswer
from quartermaster_lookup.part import Lookups
from quartermaster_lookup.reconcile.http import pages, suggestions
from quartermaster_lookup.reconcile.http.candidates import Ask, Choose, match_0, match_1
from quartermaster_lookup.reconcile.http.endpoint import Endpoint
from quartermaster_lookup.reconcile.http.extension import extended, read_extension
from quartermaster_lookup.reconcile.http.manifest import manifest
from quartermaster_lookup.reconcile.http.visitors import require
from quartermaster_lookup.settings import Reconcile

CANDIDATES: Final = 5
"""Number of candidates for a query without a limit."""

MOST_FINALISED: Final = 50
"""Largest number of queries in a batch for which a language model chooses."""

Reply = dict[str, Any] | HTMLResponse


@dataclass(frozen=True)
class Asked:
    """A request, after its parameters were read.

    Attributes:
        principal: principal that sent the request. None for a visitor without a key.
        endpoint: the service that the client addressed.
        parameters: parameters in the URL and in the body.
        kind: kind of the object to suggest or to show in a flyout.
        language: preferred language. None if the client names no language.
    """

    principal: Principal | None
    endpoint: Endpoint
    parameters: Mapping[str, str]
    kind: str
    language: str | None

    @property
    def is_batch(self) -> bool:
        """Whether the request sends a batch or an extension request to the root of version 0.2."""
        return self.endpoint.version == "0.2" and not {"queries", "extend"}.isdisjoint(
            self.parameters
        )

    @property
    def context(self) -> str | None:
        """The client's description of the queries and their subject. None if the client sends no
        description.

        Raises:
            QmError: QM422 argument_invalid.
        """
        given = self.parameters.get("context")
        try:
            # In a body of JSON, the text is a JSON string.
            members: object = given and json.loads(given)
        except ValueError:
            members = given
        if members is not None and not isinstance(members, str):
            raise argument_invalid("The parameter context must be a string.", "Send a sentence.")
        return members or None

    def flag(self, name: str) -> bool | None:
        """Returns whether the client sent true for a parameter. Returns None if it did not send the
        parameter.

        Raises:
            QmError: QM422 argument_invalid.
        """
        given = self.parameters.get(name)
        if given is not None and given not in ("true", "false"):
            raise argument_invalid(f"The parameter {name} is neither true nor false.", "Omit it.")
        return None if given is None else given == "true"

    def parameter(self, name: str) -> str:
        """Returns a required parameter.

        Raises:
            QmError: QM422 argument_invalid.
        """
        if name not in self.parameters:
            raise argument_invalid(f"The parameter {name} is missing.", f"Send {name}=...")
        return self.parameters[name]


class Handlers:
    """Handles requests, with one method per endpoint.

    All methods raise QM401 token_missing and the errors of the functions that they call.

    Args:
        service: service that provides the database and the lookup tables.
    """

    def __init__(self, service: Service) -> None:
        self._service = service
        self._finaliser = service.parts[Lookups].finaliser
        self._is_open = service.settings.of(Reconcile).open_as is not None

    async def root(self, asked: Asked) -> Reply:
        """Returns the manifest. In version 0.2, also answers batches of queries and extension
        requests.
        """
        if asked.is_batch:
            if "extend" in asked.parameters:
                return await self._extend(asked, asked.parameters["extend"])
            ask = self._asking(asked)
            language = asked.language if "lang" in asked.parameters else None
            choose = self._choose(asked)
            return await match_0(asked.parameters["queries"], asked.endpoint, language, ask, choose)
        described = None
        if asked.principal is not None:
            described = await self._value(
                asked, api.describe_reconciliation(lookup=asked.endpoint.table)
            )
        return manifest(asked.endpoint, described, is_open=self._is_open)

    async def post_root(self, asked: Asked) -> Reply:
        """Answers a batch of queries or an extension request."""
        if not asked.is_batch:
            raise argument_invalid(
                "The request has neither the parameter queries nor the parameter extend.",
                'Send a form with queries={"q0": {"query": "Betula pendula"}}.',
            )
        return await self.root(asked)

    async def match(self, asked: Asked) -> Reply:
        """Answers a batch of queries in the format of version 1.0."""
        endpoint = replace(asked.endpoint, version="1.0-draft")
        ask = self._asking(asked)
        return await match_1(asked.parameter("queries"), endpoint, asked.language, ask)

    async def extend(self, asked: Asked) -> Reply:
        """Answers an extension request in the format of version 1.0. In this version, the body is
        the request.
        """
        asked = replace(asked, endpoint=replace(asked.endpoint, version="1.0-draft"))
        members = ", ".join(f'"{name}": {asked.parameter(name)}' for name in ("ids", "properties"))
        return await self._extend(asked, f"{{{members}}}")

    async def propose(self, asked: Asked) -> Reply:
        """Lists the properties with which rows can be extended. Includes the properties that every
        row has.
        """
        page = suggestions.read_page(
            {"limit": "100", **asked.parameters}, asked.endpoint, "property"
        )
        found = await self._rows(asked, api.suggest_lookup_properties(**page, with_columns=True))
        return suggestions.proposed(found, asked.parameters)

    async def suggest(self, asked: Asked) -> Reply:
        """Suggests rows, types or properties by the start of their names."""
        operation = suggestions.operation_of(asked.kind)
        page = suggestions.read_page(asked.parameters, asked.endpoint, asked.kind)
        found = await self._rows(asked, operation(**page))
        return suggestions.suggested(asked.kind, found, asked.endpoint, page)

    async def flyout(self, asked: Asked) -> Reply:
        """Returns a few lines of HTML about a row, type or property, as ``{"id", "html"}``."""
        suggestions.operation_of(asked.kind)
        named = asked.parameter("id")
        if asked.kind == "entity":
            values = pages.row_values(await self._row(asked))
        elif asked.kind == "type":
            described = await self._value(asked, api.describe_reconciliation(lookup=named))
            values = {"table": described["tables"][0]}
        else:
            found = await self._value(
                asked, api.describe_lookup_property(property=named, lookup=asked.endpoint.table)
            )
            values = {"property": found}
        return {"id": named, "html": pages.render(f"flyout_{asked.kind}.html", **values)}

    async def preview(self, asked: Asked) -> Reply:
        """Shows a row on a small page."""
        return pages.page("row.html", whole=False, **pages.row_values(await self._row(asked)))

    async def view(self, asked: Asked) -> Reply:
        """Shows a row with its provenance."""
        return pages.page("row.html", whole=True, **pages.row_values(await self._row(asked)))

    async def _extend(self, asked: Asked, text: str) -> Reply:
        query = read_extension(text)
        found = await self._rows(
            asked,
            api.extend_lookup_rows(
                rows=query.rows(asked.endpoint),
                properties=[*query.limits],
                lookup=asked.endpoint.table,
            ),
        )
        return extended(query, found, asked.endpoint)

    async def _row(self, asked: Asked) -> Row:
        named = asked.parameter("id")
        if (row := asked.endpoint.find_row(named)) is None:
            raise QmError(
                404,
                "lookup_row_not_found",
                f"{named[:100]!r} is not a row id.",
                "Ids have the form TABLE:ID.",
            )
        principal = require(asked.principal)
        found = await self._service.database.call_one(
            api.get_by_id(lookup=row["lookup"], row_id=row["id"]), principal
        )
        return {**found, "table": row["lookup"]}

    def _asking(self, asked: Asked) -> Ask:
        """Returns the function that sends queries to the database."""
        principal, table = require(asked.principal), asked.endpoint.table
        # Whether to return rows below the threshold, too; None leaves it to the table.
        near = asked.flag("near")

        async def ask(queries: Sequence[Mapping[str, Any]]) -> Sequence[LookupAnswer]:
            if near is not None:
                queries = [{**query, "near": near} for query in queries]
            return await self._service.parts[Lookups].answers.reconcile(
                principal, table, queries, door="http", k_final=CANDIDATES
            )

        return ask

    def _choose(self, asked: Asked) -> Choose | None:
        """Returns the function that lets a language model choose among candidates, if the client
        wants this. Otherwise, returns None.

        The client wants this if it sends `finalize`. If a model is configured, it also wants this
        if it describes the context of its queries.
        """
        context = asked.context
        wanted = asked.flag("finalize")
        if wanted is None:
            wanted = context is not None and self._finaliser is not None
        if not wanted:
            return None

        async def choose(inputs: Sequence[Input]) -> Sequence[FinalisedString]:
            if len(inputs) > MOST_FINALISED:
                raise argument_invalid(
                    f"With finalize, a batch can have at most {MOST_FINALISED} queries, because a"
                    f" language model reads each of them; this batch has {len(inputs)}.",
                    "Send fewer queries, or omit finalize.",
                )
            return await finalise(self._finaliser, asked.endpoint.table, inputs, context)

        return choose

    async def _rows(self, asked: Asked, call: ApiCall[AnyRow]) -> Sequence[AnyRow]:
        return await self._service.database.call(call, require(asked.principal))

    async def _value(self, asked: Asked, call: ApiValue[AnyValue]) -> AnyValue:
        return await self._service.database.call_value(call, require(asked.principal))
