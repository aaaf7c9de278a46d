"""Limits how often an upstream is refreshed because it announces changes.

Some servers announce a change whenever they are listed. Without a limit, they would be listed again
and again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import anyio

FIRST_PAUSE_S: Final = 1.0
LONGEST_PAUSE_S: Final = 600.0


@dataclass(slots=True)
class _Pace:
    """The pace at which an upstream that announces changes may be listed.

    Attributes:
        pause_s: pause after the last listing.
        may_list_at: time at which the pause ends.
        is_waiting: whether a task already waits for the end of the pause.
        was_asked: whether the next listing follows an announcement.
    """

    pause_s: float = 0.0
    may_list_at: float = 0.0
    is_waiting: bool = False
    was_asked: bool = False


@dataclass(slots=True)
class Announced:
    """The upstreams that have announced changes, and the time from which each upstream may be
    listed. The pause after each such listing grows as long as the listings show no change.
    """

    _paces: dict[int, _Pace] = field(default_factory=dict[int, _Pace])
    _notifications: set[int] = field(default_factory=set[int])

    async def wait(self, origin_id: int) -> bool:
        """Records an announcement, and waits until the upstream may be listed.

        Returns:
            Whether to list the upstream now; False if another task already waits to do so.
        """
        self._notifications.add(origin_id)
        pace = self._paces.setdefault(origin_id, _Pace())
        if pace.is_waiting:
            return False
        pace.is_waiting = True
        try:
            await anyio.sleep(max(pace.may_list_at - anyio.current_time(), 0.0))
        finally:
            pace.is_waiting = False
        pace.was_asked = True
        return True

    def pause_s(self, origin_id: int) -> float:
        """Returns the pause after the last listing of an upstream, in seconds."""
        return self._paces.get(origin_id, _Pace()).pause_s

    def begin(self, origin_id: int) -> None:
        """Records that a listing begins. The listing will contain all changes that were announced
        before.
        """
        self._notifications.discard(origin_id)

    def is_waiting(self, origin_id: int) -> bool:
        """Returns whether a change has been announced since the last listing began."""
        return origin_id in self._notifications

    def end(self, origin_id: int, *, has_changed: bool) -> None:
        """Records that a listing has ended.

        Args:
            has_changed: whether the listing differs from the previous listing.
        """
        pace = self._paces.setdefault(origin_id, _Pace())
        if has_changed:
            pace.pause_s = FIRST_PAUSE_S
        elif pace.was_asked:
            pace.pause_s = min(max(2 * pace.pause_s, FIRST_PAUSE_S), LONGEST_PAUSE_S)
        pace.was_asked = False
        pace.may_list_at = anyio.current_time() + pace.pause_s
