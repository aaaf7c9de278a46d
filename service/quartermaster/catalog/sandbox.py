"""The sandbox for probes: a separate process, which is isolated if this machine supports it."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

from quartermaster.core.scratch import Scratch
from quartermaster.upstream.confinement import Folder, confinement
from quartermaster.upstream.spec import OriginSpec

Kind = Literal["bwrap", "limits", "none"]

# The limits: 30 s of CPU time, 2 GiB of memory, 256 open files, 32 MiB for each file, and no core
# dumps.
_LIMITING_SCRIPT: Final = (
    "ulimit -t 30 && ulimit -d 2097152 && ulimit -n 256 && ulimit -f 65536 && ulimit -c 0"
    ' && exec "$@"'
)


@dataclass(frozen=True)
class Sandboxed:
    """An upstream that starts in a sandbox.

    Attributes:
        spec: spec that starts the upstream in its sandbox.
        kind: kind of the sandbox. ``bwrap``: the upstream has no network, and can write only to a
            temporary home folder. ``limits``: it has a temporary home folder, and limits on CPU
            time, memory and files. ``none``: it is on another machine, and cannot be isolated.
    """

    spec: OriginSpec
    kind: Kind


@contextmanager
def sandboxed(spec: OriginSpec) -> Generator[Sandboxed]:
    """Provides the upstream's sandbox for a probe. Its home folder is deleted afterwards.

    Args:
        spec: normal spec of the upstream.
    """
    if spec.profile is None:
        yield Sandboxed(spec, "none")
        return
    with Scratch("probe") as folder:
        # Its user must be able to reach the home.
        Path(folder).chmod(0o711)
        home = Path(folder, "home")
        profile = replace(
            spec.profile,
            home=home,
            network="none",
            folders=tuple(Folder(granted.path) for granted in spec.profile.folders),
            before=("/bin/sh", "-c", _LIMITING_SCRIPT, "sh"),
        )
        kind: Kind = "bwrap" if confinement().kind == "bwrap" else "limits"
        yield Sandboxed(replace(spec, profile=profile), kind)
