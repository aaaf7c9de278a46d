"""The code of this repository passes its own gate: new code, strict.

What is new is what differs from the commit in QM_GATE_BASE, or else from where this branch left
`main`, or on `main` itself from the first parent of the last commit.
"""

from __future__ import annotations

import os
import random
import subprocess
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client

from kinds.quality.tests.service.conftest import QualityService
from quartermaster import api as core_api
from quartermaster.core.kind_packages import doors
from quartermaster.db import LOCAL_PRINCIPAL
from quartermaster.doors.mcp.package_doors import DoorFront
from quartermaster.projects.guard import ProjectFileAccess
from quartermaster_quality import api
from quartermaster_quality.baseline import changed_files
from tests.support.sql_files import ROOT

pytestmark = pytest.mark.anyio


AT_A_TIME = 2
# A scan takes some seconds. Of a change of more files, so many are judged, drawn by the commit.
MOST_FILES = 8
# What is not asked for, with a reason and an end. After it, this test fails until somebody decides
# again.
WAIVED_UNTIL = date(2027, 3, 31)
WAIVED = {
    "coverage": "The tests of this repository run in many processes and take too long to be"
    " repeated here under coverage. Whether a change has tests is for its reviewer.",
    "suppressions": "Each names its rule, most have a reason beside them, and ruff refuses those"
    " that hide nothing. Whether the reason is good is for the reviewer of the change.",
}


def git(*arguments: str) -> str:
    """Returns what git says; empty if it refuses."""
    command = ["git", "-c", "safe.directory=*", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout.strip()


def base() -> str:
    """Returns the commit with which this one is compared; empty if there is none."""
    if named := os.environ.get("QM_GATE_BASE"):
        return named
    head = git("rev-parse", "HEAD")
    for branch in ("origin/main", "main"):
        left = git("merge-base", "HEAD", branch)
        if left and left != head:
            return left
    return git("rev-parse", "--verify", "--quiet", "HEAD^1")


def changed() -> list[str]:
    """Returns the changed files that are judged."""
    if not (start := base()):
        pytest.skip("there is no git history with which new code could be compared")
    differing = changed_files(ProjectFileAccess(ROOT), start)
    # What only moved is no new code. Its old findings would be those of a new file.
    moved = git("diff", "--find-renames=80%", "--diff-filter=R", "--name-only", start).splitlines()
    found = sorted(differing.hashes.keys() - set(moved)) if differing else []
    drawn = random.Random(git("rev-parse", "HEAD"))
    # Neighbours, of which mypy reads the same part of a large change.
    first = drawn.randrange(len(found)) if len(found) > MOST_FILES else 0
    return (found[first:] + found[:first])[:MOST_FILES]


async def test_new_code_of_this_repository_passes_its_strict_gate(
    quality_service: QualityService, monkeypatch: pytest.MonkeyPatch
):
    # A busy machine is no reason to fail: mypy reads the repository and its packages first.
    monkeypatch.setattr("quartermaster_quality.mirrors.PATIENCE", 60)
    paths = changed()
    call = quality_service.service.database.call
    boss = await quality_service.service.database.find_principal(LOCAL_PRINCIPAL)
    for row in await call(core_api.list_projects(), boss):
        await call(core_api.remove_project(project=row["project"], dry_run=False), boss)
    await call(core_api.add_project(name="own", root=str(ROOT)), boss)
    await call(core_api.put_project_member(member="ann", project="own"), boss)
    ann = await quality_service.service.database.find_principal("ann")
    for path in paths:
        for what, reason in WAIVED.items():
            given = {"path": path, "what": what, "reason": reason, "until": WAIVED_UNTIL}
            await call(api.waive(project="own", **given), ann)
    [door] = [door for door in doors() if door.name == "quality"]
    failed: dict[str, Any] = {}
    limit = anyio.CapacityLimiter(AT_A_TIME)
    async with Client(
        DoorFront(replace(quality_service.service, local="ann"), door).server
    ) as client:

        async def judge(path: str) -> None:
            given = {"file_path": path, "preset": "strict", "new_code": True, "base": base()}
            async with limit:
                answer = await client.call_tool("tapps_quality_gate", given)
            body: Any = answer.structured_content
            if not body.get("passed"):
                failed[path] = body.get("failures"), body.get("recommendation"), body.get("message")

        async with anyio.create_task_group() as tasks:
            for path in paths:
                tasks.start_soon(judge, path)
    await call(core_api.remove_project(project="own", dry_run=False), boss)
    assert not failed


async def test_the_own_gate_would_see_a_hole(quality_service: QualityService, tmp_path: Path):
    """The gate above is not one that everything passes."""
    call = quality_service.service.database.call
    boss = await quality_service.service.database.find_principal(LOCAL_PRINCIPAL)
    root = tmp_path / "copy"
    root.mkdir()
    (root / "page.py").write_text(
        "import subprocess, sys\n\nsubprocess.call(sys.argv[1], shell=True)\n"
    )
    await call(core_api.add_project(name="copy", root=str(root.resolve())), boss)
    await call(core_api.put_project_member(member="ann", project="copy"), boss)
    ann = await quality_service.service.database.find_principal("ann")
    given = {"path": "page.py", "what": "coverage", "reason": WAIVED["coverage"]}
    await call(api.waive(project="copy", until=WAIVED_UNTIL, **given), ann)
    [door] = [door for door in doors() if door.name == "quality"]
    async with Client(
        DoorFront(replace(quality_service.service, local="ann"), door).server
    ) as client:
        asked = {"file_path": "page.py", "preset": "strict", "new_code": True, "project": "copy"}
        answer = await client.call_tool("tapps_quality_gate", asked)
    await call(core_api.remove_project(project="copy", dry_run=False), boss)
    body: Any = answer.structured_content
    assert not body["passed"]
    assert not any(failure.startswith("coverage") for failure in body["failures"])
