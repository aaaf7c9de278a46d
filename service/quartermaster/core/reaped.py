"""Commands whose processes all end with this process, even if it is killed."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

_REAPER: Final = str(Path(__file__).with_name("reaper.py"))


def reaped(command: Sequence[str], options: Sequence[str] = ()) -> list[str]:
    """Returns a command line that runs a command through `reaper.py`.

    Args:
        options: options of the reaper, such as ``--memory 1000000``.
    """
    return [sys.executable, "-I", "-S", "-E", _REAPER, *options, "--", *command]
