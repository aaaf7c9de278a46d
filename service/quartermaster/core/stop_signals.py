"""The signals that ask this process to stop."""

from __future__ import annotations

import signal
from typing import Final

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
_received: list[int] = []


def stop_signals() -> list[signal.Signals]:
    """Returns the signals for Ctrl-C, SIGTERM and the loss of the terminal. Leaves out the last one
    if it is ignored (``nohup``).
    """
    is_retained = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    return [signal.SIGINT, signal.SIGTERM, *([] if is_retained else [signal.SIGHUP])]


def stop_as_by_ctrl_c() -> None:
    """Makes SIGTERM and the loss of the terminal act like Ctrl-C, so that everything is stopped
    cleanly.
    """
    # A shell starts background jobs with SIGINT ignored, and then SIGTERM would be ignored, too.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in stop_signals():
        if number is not signal.SIGINT:
            signal.signal(number, _interrupt)


def _interrupt(_number: int, _frame: object) -> None:
    signal.raise_signal(signal.SIGINT)


def raise_on_signals() -> None:
    """Makes SIGINT and SIGTERM raise KeyboardInterrupt, and records that a signal arrived.

    This also works inside an event loop, which would otherwise only cancel a task. The command
    can therefore clean up before it ends.
    """
    for number in _SIGNALS:
        signal.signal(number, _raise)


def was_interrupted() -> bool:
    """Returns whether a signal arrived. This is known even if another error has since replaced the
    KeyboardInterrupt.
    """
    return bool(_received)


def _raise(number: int, _frame: object) -> None:
    _received.append(number)
    raise KeyboardInterrupt
