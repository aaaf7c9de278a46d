"""Starts a stdio upstream under the reaper."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Final

import anyio
from anyio.abc import Process

from quartermaster.upstream.failure import UpstreamError
from quartermaster.upstream.spec import OriginSpec

GRACE_S: Final = 2.0
_REAPER: Final = Path(__file__).with_name("reaper.py")
_INHERITED: Final = (
    *("HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "TMPDIR"),
    *("LANG", "LC_ALL", "LC_CTYPE", "TZ"),
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS"),
)


async def launch(spec: OriginSpec) -> Process:
    """Starts the program with pipes. Closing its stdin, or SIGTERM, ends all its processes.

    Its environment contains a few harmless variables from the service and the origin's own
    variables.

    Raises:
        UpstreamError: QM502 ``upstream_command_not_found`` if the program or working directory does
            not exist.
    """
    inherited = {name: os.environ[name] for name in _INHERITED if name in os.environ}
    environment = inherited | dict(spec.env)
    program = spec.command[0]
    if spec.cwd is not None and not await anyio.Path(spec.cwd).is_dir():
        raise _not_found(spec, f"has the working directory {spec.cwd!r}, which does not exist.")
    if os.sep in program and spec.cwd is not None:
        program = str(Path(spec.cwd, program))
    found = shutil.which(program, path=environment.get("PATH"))
    if found is None:
        raise _not_found(spec, f"has the program {program!r}, which was not found.")
    limits = ["--grace", str(GRACE_S), "--memory", str(spec.max_memory_mb * 2**20)]
    reaper = [sys.executable, "-I", "-S", "-E", str(_REAPER), *limits, "--"]
    return await anyio.open_process(
        [*reaper, found, *spec.command[1:]],
        env=environment,
        cwd=spec.cwd,
        start_new_session=True,
    )


def _not_found(spec: OriginSpec, what: str) -> UpstreamError:
    return UpstreamError("command_not_found", spec.name, what)
