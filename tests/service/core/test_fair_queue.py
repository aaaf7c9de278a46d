"""Each principal has a share of slots and queue; nobody waits behind the flood of another."""

from __future__ import annotations

from collections.abc import Callable

import anyio
import pytest

from quartermaster.core.errors import WaitError
from quartermaster.core.fair_queue import FairQueue, Share, Shares
from tests.support.waiting import until

pytestmark = pytest.mark.anyio


class Crowd:
    """Requests that keep their slots until they are told to leave."""

    def __init__(self, queue: FairQueue) -> None:
        self.queue = queue
        self.served: list[str] = []
        self.refused: list[WaitError] = []
        self._leaves: dict[str, list[anyio.Event]] = {}

    async def come(self, who: str) -> None:
        leaves = anyio.Event()
        try:
            async with self.queue.slot(who):
                self.served.append(who)
                self._leaves.setdefault(who, []).append(leaves)
                await leaves.wait()
        except WaitError as error:
            self.refused.append(error)

    def leave(self, who: str) -> None:
        self._leaves[who].pop(0).set()


def share(queue: FairQueue, who: str) -> tuple[int, int]:
    found = queue.shares().get(who, Share(0, 0, 0))
    return found.running, found.waiting


def settled(queue: FairQueue, who: str, running: int, waiting: int) -> Callable[[], bool]:
    return lambda: share(queue, who) == (running, waiting)


async def test_a_quarter_of_the_slots_is_left_to_those_who_have_none():
    queue = FairQueue("calls", 8)
    crowd = Crowd(queue)
    async with anyio.create_task_group() as tasks:
        for _ in range(20):
            tasks.start_soon(crowd.come, "flood")
        await until(settled(queue, "flood", 6, 14))
        for who in ("a", "b"):
            tasks.start_soon(crowd.come, who)
            await until(settled(queue, who, 1, 0))
        # No slot is left now, but the next one goes to whoever has none.
        tasks.start_soon(crowd.come, "c")
        await until(settled(queue, "c", 0, 1))
        crowd.leave("flood")
        await until(settled(queue, "c", 1, 0))
        assert share(queue, "flood") == (5, 14)
        tasks.cancel_scope.cancel()
    assert queue.shares() == {}
    assert queue.waiting == 0


async def test_a_free_slot_goes_to_whoever_has_the_fewest_and_then_in_turn():
    queue = FairQueue("calls", 1)
    crowd = Crowd(queue)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(crowd.come, "first")
        await until(settled(queue, "first", 1, 0))
        for who in ("a", "b"):
            for _ in range(3):
                tasks.start_soon(crowd.come, who)
            await until(settled(queue, who, 0, 3))
        for number in range(7):
            await until(lambda number=number: len(crowd.served) == number + 1)
            crowd.leave(crowd.served[number])
    assert crowd.served == ["first", "a", "b", "a", "b", "a", "b"]


async def test_a_full_queue_refuses_the_newest_of_the_longest_line():
    queue = FairQueue("calls", 1, 4)
    crowd = Crowd(queue)
    async with anyio.create_task_group() as tasks:
        for _ in range(5):
            tasks.start_soon(crowd.come, "flood")
        await until(settled(queue, "flood", 1, 4))
        tasks.start_soon(crowd.come, "flood")
        await until(lambda: len(crowd.refused) == 1)
        for waiting in (1, 2):
            tasks.start_soon(crowd.come, "other")
            await until(settled(queue, "other", 0, waiting))
        assert share(queue, "flood") == (1, 2)
        # Both have the same share now, so the next request of either is refused itself.
        tasks.start_soon(crowd.come, "other")
        await until(lambda: len(crowd.refused) == 4)
        assert (share(queue, "flood"), share(queue, "other")) == ((1, 2), (0, 2))
        tasks.cancel_scope.cancel()
    error = crowd.refused[0]
    assert (error.status, error.slug, error.header) == (429, "queue_full", "1")
    assert "4 of them yours" in error.message
    assert queue.shares() == {"flood": Share(0, 0, 3), "other": Share(0, 0, 1)}


async def test_the_exempt_principal_may_take_the_last_slots():
    queue = FairQueue("calls", 4, exempt="local")
    crowd = Crowd(queue)
    async with anyio.create_task_group() as tasks:
        for _ in range(5):
            tasks.start_soon(crowd.come, "local")
        await until(settled(queue, "local", 4, 1))
        tasks.cancel_scope.cancel()


async def test_who_leaves_while_waiting_gives_up_the_turn():
    queue = FairQueue("calls", 1)
    crowd = Crowd(queue)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(crowd.come, "a")
        await until(settled(queue, "a", 1, 0))
        with anyio.move_on_after(0.01) as scope:
            await queue.take("b")
        assert scope.cancelled_caught
        assert share(queue, "b") == (0, 0)
        crowd.leave("a")
    await queue.take("c")
    queue.leave("c")


async def test_a_turn_that_comes_with_the_cancellation_is_passed_on():
    queue = FairQueue("calls", 1)
    await queue.take("a")
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(queue.take, "b")
        await until(settled(queue, "b", 0, 1))
        tasks.cancel_scope.cancel()
        queue.leave("a")
    assert queue.shares() == {}


def test_a_share_of_one_is_the_whole():
    shares = Shares(1)
    assert shares.may_take("a")
    shares.take("a")
    assert not shares.may_take("b")
    shares.give_back("a")
    assert shares.free == 1
    assert shares.held == {}


async def test_a_free_slot_is_taken_at_once_by_whoever_may_have_it():
    queue = FairQueue("things", 2, kept_free=0.5)
    assert queue.take_free("a")
    assert not queue.take_free("a")
    assert queue.take_free("b")
    assert not queue.take_free("c")
    assert queue.waiting == 0
    queue.leave("a")
    assert queue.take_free("c")
