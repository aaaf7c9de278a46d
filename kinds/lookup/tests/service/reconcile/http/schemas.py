"""The JSON Schemas of the API's versions, as its authors publish them."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

import jsonschema_rs

from tests.support.shared_data import SHARED

SCHEMAS = SHARED / "reconcile" / "schemas"
# The authors' schema names Swagger's where the scheme of authentication is described.
SECURITY = {
    "definitions": {
        "securityDefinitions": {
            "additionalProperties": {
                "oneOf": [
                    {"required": ["type"], "properties": {"type": {"const": "basic"}}},
                    {
                        "required": ["type", "name", "in"],
                        "properties": {
                            "type": {"const": "apiKey"},
                            "in": {"enum": ["header", "query"]},
                        },
                    },
                    {
                        "required": ["type", "flow"],
                        "properties": {"type": {"const": "oauth2"}},
                    },
                ]
            }
        }
    }
}


@functools.cache
def validator(version: str, name: str) -> jsonschema_rs.Validator:
    """Returns the validator of a schema.

    Args:
        version: 0.1, 0.2 or 1.0-draft.
        name: of its file, without the end.
    """
    folder = SCHEMAS / version / "schemas"
    known: dict[str, Any] = {"http://swagger.io/v2/schema.json": SECURITY}
    for path in folder.glob("*.json"):
        if path.stem != "openapi":
            schema = json.loads(path.read_text())
            schema.pop("$schema", None)
            known[f"https://reconciliation-api.github.io/specs/draft/schemas/{path.name}"] = schema
            known[f"https://reconciliation-api.github.io/specs/{version}/schemas/{path.name}"] = (
                schema
            )
    schema = json.loads((folder / f"{name}.json").read_text())
    schema.pop("$schema", None)
    registry = jsonschema_rs.Registry(list(known.items()), draft=jsonschema_rs.Draft7)
    return jsonschema_rs.Draft7Validator(schema, registry=registry)


def faults(version: str, name: str, document: Any) -> list[str]:
    """Returns what is wrong with a document, in words."""
    return [
        f"{e.instance_path}: {e.message}" for e in validator(version, name).iter_errors(document)
    ]


def examples(version: str) -> list[tuple[str, str, Path]]:
    """Returns every example that has a schema: its name, valid or invalid, and the file."""
    found: list[tuple[str, str, Path]] = []
    for schema in sorted((SCHEMAS / version / "schemas").glob("*.json")):
        for kind in ("valid", "invalid"):
            folder = SCHEMAS / version / "examples" / schema.stem / kind
            found += [(schema.stem, kind, path) for path in sorted(folder.glob("*.json"))]
    return found
