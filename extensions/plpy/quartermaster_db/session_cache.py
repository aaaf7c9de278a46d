"""Values that a database session loads once and keeps in PL/Python's GD."""

from __future__ import annotations

import signal
from collections.abc import Callable, Generator, Hashable, MutableMapping
from contextlib import contextmanager
from typing import Any, TypeVar

Loaded = TypeVar("Loaded")


def load_once(gd: MutableMapping[Any, Any], key: Hashable, load: Callable[[], Loaded]) -> Loaded:
    """Return the value under a key of GD, and load it on first use.

    Args:
        gd: PL/Python's global dictionary GD.
        key: key of the value.
        load: function that returns the value to store.
    """
    if key not in gd:
        with _signals_blocked():
            gd[key] = load()
    return gd[key]


@contextmanager
def _signals_blocked() -> Generator[None]:
    """Ensure that threads started inside the block never run a signal handler.

    Importing numpy starts threads, but the signal handlers of a PostgreSQL backend may run only in
    the backend's main thread.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
