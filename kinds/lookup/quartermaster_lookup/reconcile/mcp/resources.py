"""The resources at ``/mcp/reconcile``: a description of the server, its tables, and pages of table
rows.
"""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import parse_qsl

import mcp_types as types

from quartermaster import __version__
from quartermaster.core.errors import QmError, argument_invalid
from quartermaster.db import Principal
from quartermaster.service import Service
from quartermaster_lookup import api
from quartermaster_lookup.part import Lookups
from quartermaster_lookup.reconcile.mcp.schemas import MOST_RESPONSE
from quartermaster_lookup.reconcile.mcp.tools import TOOLS
from quartermaster_lookup.settings import Reconcile

SERVER_INFO: Final = "server_info"
LOOKUP_TABLES: Final = "lookup_tables"
LOOKUP_ROWS: Final = "lookup_rows"
SCHEME: Final = "reconcile://"

RESOURCES: Final = [
    types.Resource(
        name=SERVER_INFO,
        uri=f"{SCHEME}{SERVER_INFO}",
        title="About this server",
        description="This server's version, models and capabilities.",
        mime_type="application/json",
    ),
    types.Resource(
        name=LOOKUP_TABLES,
        uri=f"{SCHEME}{LOOKUP_TABLES}",
        title="Lookup tables",
        description="The lookup tables that you may see. Strings can be matched to the rows of the "
        "tables.",
        mime_type="application/json",
    ),
]
TEMPLATES: Final = [
    types.ResourceTemplate(
        name=f"{LOOKUP_ROWS}:{{table}}",
        uri_template=f"{SCHEME}{LOOKUP_ROWS}/{{table}}{{?offset,limit,language,active_only}}",
        title="Rows of a lookup table",
        description=f"Rows in the order of their ids, at most {MOST_RESPONSE} per page; "
        "next_offset is the offset of the next page.",
        mime_type="application/json",
    )
]
_COLUMNS: Final = {
    "id": "text",
    "value": "text",
    "norm_value": "text",
    "aliases": "text[]",
    "language": "text",
    "active": "bool",
    "domain": "text",
    "properties": "jsonb",
}


class ResourceReader:
    """Reads resources on behalf of principals.

    Args:
        service: the service that provides the lookup tables and models.
    """

    def __init__(self, service: Service) -> None:
        self._service = service

    async def read(self, principal: Principal, uri: str) -> Any:
        """Returns the content of a resource. The caller sends it as JSON.

        Args:
            principal: principal that reads the resource.
            uri: the listed URI, or the plain name, such as ``lookup_rows:TABLE?offset=50``.

        Raises:
            QmError: QM404 resource_not_found, unsupported_table; QM422 argument_invalid.
        """
        name, _, query = uri.removeprefix(SCHEME).partition("?")
        kind, _, table = name.replace(":", "/", 1).partition("/")
        if kind == LOOKUP_ROWS and table:
            return await self._rows(principal, table, _page(query))
        if not table and not query and kind == LOOKUP_TABLES:
            return await self._tables(principal)
        if not table and not query and kind == SERVER_INFO:
            return self._server_info()
        raise QmError(
            404,
            "resource_not_found",
            f"Unknown resource {uri[:200]!r}.",
            f"Read one of {SCHEME}{SERVER_INFO}, {SCHEME}{LOOKUP_TABLES} and "
            f"{SCHEME}{LOOKUP_ROWS}/TABLE.",
        )

    def _server_info(self) -> dict[str, Any]:
        reranker = self._service.retriever.reranker
        finaliser = self._service.parts[Lookups].finaliser
        return {
            "server": self._service.settings.of(Reconcile).server_id,
            "version": __version__,
            # The answer tells whether names in tables have vectors, and whether queries get a
            # vector.
            "emb_model": self._service.retriever.embedder.model.name,
            "pgvector_dim": self._service.retriever.embedder.model.dimension,
            "reranker": reranker.model.name if reranker else None,
            "llm": finaliser.model.name if finaliser else None,
            "features": [*(tool.name for tool in TOOLS), LOOKUP_TABLES, LOOKUP_ROWS],
        }

    async def _tables(self, principal: Principal) -> list[dict[str, Any]]:
        rows = await self._service.database.call(api.lookup_tables(), principal)
        return [
            {
                "table": row["name"],
                "description": row["description"],
                "domain": row["domain"],
                "status": row["status"],
                "languages": row["languages"],
                "active_only_default": True,
                "rows": row["rows"],
                "threshold": round(row["threshold"], 4),
                "version": row["version"],
                "properties": row["properties"],
                "columns": _COLUMNS | ({"emb": "vector"} if row["has_vectors"] else {}),
            }
            for row in rows
        ]

    async def _rows(self, principal: Principal, table: str, page: dict[str, Any]) -> dict[str, Any]:
        offset, limit = page.pop("offset", 0), page.pop("limit", MOST_RESPONSE)
        rows = await self._service.database.call(
            api.lookup_rows(lookup=table, maximum=limit + 1, skipped=offset, **page), principal
        )
        names = ("id", "value", "aliases", "language", "active")
        return {
            "rows": [{name: row[name] for name in names} for row in rows[:limit]],
            "next_offset": offset + limit if len(rows) > limit else None,
        }


def _page(query: str) -> dict[str, Any]:
    """Returns the arguments of api.lookup_rows for a query string that requests a page."""
    page: dict[str, Any] = {}
    for name, value in parse_qsl(query, keep_blank_values=True):
        match name:
            case "offset" if value.isdecimal() and len(value) <= 9:
                page["offset"] = int(value)
            case "limit" if value.isdecimal() and 1 <= int(value[:9]) <= MOST_RESPONSE:
                page["limit"] = int(value)
            case "language":
                page["in_language"] = value
            case "active_only" if value in {"true", "false"}:
                page["active_only"] = value == "true"
            case _:
                raise argument_invalid(
                    f"{name[:50]}={value[:50]} is not a valid page parameter.",
                    f"Use offset, limit (1 to {MOST_RESPONSE}), language, and active_only "
                    "(true or false).",
                )
    return page
