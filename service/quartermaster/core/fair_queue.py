"""Gives each principal a share of something scarce that the other principals cannot take.

One rule applies to all shared resources (`Shares`): a principal that already has a part cannot take
everything that is left. Some of it stays free for principals that have none. `FairQueue` adds a
queue for slots.
"""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass, field
from math import ceil, isfinite
from time import perf_counter
from typing import Final

import anyio

from quartermaster.core.errors import WaitError

KEPT_FREE: Final = 0.25
"""The default for `Shares.kept_free`."""
_SMOOTHING_FACTOR: Final = 0.1


class Shares:
    """The amount of a scarce resource, and how much of it each principal has.

    Args:
        total: the whole amount.
        kept_free: share of the amount, from 0 to 1, that is reserved for principals who have none.
            A principal who already has some cannot take it. If the amount is 1, nothing is left
            free.
        exempt: name of a principal that may take everything; None if there is none.
    """

    def __init__(
        self, total: float, *, kept_free: float = KEPT_FREE, exempt: str | None = None
    ) -> None:
        self._spare = min(ceil(total * kept_free), max(total - 1, 0)) if isfinite(total) else 0
        self._exempt = exempt
        self.free = total
        self.held: dict[str, float] = {}

    def may_take(self, who: str, amount: float = 1) -> bool:
        """Returns whether a principal may take this amount now."""
        spare = self._spare if who in self.held and who != self._exempt else 0
        return self.free - amount >= spare

    def take(self, who: str, amount: float = 1) -> None:
        """Takes an amount for a principal. `may_take` must have allowed it."""
        self.free -= amount
        self.held[who] = self.held.get(who, 0) + amount

    def give_back(self, who: str, amount: float = 1) -> None:
        """Gives back an amount that a principal took."""
        self.free += amount
        left = self.held[who] - amount
        if left > 0:
            self.held[who] = left
        else:
            del self.held[who]


@dataclass(frozen=True, slots=True)
class Share:
    """One principal's use of a queue.

    Attributes:
        running: number of slots.
        waiting: number of requests that wait for a slot.
        refused: number of requests that were refused since the start, because too many waited.
    """

    running: int
    waiting: int
    refused: int


@dataclass(eq=False, slots=True)
class _Waiter:
    decided: anyio.Event = field(default_factory=anyio.Event)
    has_slot: bool = False


class FairQueue:
    """A number of slots, and a queue for each principal that waits for one.

    A free slot goes to the principal that has the fewest slots, and among equals to the one that
    has waited longest for its turn. If too many requests wait, the newest request of the principal
    with the most waiting requests is refused.

    Args:
        what: the things that need a slot, as a plural noun.
        slots: number of slots.
        most_waiting: largest number of waiting requests; None means no limit.
        kept_free, exempt: see `Shares`.

    Attributes:
        waiting: number of requests that wait for a slot.
    """

    def __init__(
        self,
        what: str,
        slots: int,
        most_waiting: int | None = None,
        *,
        kept_free: float = KEPT_FREE,
        exempt: str | None = None,
    ) -> None:
        self.what = what
        self._most_waiting = most_waiting
        self._shares = Shares(slots, kept_free=kept_free, exempt=exempt)
        # The principals are in the order of their turns.
        self._lines: dict[str, deque[_Waiter]] = {}
        self.waiting = 0
        self._refused = Counter[str]()
        # The usual time between two slots that become free.
        self._pause_s = 0.0
        self._left_at = perf_counter()

    @property
    def refused(self) -> int:
        """The number of requests that were refused since the start."""
        return self._refused.total()

    def shares(self) -> dict[str, Share]:
        """Returns the use of the queue by each principal, by name."""
        held, lines, refused = self._shares.held, self._lines, self._refused
        return {
            who: Share(int(held.get(who, 0)), len(lines.get(who, ())), refused[who])
            for who in sorted({*held, *lines, *refused})
        }

    def slot(self, who: str) -> Slot:
        """Waits for a slot, and gives it back on exit; see `take`."""
        return Slot(self, who)

    def take_free(self, who: str) -> bool:
        """Takes a slot if the principal may have one now. It must be given back with `leave`.

        Returns:
            Whether the principal got a slot.
        """
        if not self._shares.may_take(who):
            return False
        self._shares.take(who)
        return True

    async def take(self, who: str) -> None:
        """Waits for a slot. It must be given back with `leave`.

        Args:
            who: name of the principal.

        Raises:
            WaitError: QM429 queue_full.
        """
        if self.take_free(who):
            return
        if self._most_waiting is not None and self.waiting >= self._most_waiting:
            self._make_room(who)
        waiter = _Waiter()
        self._lines.setdefault(who, deque()).append(waiter)
        self.waiting += 1
        try:
            await waiter.decided.wait()
        except BaseException:
            if waiter.has_slot:
                self.leave(who)
            elif not waiter.decided.is_set():
                self._remove(who, waiter)
            raise
        if not waiter.has_slot:
            raise self._full(who)

    def leave(self, who: str) -> None:
        """Gives back a slot, and gives free slots to principals that wait."""
        self._shares.give_back(who)
        now = perf_counter()
        self._pause_s += _SMOOTHING_FACTOR * (now - self._left_at - self._pause_s)
        self._left_at = now
        while self._lines and (next_one := self._next()) is not None:
            line = self._lines.pop(next_one)
            waiter = line.popleft()
            self.waiting -= 1
            if line:
                self._lines[next_one] = line
            self._shares.take(next_one)
            waiter.has_slot = True
            waiter.decided.set()

    def _make_room(self, who: str) -> None:
        """Makes room for a new request of a principal: refuses the newest request of the principal
        with the most waiting requests. If the new request's own principal would then have at least
        as many waiting requests, refuses the new request instead, with an error.
        """
        longest = max(self._lines, key=lambda each: len(self._lines[each]), default=who)
        if len(self._lines.get(longest, ())) <= len(self._lines.get(who, ())) + 1:
            raise self._full(who)
        newest = self._lines[longest][-1]
        self._remove(longest, newest)
        newest.decided.set()

    def _full(self, who: str) -> WaitError:
        self._refused[who] += 1
        line = len(self._lines.get(who, ()))
        wait_s = max(1.0, self._pause_s * len(self._lines))
        return WaitError(
            "queue_full",
            f"Too many {self.what} are waiting, {line} of them yours.",
            f"Wait {wait_s:.2g} s, and send fewer requests at the same time.",
            wait_s,
        )

    def _remove(self, who: str, waiter: _Waiter) -> None:
        line = self._lines[who]
        line.remove(waiter)
        self.waiting -= 1
        if not line:
            del self._lines[who]

    def _next(self) -> str | None:
        """Returns the principal whose request gets the next slot; None if no waiting principal may
        take a slot.
        """
        able = (who for who in self._lines if self._shares.may_take(who))
        return min(able, key=lambda who: self._shares.held.get(who, 0), default=None)


class Slot:
    """A slot in a queue, which is held inside the block.

    Every request takes several slots, so this is a class: a generator would take more time than the
    queue itself.
    """

    __slots__ = ("_queue", "_who")

    def __init__(self, queue: FairQueue, who: str) -> None:
        self._queue = queue
        self._who = who

    async def __aenter__(self) -> None:
        await self._queue.take(self._who)

    async def __aexit__(self, *raised: object) -> None:
        self._queue.leave(self._who)
