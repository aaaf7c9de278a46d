"""One running Quartermaster, and a well-behaved upstream beside those in trouble.

Time limits of calls are long, so that a machine that is busy makes no trouble of its own; where a
test is about the limit, it sets one for its tool.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from tests.support.instance import Instance, new_instance
from tests.support.load import Load
from tests.support.upstreams import LeafServer, leaf_server

LIMITS = {"QM_UPSTREAM__CALL_TIMEOUT_S": "30", "QM_UPSTREAM__MAX_CONCURRENCY": "16"}


@pytest.fixture(scope="module")
def service(stopped_data_dir: Path) -> Generator[Instance]:
    """Running on a disk, with the well-behaved upstream ``steady``; a breaker's pause is 1 s."""
    with new_instance(copy_of=stopped_data_dir, environment=LIMITS, on_disk=True) as instance:
        instance.start()
        instance.add_upstream("steady", "leaf_server.py", "stdio")
        for name, value in (("pause", '"1 second"'), ("slow_from", '"1 second"')):
            instance.rows(
                "update core.setting set value = %s::jsonb where name = %s returning name",
                value,
                f"breaker.{name}",
            )
        yield instance


@pytest.fixture
def steady(service: Instance) -> Load:
    """Calls of the well-behaved upstream by two clients, which leave the machine to others."""
    arguments = {"text": "hello"}
    return Load(service.run_file, "steady__echo", arguments, 10**9, clients=2, pause_s=0.05)


@pytest.fixture
def tell(capsys: pytest.CaptureFixture[str], request: pytest.FixtureRequest) -> Callable[..., None]:
    """Prints figures of a test, past what pytest holds back."""

    def say(*figures: object) -> None:
        with capsys.disabled():
            print(f"\n  {request.node.name}: {'; '.join(map(str, figures))}", end="")  # noqa: T201

    return say


class Moody:
    """An HTTP upstream that answers calls as it is told, and can be killed and started again."""

    def __init__(self, folder: Path) -> None:
        self._mood = folder / "mood"
        self._context: AbstractContextManager[LeafServer] | None = None
        self._port = 0
        self.be("ok")

    def be(self, mood: str) -> None:
        """``ok``, ``500`` or ``slow SECONDS``."""
        self._mood.write_text(mood)

    def start(self) -> LeafServer:
        """At the same address each time."""
        at = [str(self._port)] if self._port else []
        self._context = leaf_server("http", f"moody={self._mood}", *at)
        server = self._context.__enter__()
        self._port = server.port
        return server

    def stop(self) -> None:
        """SIGKILL, and wait until it is gone."""
        if self._context is not None:
            self._context.__exit__(None, None, None)


@pytest.fixture
def moody(service: Instance, tmp_path: Path) -> Generator[Moody]:
    """In the catalog as ``moody``, running."""
    upstream = Moody(tmp_path)
    try:
        server = upstream.start()
        added = service.qm(
            "origin", "add", "moody", "--replace", "--yes", "--url", server.spec().url or ""
        )
        assert added.returncode == 0, added.stderr
        # Its tools repeat those of the first server, so they wait for approval the first time.
        service.qm("tool", "approve", "--origin", "moody", "--yes")
        service.rows("delete from calls.breaker returning origin_id")
        yield upstream
    finally:
        upstream.stop()
