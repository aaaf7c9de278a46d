"""Announcements are paced while nothing changes."""

from __future__ import annotations

import anyio
import pytest

from quartermaster.upstream import announced
from quartermaster.upstream.announced import Announced

pytestmark = pytest.mark.anyio


async def listed(paces: Announced, *, has_changed: bool) -> float:
    """Returns the pause after a listing that was announced."""
    assert await paces.wait(1)
    paces.begin(1)
    paces.end(1, has_changed=has_changed)
    return paces.pause_s(1)


async def test_the_pause_grows_while_nothing_changes_and_is_short_again_after_a_change(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(announced, "FIRST_PAUSE_S", 0.001)
    monkeypatch.setattr(announced, "LONGEST_PAUSE_S", 0.008)
    paces = Announced()
    pauses = [await listed(paces, has_changed=False) for _ in range(5)]
    assert pauses == [0.001, 0.002, 0.004, 0.008, 0.008]
    assert await listed(paces, has_changed=True) == 0.001


async def test_listings_that_nobody_announced_slow_nothing() -> None:
    paces = Announced()
    for _ in range(5):
        paces.begin(1)
        paces.end(1, has_changed=False)
    assert paces.pause_s(1) == 0


async def test_one_waits_for_all_announcements(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(announced, "FIRST_PAUSE_S", 0.05)
    paces = Announced()
    await listed(paces, has_changed=False)
    asked: list[bool] = []

    async def announce() -> None:
        asked.append(await paces.wait(1))

    async with anyio.create_task_group() as tasks:
        for _ in range(500):
            tasks.start_soon(announce)
    assert asked.count(True) == 1
    assert paces.is_waiting(1)
    assert not paces.is_waiting(2)
    paces.begin(1)
    assert not paces.is_waiting(1)
