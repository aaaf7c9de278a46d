"""An issuer of tokens: an HTTP server with its public keys, and the private ones to sign with."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes
from jwt.algorithms import ECAlgorithm, RSAAlgorithm

AUDIENCE = "https://qm.example/mcp"


class TokenIssuer:
    """What a test does with an issuer.

    Attributes:
        url: its address and name.
        keys: private keys by name; their public halves are published.
        published: further entries of the published set.
        asked: paths that were fetched.
    """

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self.keys: dict[str, PrivateKeyTypes] = {"first": new_rsa()}
        self.published: list[dict[str, Any]] = []
        self.asked: list[str] = []
        self.says: dict[str, Any] = {"issuer": self.url, "jwks_uri": f"{self.url}/keys"}

    def answer(self, path: str) -> dict[str, Any] | None:
        """Returns the document at a path."""
        self.asked.append(path)
        if path == "/.well-known/openid-configuration":
            return self.says
        if path == "/keys":
            return {"keys": [*map(public_entry, self.keys.items()), *self.published]}
        return None

    def sign(
        self,
        key: str = "first",
        algorithm: str = "RS256",
        header: dict[str, Any] | None = None,
        **claims: Any,
    ) -> str:
        """Returns a token for the tests' audience, good for a minute; a claim given as None is left
        out.
        """
        now = int(time.time())
        whole = {
            "iss": self.url,
            "aud": AUDIENCE,
            "sub": "alice-1",
            "iat": now,
            "exp": now + 60,
            **claims,
        }
        retained = {name: value for name, value in whole.items() if value is not None}
        return jwt.encode(retained, self.keys[key], algorithm, {"kid": key, **(header or {})})  # pyright: ignore[reportArgumentType]


def new_rsa() -> rsa.RSAPrivateKey:
    """Returns a key as issuers have it."""
    return rsa.generate_private_key(65537, 2048)


def new_curve() -> ec.EllipticCurvePrivateKey:
    """Returns one of the curve P-256."""
    return ec.generate_private_key(ec.SECP256R1())


def public_entry(named: tuple[str, PrivateKeyTypes]) -> dict[str, Any]:
    """Returns how a key is published."""
    name, key = named
    if isinstance(key, rsa.RSAPrivateKey):
        entry: dict[str, Any] = RSAAlgorithm.to_jwk(key.public_key(), as_dict=True)
    else:
        assert isinstance(key, ec.EllipticCurvePrivateKey)
        entry = ECAlgorithm.to_jwk(key.public_key(), as_dict=True)
    entry.pop("key_ops", None)
    return {**entry, "kid": name, "use": "sig"}


@contextmanager
def token_issuer() -> Generator[TokenIssuer]:
    """Provides one that serves for the length of the block."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = issuer.answer(self.path)
            body = json.dumps(found or {}).encode()
            self.send_response(200 if found is not None else 404)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    # Closing it waits for those that still answer.
    server.daemon_threads = False
    issuer = TokenIssuer(server.server_address[1])
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield issuer
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
