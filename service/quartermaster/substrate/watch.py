"""Restarts the embedded server if it was killed, for example because it ran out of memory, and
keeps its log small.
"""

from __future__ import annotations

import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

from quartermaster.core.errors import QmError
from quartermaster.core.logs import get_logger
from quartermaster.substrate.embedded import EmbeddedServer

_LOOK_EVERY_S: Final = 2.0


@contextmanager
def restarted_when_dead(server: EmbeddedServer) -> Generator[None]:
    """Restarts the server at the same address whenever it dies while the block is running.

    Args:
        server: the server, which has been started.
    """
    has_ended = threading.Event()
    watcher = threading.Thread(target=_watch, args=(server, has_ended), name="postgres-watch")
    watcher.start()
    try:
        yield
    finally:
        has_ended.set()
        watcher.join()


def _watch(server: EmbeddedServer, has_ended: threading.Event) -> None:
    log = get_logger(part="substrate")
    while not has_ended.wait(_LOOK_EVERY_S):
        if server.is_running():
            try:
                server.trim_log()
            except OSError as error:
                log.warning("postgres_log_not_trimmed", error=str(error))
            continue
        log.warning("postgres_gone")
        try:
            server.start()
        except (QmError, OSError) as error:
            log.warning("postgres_not_started_again", error=str(error), again_in_s=_LOOK_EVERY_S)
