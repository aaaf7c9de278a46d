"""Decodes the parameters and body of a request and cleans them for the database."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final, NoReturn, cast
from urllib.parse import parse_qsl

from starlette.requests import Request

from quartermaster.core.errors import QmError, argument_invalid

LONGEST_QUERY_STRING: Final = 32_768
_MAX_FIELDS: Final = 20


async def read_parameters(request: Request) -> dict[str, str]:
    """Returns the parameters from the URL and from a form in the body. The body takes precedence.

    Raises:
        QmError: QM414 query_string_too_long, QM415 form_expected, QM422 argument_invalid.
    """
    query: bytes = request.scope["query_string"]
    if len(query) > LONGEST_QUERY_STRING:
        raise QmError(
            414,
            "query_string_too_long",
            f"The query string is {len(query)} bytes long; the limit is {LONGEST_QUERY_STRING}.",
            "Send the queries as a form with POST.",
        )
    found = _fields(query)
    if request.method == "POST":
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind == "application/json":
            given = decode(await request.body())
            if not isinstance(given, dict):
                raise argument_invalid("The body must be a JSON object.", 'Send {"queries": ...}.')
            members = cast("dict[str, Any]", given)
            found |= {name: json.dumps(value) for name, value in members.items()}
        elif kind in {"application/x-www-form-urlencoded", ""}:
            found |= _fields(await request.body())
        else:
            raise QmError(
                415,
                "form_expected",
                f"The body has the content type {kind[:80]}.",
                "Send a form (application/x-www-form-urlencoded) or application/json.",
            )
    return found


def _fields(encoded: bytes) -> dict[str, str]:
    try:
        pairs = parse_qsl(
            encoded.decode(), keep_blank_values=True, errors="strict", max_num_fields=_MAX_FIELDS
        )
    except ValueError as error:
        raise argument_invalid(
            f"The form cannot be read: {error}.", "URL-encode the form as UTF-8."
        ) from None
    return {name: clean(value) for name, value in pairs}


def decode(text: str | bytes) -> Any:
    """Parses JSON and cleans it for the database.

    Raises:
        QmError: QM400 json_invalid.
    """
    try:
        return _cleaned(json.loads(text, parse_constant=_refuse))
    except (ValueError, RecursionError) as error:
        where = (
            f"line {error.lineno} column {error.colno}: {error.msg}"
            if isinstance(error, json.JSONDecodeError)
            else "the text is nested too deeply, is not UTF-8, or contains an invalid number"
        )
        raise QmError(
            400,
            "json_invalid",
            f"The body is not JSON: {where}.",
            "Send a JSON object.",
        ) from None


def clean(text: str) -> str:
    """Replaces characters that PostgreSQL cannot store: NUL and unpaired surrogates."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode()


def _refuse(name: str) -> NoReturn:
    raise ValueError(name)


def _cleaned(value: Any) -> Any:
    kinds: dict[type, Callable[[Any], Any]] = {
        str: clean,
        list: lambda items: [_cleaned(item) for item in items],
        dict: lambda members: {clean(name): _cleaned(item) for name, item in members.items()},
    }
    return kinds[type(value)](value) if type(value) in kinds else value


def whole_number(parameters: Mapping[str, str], name: str, default: int) -> int:
    """Returns a parameter that is a whole number.

    Raises:
        QmError: QM422 argument_invalid.
    """
    text = parameters.get(name, "") or str(default)
    if not text.lstrip("-").isdecimal() or len(text) > 9:
        raise argument_invalid(
            f"{name} is not a whole number: {text[:80]!r}.", "Use a whole number."
        )
    return int(text)
