"""A scanner that reports, for the quality score, the use of names that the project's packages do
not have.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from anyio import from_thread

from quartermaster import __version__
from quartermaster.core.errors import QmError
from quartermaster.core.findings import Finding, Scan, Severity, Status
from quartermaster.db import Database, Principal
from quartermaster.projects.guard import Content
from quartermaster_knowledge import api
from quartermaster_knowledge.call_sites import Mistake, check, mistake_text

TOOL: Final = "call_sites"


async def scan(
    database: Database, principal: Principal, project: str, content: Content
) -> Scan | None:
    """Compares a file with the packages of its project.

    Reports only names that an indexed library is known not to have. For other libraries, a name
    that is not found may still exist.

    Args:
        database: the database with the packages.
        principal: the principal who asks.
        project: OWNER/NAME.
        content: the file.

    Returns:
        The scan. None if no package folder on this machine is indexed for the project.
    """
    rows = await database.call(api.list_environments(), principal)
    folder = _folder_of(project, rows)
    if folder is None:
        return None

    async def members(modules: tuple[str, ...], owner: str) -> list[api.ListMembersRow]:
        asked = api.list_members(modules=list(modules), owner=owner, folder=str(folder))
        return await database.call(asked, principal)

    def waited(modules: tuple[str, ...], owner: str) -> list[api.ListMembersRow]:
        return from_thread.run(members, modules, owner)

    start = time.perf_counter()
    try:
        checked = await check({content.path: content.data}, folder.parents[2], waited)
        if checked.unparsed:
            done = Scan(TOOL, __version__, Status.ERROR, checked.unparsed[content.path])
        else:
            done = Scan(TOOL, __version__, Status.OK, findings=_findings(checked.mistakes))
    except QmError as error:
        done = Scan(TOOL, __version__, Status.ERROR, str(error))
    return replace(done, elapsed_ms=(time.perf_counter() - start) * 1000)


def _folder_of(project: str, rows: Sequence[api.ListEnvironmentsRow]) -> Path | None:
    """Returns the first package folder of a project on this machine. A bundle does not count,
    because the type checker needs a folder.
    """
    folders = [row["folder"] for row in rows if row["project"] == project]
    # Path.is_dir would raise an error for the folder of somebody else.
    return next((Path(each) for each in folders if os.path.isdir(each)), None)  # noqa: PTH112


def _findings(mistakes: Sequence[Mistake]) -> tuple[Finding, ...]:
    return tuple(
        Finding(
            f"missing-{each.kind}",
            mistake_text(each),
            each.line,
            Severity.HIGH,
            column=max(0, each.column - 1),
            remedy=_remedy(each),
            name=each.name,
        )
        for each in mistakes
        if each.is_known
    )


def _remedy(mistake: Mistake) -> str:
    if not mistake.nearest:
        return "Look the library up with tapps_lookup_docs."
    name = mistake.nearest[0]["name"]
    return f"Use {name}, or look the library up with tapps_lookup_docs."
