"""Builds the manifest, with which a reconciliation service describes itself to clients."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from quartermaster import __version__
from quartermaster_lookup.reconcile.http.endpoint import Endpoint

BATCH_SIZE: Final = 50
PREVIEW_SIZE: Final = {"width": 400, "height": 300}
_DOCUMENTATION: Final = "https://www.w3.org/community/reports/reconciliation/"
_LIMIT: Final[Mapping[str, Any]] = {"type": "number", "default": 0}
_LIMIT_HELP: Final = "Maximum number of values for each row (0 for no limit)"

Manifest = dict[str, Any]


def manifest(endpoint: Endpoint, described: Mapping[str, Any] | None, *, is_open: bool) -> Manifest:
    """Returns the manifest of a service, in the format of the requested API version.

    Args:
        endpoint: the service to describe.
        described: answer of api.describe_reconciliation. None for a visitor without a key, because
            such a visitor must not learn which tables exist.
        is_open: whether the service answers callers without a key.
    """
    version = _version_1 if endpoint.version == "1.0-draft" else _version_0
    return version(endpoint, described, is_open)


def _common(endpoint: Endpoint, described: Mapping[str, Any] | None, is_open: bool) -> Manifest:
    tables: list[dict[str, Any]] = described["tables"] if described else []
    found: Manifest = {
        "name": f"Quartermaster: {endpoint.table or 'all lookup tables'}",
        "documentation": _DOCUMENTATION,
        "serviceVersion": __version__,
        "defaultTypes": [{"id": t["name"], "name": t["name"]} for t in tables],
        "batchSize": min(BATCH_SIZE, described["max_batch"]) if described else BATCH_SIZE,
    }
    if not is_open:
        found["authentication"] = {"type": "apiKey", "name": "Authorization", "in": "header"}
    return found


def _version_0(endpoint: Endpoint, described: Mapping[str, Any] | None, is_open: bool) -> Manifest:
    url = endpoint.url

    def suggest(kind: str) -> dict[str, str]:
        return {
            "service_url": url,
            "service_path": f"/suggest/{kind}",
            "flyout_service_url": url,
            "flyout_service_path": f"/flyout/{kind}?id=${{id}}",
        }

    return {
        "versions": ["0.1", "0.2"],
        **_common(endpoint, described, is_open),
        "identifierSpace": endpoint.id_space,
        "schemaSpace": endpoint.id_space.replace("/view?id=", "/suggest/property?prefix="),
        "view": {"url": f"{url}/view?id={{{{id}}}}"},
        "preview": {"url": f"{url}/preview?id={{{{id}}}}", **PREVIEW_SIZE},
        "suggest": {kind: suggest(kind) for kind in ("entity", "type", "property")},
        "extend": {
            "propose_properties": {"service_url": url, "service_path": "/extend/propose"},
            "property_settings": [
                {"name": "limit", "label": "Limit", **_LIMIT, "help_text": _LIMIT_HELP}
            ],
        },
    }


def _version_1(endpoint: Endpoint, described: Mapping[str, Any] | None, is_open: bool) -> Manifest:
    return {
        "versions": ["1.0-draft"],
        **_common(endpoint, described, is_open),
        "lang": "en",
        "dir": "ltr",
        "standardizedScore": True,
        "view": {"url": f"{endpoint.url}/view?id={{id}}"},
        "preview": PREVIEW_SIZE,
        "suggest": {"entity": True, "type": True, "property": True},
        "extend": {
            "proposeProperties": True,
            "propertySettings": [
                {"id": "limit", "name": "Limit", **_LIMIT, "helpText": _LIMIT_HELP}
            ],
        },
    }
