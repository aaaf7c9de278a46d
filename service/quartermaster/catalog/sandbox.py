"""The sandbox for probes: a separate process, isolated if this machine supports it."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    # The MCP SDK takes a second to import, and `qm doctor` needs only the check of the sandbox.
    from quartermaster.upstream.spec import OriginSpec

Kind = Literal["bwrap", "limits", "none"]

# The limits: 30 s of CPU time, 2 GiB of memory, 256 open files, 32 MiB for each file, and no core
# dumps.
_LIMITED: Final = (
    "ulimit -t 30 && ulimit -d 2097152 && ulimit -n 256 && ulimit -f 65536 && ulimit -c 0"
    ' && exec "$@"'
)
_TRIAL_S: Final = 10.0
# Folders in the data directory that contain programs and their runtimes.
_SHOWN: Final = frozenset({"upstreams", "runtime"})


@dataclass(frozen=True)
class Sandboxed:
    """An upstream that starts in a sandbox.

    Attributes:
        spec: spec that starts the upstream in its sandbox.
        kind: kind of the sandbox. bwrap: no network, and everything is read-only except a temporary
            home folder; limits: only the temporary home folder and limits on CPU time, memory and
            files; none: the upstream is on another machine and cannot be isolated.
    """

    spec: OriginSpec
    kind: Kind


@contextmanager
def sandboxed(spec: OriginSpec, data_dir: Path) -> Generator[Sandboxed]:
    """Provide the upstream's sandbox for a probe. Its home folder is deleted afterwards.

    Args:
        spec: normal spec of the upstream.
        data_dir: data directory of the service, whose secrets are not visible inside bwrap.
    """
    if spec.transport != "stdio":
        yield Sandboxed(spec, "none")
        return
    with tempfile.TemporaryDirectory(prefix="qm-probe-") as home:
        prefix: Sequence[str] = ()
        if (program := bubblewrap()) is not None:
            hidden = [path for path in _entries(data_dir) if not _is_needed(path, spec)]
            prefix = _bubblewrapped(program, Path(home), hidden)
        limited = ("/bin/sh", "-c", _LIMITED, "sh")
        kept = replace(
            spec,
            command=(*prefix, *limited, *spec.command),
            env=dict(spec.env) | {"HOME": home, "TMPDIR": home},
        )
        yield Sandboxed(kept, "bwrap" if prefix else "limits")


@cache
def bubblewrap() -> str | None:
    """Return the path of a working bubblewrap on this machine; tested once per process."""
    program = shutil.which("bwrap")
    if program is None:
        return None
    with tempfile.TemporaryDirectory(prefix="qm-probe-") as home:
        command = [*_bubblewrapped(program, Path(home), []), "true"]
        try:
            done = subprocess.run(command, capture_output=True, timeout=_TRIAL_S)
        except (OSError, subprocess.TimeoutExpired):
            return None
    return program if done.returncode == 0 else None


def _bubblewrapped(program: str, home: Path, hidden: Sequence[Path]) -> tuple[str, ...]:
    covers: list[str] = []
    for path in hidden:
        covers += ["--tmpfs", str(path)] if path.is_dir() else ["--ro-bind", os.devnull, str(path)]
    return (
        *(program, "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", *covers),
        *("--bind", str(home), str(home), "--unshare-all", "--die-with-parent"),
        *("--new-session", "--cap-drop", "ALL", "--"),
    )


def _entries(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.is_dir() else []


def _is_needed(path: Path, spec: OriginSpec) -> bool:
    mentioned = any(str(path) in text for text in (*spec.command, spec.cwd or ""))
    return mentioned or path.is_symlink() or path.name in _SHOWN
