"""Ctrl-C and SIGTERM for commands that have to clean up when they end."""

from __future__ import annotations

import signal
from typing import Final

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
_received: list[int] = []


def raise_on_signals() -> None:
    """Makes both signals raise KeyboardInterrupt, and records them.

    This also works inside an event loop, which would otherwise only cancel a task. The command
    can therefore clean up before it ends.
    """
    for number in _SIGNALS:
        signal.signal(number, _raise)


def was_interrupted() -> bool:
    """Whether a signal arrived; the interruption may have turned into another error since."""
    return bool(_received)


def _raise(number: int, _frame: object) -> None:
    _received.append(number)
    raise KeyboardInterrupt
