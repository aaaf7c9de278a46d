"""Programs of tests in the houses of upstreams, run to their end."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest
from anyio import create_task_group

from quartermaster.upstream.confinement import SandboxProfile, confinement, home_of, user_of
from quartermaster.upstream.spec import OriginSpec
from quartermaster.upstream.stdio_transport import launch
from tests.support.waiting import LONGEST_S

needs_bubblewrap = pytest.mark.skipif(
    confinement().kind != "bwrap", reason="bubblewrap is not there, or may not make namespaces"
)
needs_own_network = pytest.mark.skipif(
    confinement().as_dict() != {"kind": "bwrap", "network": "own"},
    reason="slirp4netns is not there, or /dev/net/tun may not be opened",
)


def profile_in(data_dir: Path, **changes: Any) -> SandboxProfile:
    """Returns a house for the origin with the id 1."""
    return replace(SandboxProfile(data_dir, home_of(data_dir, "o"), user_of(1)), **changes)


def python(code: str, profile: SandboxProfile | None, **given: str) -> OriginSpec:
    """Returns an upstream that runs Python source."""
    return OriginSpec(1, "o", "stdio", (sys.executable, "-c", code), env=given, profile=profile)


def run(spec: OriginSpec) -> subprocess.CompletedProcess[str]:
    """Returns what its program writes until it ends, which it has to do within half a minute."""
    return anyio.run(_run, spec)


async def _run(spec: OriginSpec) -> subprocess.CompletedProcess[str]:
    written = {"stdout": b"", "stderr": b""}
    process = await launch(spec)

    async def read(name: str) -> None:
        async for chunk in getattr(process, name):
            written[name] += chunk

    with anyio.fail_after(LONGEST_S):
        async with process:
            async with create_task_group() as tasks:
                for name in written:
                    tasks.start_soon(read, name)
            status = await process.wait()
    texts = {name: text.decode() for name, text in written.items()}
    return subprocess.CompletedProcess(spec.command, status, **texts)
