"""The calls of one principal fail again and again: the server is paused for this one only."""

from __future__ import annotations

import pytest

from tests.attack.conftest import Crowd
from tests.support.callers import client_of, slug_of

pytestmark = pytest.mark.anyio
DIE = {"name": "rude__die", "arguments": {}}
ECHO = {"name": "rude__echo", "arguments": {"text": "hello"}}


async def test_calls_that_kill_the_server(crowd: Crowd) -> None:
    mallory, alice = crowd.key("mallory-kills"), crowd.key("alice-kills")
    async with client_of(crowd.url, mallory) as bad, client_of(crowd.url, alice) as good:
        slugs = [await slug_of(bad, "call_tool", DIE) for _ in range(8)]
        assert slugs == ["upstream_died"] * 5 + ["upstream_unavailable"] * 3
        assert await slug_of(good, "call_tool", ECHO) is None
        assert await slug_of(bad, "call_tool", ECHO) == "upstream_unavailable"
