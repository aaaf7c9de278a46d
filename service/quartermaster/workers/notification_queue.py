"""Collects the database's notifications until they are handled.

Everybody who can log in to the database can send a notification with any payload. A notification
therefore only says where something may have changed; the facts are read from the database.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Final, get_args

import anyio

from quartermaster.api import Channel

CHANNELS: Final[tuple[Channel, ...]] = get_args(Channel)
"""The channels on which the service receives notifications."""
_MOST_ORIGINS: Final = 1000
# A payload is empty or an id; it never carries a name.
_ID: Final = re.compile(r"[1-9][0-9]{0,17}")


@dataclass
class Heard:
    """The notifications since the last check.

    Attributes:
        everything: whether notifications may have been missed, so that everything must be checked.
        channels: channels with a notification.
        origins: ids of origins that may have changed.
        dropped: number of malformed payloads, by channel.
    """

    everything: bool = False
    channels: set[str] = field(default_factory=set[str])
    origins: set[int] = field(default_factory=set[int])
    dropped: Counter[str] = field(default_factory=Counter[str])

    def includes(self, channel: Channel) -> bool:
        """Returns whether there was, or may have been, a notification on a channel."""
        return self.everything or channel in self.channels


class NotificationQueue:
    """Collects notifications in an amount of memory that does not depend on their number."""

    def __init__(self) -> None:
        self._heard = Heard()
        self._came = anyio.Event()

    def hear(self, channel: str, payload: str) -> None:
        """Adds a notification. A malformed notification is only counted."""
        heard = self._heard
        if payload and not _ID.fullmatch(payload):
            heard.dropped[channel] += 1
        else:
            heard.channels.add(channel)
            if channel == "qm_origins" and payload:
                heard.origins.add(int(payload))
            # So many origins are announced only by somebody who wants to fill the memory.
            if len(heard.origins) > _MOST_ORIGINS:
                heard.origins.clear()
                heard.everything = True
        self._came.set()

    def miss(self) -> None:
        """Records that notifications may have been missed."""
        self._heard.everything = True
        self._came.set()

    async def next(self) -> Heard:
        """Waits for notifications, and returns all notifications since the last call."""
        await self._came.wait()
        heard, self._heard, self._came = self._heard, Heard(), anyio.Event()
        return heard
