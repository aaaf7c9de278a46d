"""The file in which a running server describes itself, and a check that the server is running."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class PidFile:
    """The content of ``postmaster.pid``, which the server may not have completed yet.

    Attributes:
        pid: id of the main process.
        port: TCP port; None if it is not known yet.
        ready: whether the server reports that it accepts connections.
    """

    pid: int
    port: int | None
    ready: bool


def read(data: Path) -> PidFile | None:
    """Read this cluster's file; None if it is missing or incomplete."""
    try:
        lines = (data / "postmaster.pid").read_text(encoding="utf-8").splitlines()
        port = int(lines[3]) if len(lines) > 3 else None
        return PidFile(int(lines[0]), port, len(lines) > 7 and lines[7].strip() == "ready")
    except (OSError, ValueError, IndexError):
        return None


def is_server(pid: int, data: Path) -> bool:
    """Tell whether this process serves this cluster; a zombie or a reused id does not."""
    process = Path(f"/proc/{pid}")
    try:
        return (process / "cwd").samefile(data)
    except PermissionError:
        # In a container, root cannot inspect other users' processes, only their names.
        name, _, state = (process / "stat").read_text("utf-8", "replace").rpartition(")")
        return name.endswith("(postgres") and state.split()[0] != "Z"
    except OSError:
        return not Path("/proc/self").exists() and _accepts_signals(pid)


def _accepts_signals(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True
