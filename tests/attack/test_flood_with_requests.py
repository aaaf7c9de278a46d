"""One principal sends requests as fast as it can: it is slowed down, and nobody else is."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from tests.attack.conftest import Crowd

BURST = 400


def test_requests(crowd: Crowd) -> None:
    mallory, alice = crowd.key("mallory-requests"), crowd.key("alice-requests")
    with (
        crowd.instance.http(mallory) as bad,
        crowd.instance.http(alice) as good,
        crowd.instance.http() as local,
        ThreadPoolExecutor(8) as threads,
    ):
        # An unknown path of a protected door costs the service little, so that the limit is met.
        replies = [*threads.map(lambda _: bad.get("/v1/origins/none/log"), range(3 * BURST))]
        counts = Counter(reply.status_code for reply in replies)
        assert counts[403] >= BURST
        assert counts[429] > 0, f"all of {counts} were let in"
        refused = next(reply for reply in replies if reply.status_code == 429)
        assert refused.json()["error"]["slug"] == "rate_limited"
        assert refused.headers["retry-after"] == "1"
        assert good.get("/status").status_code == 200
        assert local.get("/status").status_code == 200
