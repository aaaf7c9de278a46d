"""Standard input that can be ended from this side."""

from __future__ import annotations

import os
import select
import threading
from collections.abc import Callable
from typing import Final

_CHUNK_BYTES: Final = 64 * 1024


def make_stdin_interruptible() -> Callable[[], None]:
    """Puts a pipe in front of file descriptor 0, for the rest of the process.

    The MCP library reads stdin in a thread that nothing but the end of input wakes, so that a
    signal could not end a process whose client keeps the other side open.

    Returns:
        Ends the input, as if the other side had closed it; safe to call again.
    """
    source = os.dup(0)
    read_end, sink = os.pipe()
    woken, wake = os.pipe()
    os.dup2(read_end, 0)
    os.close(read_end)
    # A daemon: it may wait for a client that does not read on, and must not hold up the exit.
    threading.Thread(target=_relay, args=(source, woken, sink), name="stdin", daemon=True).start()

    def interrupt() -> None:
        os.write(wake, b".")

    return interrupt


def _relay(source: int, woken: int, sink: int) -> None:
    try:
        while woken not in select.select([source, woken], [], [])[0]:
            chunk = os.read(source, _CHUNK_BYTES)
            if not chunk:
                return
            while chunk:
                chunk = chunk[os.write(sink, chunk) :]
    except BrokenPipeError:
        return
    finally:
        os.close(sink)
