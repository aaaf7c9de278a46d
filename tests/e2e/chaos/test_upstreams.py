"""Upstreams in every kind of trouble: each hurts its own callers only, and is left alone soon."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import anyio
import pytest

from quartermaster.doors.mcp.own_client import call_tool
from tests.e2e.chaos.conftest import Moody
from tests.support.instance import Instance, strays
from tests.support.load import Held, Load, beside, call_many, gaps, outcomes_in_log
from tests.support.upstreams import is_running
from tests.support.waiting import wait_until

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

Tell = Callable[..., None]
REFUSED = "upstream_unavailable"
# The first to notice is told why; those that wait on the same connection, that it has ended.
GONE = frozenset({"upstream_network", "upstream_died"})


@pytest.fixture(autouse=True)
def log_is_whole(service: Instance):
    """Whatever happened, each call is in the log exactly once."""
    yield
    assert wait_until(lambda: not service.rows("select from calls.call where outcome = 'pending'"))
    assert gaps(service) == []


def test_one_that_hangs(service: Instance, steady: Load, tell: Tell):
    service.add_upstream("hanging", "leaf_server.py", "stdio")
    assert service.qm("tool", "terms", "hanging__hang", "--timeout", "2").returncode == 0
    trouble, well = beside(steady, "hanging__hang", 40, clients=8)
    tell(f"hanging: {trouble}", f"beside it: {well}")
    assert trouble.outcomes["upstream_timeout"] + trouble.outcomes[REFUSED] == 40
    assert trouble.outcomes[REFUSED] > 10, "the rest is refused at once"
    assert well.outcomes == {"ok": well.calls}
    assert outcomes_in_log(service, "hanging").total() == 40


def test_one_that_dies_in_the_middle_of_calls(service: Instance, steady: Load, tell: Tell):
    service.add_upstream("dying", "rude_server.py")
    trouble, well = beside(steady, "dying__die", 20, clients=1)
    tell(f"dying: {trouble}", f"beside it: {well}")
    assert trouble.outcomes["upstream_died"] >= 5
    assert trouble.outcomes["upstream_died"] + trouble.outcomes[REFUSED] == 20
    assert well.outcomes == {"ok": well.calls}
    logged = service.qm("origin", "log", "dying")
    assert "last words" in logged.stdout
    listed = service.qm("origin", "list").stdout
    assert "paused until" in listed
    assert "Calls to dying are allowed again" in service.qm("origin", "reset", "dying").stdout
    assert call_many(service.run_file, "dying__echo", 3, 1).outcomes == {"ok": 3}


def test_one_that_floods_its_output(service: Instance, steady: Load, tell: Tell):
    service.add_upstream("flooding", "rude_server.py")
    before = Held.now(service)
    lines, well = beside(steady, "flooding__flood", 2, clients=1)
    long_line, _ = beside(steady, "flooding__long_line", 2, clients=1)
    after = Held.now(service)
    tell(f"lines: {lines}", f"one line: {long_line}", f"beside it: {well}", before, after)
    # On a machine that is busy it may be the time limit that ends it.
    assert {*lines.outcomes, *long_line.outcomes} <= {"upstream_protocol", "upstream_timeout"}
    assert well.outcomes == {"ok": well.calls}
    assert after.rss_mb < before.rss_mb + 150


def test_one_that_leaks_children(service: Instance, tell: Tell):
    service.add_upstream("leaking", "rude_server.py", "stubborn")
    before = Held.now(service)
    for _ in range(5):
        nothing: dict[str, Any] = {}
        anyio.run(call_tool, service.run_file, "leaking__spawn_strays", nothing)
    grown = Held.now(service)
    leaked = strays(service.run_file.pid)
    assert len(leaked) == 10
    assert service.qm("origin", "remove", "leaking", "--yes").returncode == 0
    assert wait_until(lambda: not any(map(is_running, leaked)))
    assert wait_until(lambda: Held.now(service).processes < before.processes)
    tell(before, f"then {grown}", f"removed: {Held.now(service)}")


def test_one_that_becomes_slow(service: Instance, moody: Moody, steady: Load, tell: Tell):
    usual = call_many(service.run_file, "moody__measure", 40)
    assert service.qm("job", "run", "learn").returncode == 0
    # Five times as slow as usual is slow, and usual is whatever this machine can do just now.
    moody.be(f"slow {max(1.3, 10 * usual.quantile_ms(95) / 1000)}")
    slow, well = beside(steady, "moody__measure", 30, clients=5)
    moody.be("ok")
    assert wait_until(lambda: call_many(service.run_file, "moody__measure", 1).outcomes["ok"] == 1)
    mended = call_many(service.run_file, "moody__measure", 20)
    tell(f"usual: {usual}", f"slow: {slow}", f"mended: {mended}", f"beside it: {well}")
    assert usual.outcomes == {"ok": 40}
    assert slow.outcomes["ok"] < 25, "so slow it is left alone"
    assert slow.outcomes[REFUSED] > 0
    assert mended.outcomes == {"ok": 20}
    assert well.outcomes == {"ok": well.calls}


def test_one_that_answers_500(service: Instance, moody: Moody, steady: Load, tell: Tell):
    moody.be("500")
    failing, well = beside(steady, "moody__echo", 100, text="hello")
    assert service.rows("select b.state from calls.breaker as b") == [("open",)]
    moody.be("ok")
    assert wait_until(lambda: call_many(service.run_file, "moody__measure", 1).outcomes["ok"] == 1)
    mended = call_many(service.run_file, "moody__measure", 20)
    tell(f"failing: {failing}", f"mended: {mended}", f"beside it: {well}")
    assert {*failing.outcomes} <= {*GONE, REFUSED}
    assert failing.outcomes[REFUSED] > 80, "the rest is refused at once"
    assert mended.outcomes == {"ok": 20}
    assert well.outcomes == {"ok": well.calls}


def test_one_that_restarts(service: Instance, moody: Moody, tell: Tell):
    before = call_many(service.run_file, "moody__echo", 20, text="hello")
    moody.stop()
    away = call_many(service.run_file, "moody__echo", 20, text="hello")
    moody.start()
    assert wait_until(lambda: call_many(service.run_file, "moody__measure", 1).outcomes["ok"] == 1)
    again = call_many(service.run_file, "moody__echo", 20, text="hello")
    tell(f"before: {before}", f"away: {away}", f"again: {again}")
    assert before.outcomes == again.outcomes == {"ok": 20}
    assert {*away.outcomes} <= {*GONE, REFUSED}
