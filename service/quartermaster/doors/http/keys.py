"""The public key with which upstreams verify tokens that this service signed (RFC 7517)."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import anyio.to_thread
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from quartermaster.secrets.signing_key import SigningKey, jwk_of

KEYS_PATH: Final = "/.well-known/jwks.json"


async def public_keys(data_dir: Path, _request: Request) -> Response:
    """Serves the key of a data directory as a JWK set, without asking the database.

    The endpoint is open to everybody, because it returns only a public key. Replicas behind one
    address share one key. Keys are not read from the database, because anyone who can write to it
    could then sign tokens as this service.
    """
    key = await anyio.to_thread.run_sync(SigningKey.open, data_dir)
    body = {"keys": [jwk_of(key.public_key)]}
    return JSONResponse(body, headers={"Cache-Control": "max-age=300"})
