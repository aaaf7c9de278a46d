"""Values that a database session loads once and keeps in PL/Python's GD."""

from __future__ import annotations

import os
import resource
import signal
from collections.abc import Callable, Generator, Hashable, MutableMapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

Loaded = TypeVar("Loaded")
# Models need less. A library that gets no memory ends the process, and then PostgreSQL ends all
# sessions.
LEAST_BYTES = 512 * 1024**2


def load_once(gd: MutableMapping[Any, Any], key: Hashable, load: Callable[[], Loaded]) -> Loaded:
    """Returns the value under a key of GD, and loads it on first use.

    Args:
        gd: PL/Python's global dictionary GD.
        key: key of the value.
        load: function that returns the value to store.

    Raises:
        MemoryError: the process may hardly get more memory.
    """
    _require_memory()
    if key not in gd:
        with _signals_blocked():
            gd[key] = load()
    return gd[key]


def _require_memory() -> None:
    most = resource.getrlimit(resource.RLIMIT_AS)[0]
    if most == resource.RLIM_INFINITY:
        return
    mapped = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    if most - mapped * os.sysconf("SC_PAGE_SIZE") < LEAST_BYTES:
        raise MemoryError("this session holds too much memory to use a model: start a new session")


@contextmanager
def _signals_blocked() -> Generator[None]:
    """Ensures that threads started inside the block never run a signal handler.

    Importing numpy starts threads, but the signal handlers of a PostgreSQL backend may run only in
    the backend's main thread.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
