"""The endpoint ``/v1/debug/select``, which explains a selection fully for operators."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from quartermaster.core.errors import argument_invalid
from quartermaster.identity.authenticated import sender_of
from quartermaster.service import Service

_TEXTS: Final = ("goal", "mode", "kind")
_NUMBERS: Final = ("top", "budget_tokens")


async def select(service: Service, request: Request) -> Response:
    """Returns every candidate for a goal with its score at each stage, and why some are withheld.

    The query string must contain ``goal`` and may contain ``mode``, ``kind``, ``top`` (the number
    of cards) and ``budget_tokens``. The answer is the answer of api.debug_select with two more
    members: ``models_ms``, the milliseconds for each step outside the database, and ``warnings``.

    Raises:
        QmError: QM403 not_permitted, QM422 argument_invalid, and the errors of api.debug_select.
    """
    principal = sender_of(request)
    arguments = _arguments(request.query_params)
    prepared = await service.retriever.prepare(
        principal,
        arguments["goal"],
        mode=arguments.get("mode"),
        kinds=arguments.get("kinds"),
    )
    found = await service.database.call_value(
        "debug_select",
        replace(principal, goal_model=prepared.goal_model),
        **arguments,
        **prepared.arguments,
    )
    found["models_ms"] = {
        step: round(seconds * 1000, 2) for step, seconds in prepared.seconds.items()
    }
    found["warnings"] = prepared.warnings
    return JSONResponse(found)


def _arguments(query: Mapping[str, str]) -> dict[str, Any]:
    for name in query:
        if name not in (*_TEXTS, *_NUMBERS):
            nearest = difflib.get_close_matches(name, (*_TEXTS, *_NUMBERS), n=1, cutoff=0.0)[0]
            raise argument_invalid(f"Unknown parameter {name[:80]!r}.", f"Did you mean {nearest}?")
    arguments: dict[str, Any] = {"goal": ""}
    for name, text in query.items():
        if name in _TEXTS:
            arguments[name] = text
        elif text.lstrip("-").isdecimal() and len(text) < 10:
            arguments[name] = int(text)
        else:
            raise argument_invalid(
                f"{name} is not a whole number: {text[:80]!r}.", "Use a whole number."
            )
    if "kind" in arguments:
        arguments["kinds"] = [arguments.pop("kind")]
    return arguments
