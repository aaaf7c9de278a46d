"""Ctrl-C and SIGTERM for commands that have to clean up when they end."""

from __future__ import annotations

import signal
from typing import Final

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
_received: list[int] = []


def raise_on_signals() -> None:
    """From here on either signal raises KeyboardInterrupt, and is remembered.

    It raises inside an event loop too, which would otherwise only cancel a task, so that the
    command cleans up on its way out.
    """
    for number in _SIGNALS:
        signal.signal(number, _raise)


def was_interrupted() -> bool:
    """Whether a signal came; the interruption may have become another error since."""
    return bool(_received)


def _raise(number: int, _frame: object) -> None:
    _received.append(number)
    raise KeyboardInterrupt
