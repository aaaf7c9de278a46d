"""The public key with which upstreams check tokens that this service signed (RFC 7517)."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import anyio.to_thread
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from quartermaster.secrets.signing_key import SigningKey, jwk_of

KEYS_PATH: Final = "/.well-known/jwks.json"


class PublicKeys:
    """Open to everybody, as it tells nothing but a public key.

    Replicas that are asked under one address share one key: keys of others that the database
    could name are not told, for whoever may write there could then sign for this service.

    Args:
        data_dir: where the key lies.
    """

    def __init__(self, data_dir: Path) -> None:
        self._data_dir = data_dir

    async def keys(self, _request: Request) -> Response:
        """The key as a JWK set; no database is asked."""
        key = await anyio.to_thread.run_sync(SigningKey.open, self._data_dir)
        return JSONResponse(
            {"keys": [jwk_of(key.public_key)]}, headers={"Cache-Control": "max-age=300"}
        )
