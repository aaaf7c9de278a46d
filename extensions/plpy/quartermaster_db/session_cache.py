"""What a database session loads once and keeps, in PL/Python's GD."""

from __future__ import annotations

import signal
from collections.abc import Callable, Generator, Hashable, MutableMapping
from contextlib import contextmanager
from typing import Any, TypeVar

Loaded = TypeVar("Loaded")


def load_once(gd: MutableMapping[Any, Any], key: Hashable, load: Callable[[], Loaded]) -> Loaded:
    """The value under a key of GD, loaded when it is asked for the first time.

    Args:
        gd: PL/Python's GD.
        key: names the value.
        load: makes it.
    """
    if key not in gd:
        with _signals_blocked():
            gd[key] = load()
    return gd[key]


@contextmanager
def _signals_blocked() -> Generator[None]:
    """Threads started inside never run a signal handler.

    Importing numpy starts threads, and the signal handlers of a PostgreSQL backend may only run
    in the backend's own thread.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
