"""The signals that ask this process to end."""

from __future__ import annotations

import signal


def stop_signals() -> list[signal.Signals]:
    """Ctrl-C, SIGTERM, and that the terminal is gone, unless that is ignored (``nohup``)."""
    is_kept = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    return [signal.SIGINT, signal.SIGTERM, *([] if is_kept else [signal.SIGHUP])]


def stop_as_by_ctrl_c() -> None:
    """Makes the other signals act like Ctrl-C, so that everything that was started is stopped."""
    for number in stop_signals():
        if number is not signal.SIGINT:
            signal.signal(number, _interrupt)


def _interrupt(_number: int, _frame: object) -> None:
    signal.raise_signal(signal.SIGINT)
