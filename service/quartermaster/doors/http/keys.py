"""The public key with which upstreams check tokens that this service signed (RFC 7517)."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import anyio.to_thread
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from quartermaster.secrets.signing_key import SigningKey, jwk_of

KEYS_PATH: Final = "/.well-known/jwks.json"


async def public_keys(data_dir: Path, _request: Request) -> Response:
    """The key of a data directory as a JWK set; no database is asked.

    Open to everybody, as it tells nothing but a public key. Replicas that are asked under one
    address share one key: keys of others that the database could name are not told, for whoever
    may write there could then sign for this service.
    """
    key = await anyio.to_thread.run_sync(SigningKey.open, data_dir)
    body = {"keys": [jwk_of(key.public_key)]}
    return JSONResponse(body, headers={"Cache-Control": "max-age=300"})
