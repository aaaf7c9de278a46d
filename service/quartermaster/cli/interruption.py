"""Ctrl-C and SIGTERM for commands that make things for the length of a run."""

from __future__ import annotations

import signal
from typing import Final

STATUS: Final = 130
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
_received: list[int] = []


def raise_on_signals() -> None:
    """From here on either signal raises KeyboardInterrupt, and is remembered.

    It raises also inside an event loop, which would only cancel a task otherwise: what has been
    made is removed on the way out all the same.
    """
    for number in _SIGNALS:
        signal.signal(number, _raise)


def was_interrupted() -> bool:
    """Whether a signal came; on its way out the interruption may have become another error."""
    return bool(_received)


def _raise(number: int, _frame: object) -> None:
    _received.append(number)
    raise KeyboardInterrupt
