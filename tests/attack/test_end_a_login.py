"""A page or a program on the machine visits the address that waits for a login's answer."""

from __future__ import annotations

from urllib.parse import urlsplit

import anyio
import httpx2
import pytest

from quartermaster.upstream.auth.loopback import open_loopback

pytestmark = pytest.mark.anyio


async def test_only_the_answer_to_this_login_ends_it() -> None:
    shown: list[str] = []

    async def show(address: str) -> None:
        shown.append(address)

    async with open_loopback() as loopback, httpx2.AsyncClient() as visitor:
        right = {"code": "right", "state": "mine"}
        early = await visitor.get(loopback.url, params=right)
        await loopback.showing(show)("https://issuer.example/authorize?state=mine")
        forged = [
            await visitor.get(loopback.url, params=params)
            for params in ({"error": "x"}, {"code": "x"}, {"code": "x", "state": "other"})
        ]
        evil = {"host": f"evil.example:{urlsplit(loopback.url).port}"}
        forged.append(await visitor.get(loopback.url, params=right, headers=evil))
        assert [answer.status_code for answer in (early, *forged)] == [400] * 5
        assert (await visitor.get(loopback.url, params=right)).status_code == 200
        with anyio.fail_after(60):
            assert (await loopback.result()).code == "right"
    assert len(shown) == 1
