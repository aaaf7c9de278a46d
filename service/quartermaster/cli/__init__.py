"""The command line: ``qm`` and ``quartermaster``."""

from __future__ import annotations

import gc
import os
import signal
import sys
from types import FrameType
from typing import Final

ANOTHER_VERSION: Final = 3
NOT_READY: Final = 4
"""Exit status of a command that did not wait until the service had finished."""
INTERRUPTED_STATUS: Final = 130
"""Exit status of a command that was interrupted."""


def main() -> None:
    """Runs ``qm``; Ctrl-C ends it without a traceback, even while modules are being imported."""
    former = signal.signal(signal.SIGINT, _end_at_once)
    # Modules never become garbage. Looking for garbage would take a third of the time that `qm`
    # needs to start.
    gc.disable()
    if sys.argv[1:2] == ["stdio"]:
        from quartermaster.bridge.start import bridge_if_served

        bridge_if_served(sys.argv[2:])
    from quartermaster.cli.app import run

    run(former)


def _end_at_once(_number: int, _frame: FrameType | None) -> None:
    os._exit(INTERRUPTED_STATUS)
