"""Prints the token of a kept login, once standard input ends."""

from __future__ import annotations

import sys
from pathlib import Path

import anyio

from quartermaster.secrets.store import SecretStore
from quartermaster.upstream.auth.oauth_tokens import OAuthTokens, read_grant
from quartermaster.upstream.tls import TlsSettings


async def main() -> None:
    store = SecretStore(Path(sys.argv[1]))
    grant = await read_grant(store, "login/hub")
    assert grant is not None
    tokens = OAuthTokens("hub", "login/hub", store, grant, "", TlsSettings(), ("127.0.0.0/8",))
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.read()
    sys.stdout.write(await tokens.token())


anyio.run(main)
