"""Starts commands whose processes all end with this process, even if it is killed."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import anyio

from quartermaster.core.child_process import ChildProcess

_REAPER: Final = str(Path(__file__).with_name("reaper.py"))


def reaped(command: Sequence[str], options: Sequence[str] = ()) -> list[str]:
    """Returns a command line that runs a command through `reaper.py`.

    Args:
        options: options of the reaper, such as ``--memory 1000000``.
    """
    return [sys.executable, "-I", "-S", "-E", _REAPER, *options, "--", *command]


async def open_reaped(  # A shielded scope ends no exception, which pyright cannot know.
    command: Sequence[str], options: Sequence[str] = (), **given: Any
) -> ChildProcess:  # pyright: ignore[reportReturnType]
    """Starts a command through `reaper.py`, which creates a separate session. The caller must end
    the process. The start cannot be cancelled, because a process with half-open pipes could not be
    ended.

    Args:
        options: options of the reaper.
        given: further arguments of `ChildProcess.start`: pipes, environment, folder.
    """
    with anyio.CancelScope(shield=True):
        return await ChildProcess.start(reaped(command, options), **given)
