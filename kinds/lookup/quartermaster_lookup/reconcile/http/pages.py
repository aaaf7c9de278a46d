"""HTML pages for people: the preview of a row, the complete row, and flyouts."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, cast

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.responses import HTMLResponse

from quartermaster.core.errors import QmError

_TEMPLATES: Final = Environment(
    loader=FileSystemLoader(Path(__file__).with_name("templates")),
    # Values of rows are plain text, so they are escaped.
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_HEADERS: Final = {
    # A page runs no scripts, loads nothing, and does not reveal its address to other sites.
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
}


def render(template: str, **values: Any) -> str:
    """Renders a template to HTML and escapes all values."""
    return _TEMPLATES.get_template(template).render(values)


def page(template: str, *, status: int = 200, **values: Any) -> HTMLResponse:
    """Returns a complete page."""
    return HTMLResponse(render(template, **values), status, _HEADERS)


def error_page(error: QmError) -> HTMLResponse:
    """Returns an error page, which a browser shows instead of a row."""
    return page("error.html", status=error.status, error=error)


def row_values(row: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the values that the templates show for a row.

    Args:
        row: a row from api.get_by_id.

    Returns:
        The row and two more values. ``facts`` contains the properties of the row in alphabetical
        order, each with its texts. ``sources`` contains its provenance in the same form.
    """
    return {
        "row": row,
        "facts": [(name, _texts(value)) for name, value in sorted(row["properties"].items())],
        "sources": [(name, _texts(value)) for name, value in sorted(row["provenance"].items())],
    }


def _texts(value: object) -> list[str]:
    if isinstance(value, list):
        return [text for item in cast("list[object]", value) for text in _texts(item)]
    if isinstance(value, dict):
        members = cast("dict[str, object]", value)
        return [str(members.get("name") or members.get("id") or members)]
    return [] if value is None else [str(value)]
