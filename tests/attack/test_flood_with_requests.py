"""One principal sends requests as fast as it can: it is slowed down, and nobody else is."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.attack.conftest import Crowd
from tests.support.instance import new_instance

BURST = 40
# Also a machine that is slow is faster than that.
LIMITS = {"QM_LIMITS__REQUESTS_PER_S": "1", "QM_LIMITS__REQUESTS_BURST": str(BURST)}


def test_requests(stopped_data_dir: Path) -> None:
    with new_instance(copy_of=stopped_data_dir, environment=LIMITS) as instance:
        instance.start()
        crowd = Crowd(instance)
        mallory, alice = crowd.key("mallory-requests"), crowd.key("alice-requests")
        with (
            instance.http(mallory) as bad,
            instance.http(alice) as good,
            instance.http() as local,
            ThreadPoolExecutor(8) as threads,
        ):
            replies = [*threads.map(lambda _: bad.get("/v1/origins/none/log"), range(3 * BURST))]
            counts = Counter(reply.status_code for reply in replies)
            assert counts[403] >= BURST
            assert counts[429] > 0, f"all of {counts} were let in"
            refused = next(reply for reply in replies if reply.status_code == 429)
            assert refused.json()["error"]["slug"] == "rate_limited"
            assert refused.headers["retry-after"] == "1"
            assert good.get("/status").status_code == 200
            assert local.get("/status").status_code == 200
        assert instance.stop() == 0
