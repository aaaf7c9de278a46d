"""Reads the small JSON documents in which an issuer describes itself."""

from __future__ import annotations

import json
from typing import Any, Final, cast

import httpx2

from quartermaster.core.errors import QmError

_TIMEOUT_S: Final = 10.0
_MAX_BYTES: Final = 1024 * 1024


async def fetch_object(url: str) -> dict[str, Any]:
    """The JSON object at an address; redirections are not followed.

    Raises:
        QmError: QM503 issuer_unavailable.
    """
    body = bytearray()
    try:
        async with (
            httpx2.AsyncClient(timeout=_TIMEOUT_S) as http,
            http.stream("GET", url, headers={"accept": "application/json"}) as answer,
        ):
            if answer.status_code != 200:
                raise unavailable(f"{url} answered {answer.status_code}")
            async for part in answer.aiter_bytes():
                body += part
                if len(body) > _MAX_BYTES:
                    raise unavailable(f"{url} sent more than {_MAX_BYTES} bytes")
        found: object = json.loads(body)
    except (httpx2.HTTPError, ValueError) as error:
        raise unavailable(f"{url}: {error or type(error).__name__}") from error
    if not isinstance(found, dict):
        raise unavailable(f"{url} sent no JSON object")
    return cast("dict[str, Any]", found)


def unavailable(message: str) -> QmError:
    """QM503 issuer_unavailable."""
    return QmError(
        503,
        "issuer_unavailable",
        f"The keys of the token issuer could not be fetched: {message}.",
        "Try again shortly; check auth.oidc in the settings.",
    )
