"""Call sites as findings of the quality score: what the project's packages do not have."""

from __future__ import annotations

import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from anyio import from_thread

from quartermaster import __version__
from quartermaster.core.errors import QmError
from quartermaster.db import Database, Principal
from quartermaster.knowledge.call_sites import Mistake, check, told
from quartermaster.quality.findings import Finding, Scan, Severity, Status
from quartermaster.quality.scanners.interface import Source

TOOL: Final = "call_sites"

AsyncMembers = Callable[[Sequence[str], str], Coroutine[Any, Any, list[dict[str, Any]]]]


async def scan(source: Source, folder: Path, members: AsyncMembers) -> Scan:
    """Compare a file with the packages of its project.

    Only what an indexed library does not have is a finding, because then the nearest that exists
    can be named.

    Args:
        source: the file.
        folder: folder of packages.
        members: lists what an owner has, see `call_sites.check`.
    """

    def waited(modules: Sequence[str], owner: str) -> list[dict[str, Any]]:
        return from_thread.run(members, modules, owner)

    start = time.perf_counter()
    try:
        mistakes = await check({source.path: source.data}, folder.parents[2], waited)
        done = Scan(TOOL, __version__, Status.OK, findings=_findings(mistakes))
    except QmError as error:
        done = Scan(TOOL, __version__, Status.ERROR, str(error))
    return replace(done, elapsed_ms=(time.perf_counter() - start) * 1000)


async def of_project(
    database: Database, principal: Principal, project: str, source: Source
) -> tuple[Scan, ...]:
    """What a file calls and the project's packages do not have, if these are indexed."""
    rows = await database.call("list_environments", principal)
    folders = [row["folder"] for row in rows if row["project"] == project]
    if not folders:
        return ()

    async def members(modules: Sequence[str], owner: str) -> list[dict[str, Any]]:
        asked = {"modules": list(modules), "owner": owner, "folder": folders[0]}
        return await database.call("list_members", principal, **asked)

    return (await scan(source, Path(folders[0]), members),)


def _findings(mistakes: Sequence[Mistake]) -> tuple[Finding, ...]:
    return tuple(
        Finding(
            f"missing-{each.kind}",
            told(each),
            each.line,
            Severity.HIGH,
            column=max(0, each.column - 1),
            remedy=f"Use {each.nearest[0]['name']}, or look the library up with tapps_lookup_docs.",
        )
        for each in mistakes
        if each.nearest
    )
