"""Workers call functions of ours, within limits. What goes wrong has a reason, and the next request
is answered.
"""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import anyio
import pytest

from quartermaster.core import landlock
from quartermaster.core.errors import QmError
from quartermaster.projects.worker_calls import WorkerError
from quartermaster.projects.workers import (
    ProjectWorkers,
    WorkerDiedError,
    WorkerLateError,
    Workers,
    close_readers,
    readers,
)
from quartermaster_quality.impact import ChangeType, touched
from tests.support import worked
from tests.support.sql_files import ROOT

pytestmark = pytest.mark.anyio
PROGRAM = (
    f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
    "from quartermaster.projects.worker import main\nmain()\n"
)
COMMAND = [sys.executable, "-I", "-c", PROGRAM]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def workers() -> AsyncGenerator[Workers]:
    workers = Workers(1, COMMAND)
    yield workers
    await workers.aclose()


async def test_arguments_and_values_come_as_they_are(workers: Workers):
    given = (bytes(range(256)), Path("/a b"))
    assert await workers.call(worked.doubled, *given) == (given[0] * 2, given[1])
    half = Path("a\udcff")
    assert (await workers.call(worked.doubled, b"", half))[1] == Path("a?")


async def test_a_worker_is_warm(workers: Workers):
    assert await workers.call(worked.process) == await workers.call(worked.process)


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (worked.unreadable, "Line 1 is none."),
        (worked.broken, "Reading the file failed with KeyError."),
        (worked.with_many_files, "Reading the file failed with OSError."),
    ],
)
async def test_what_fails_has_a_reason_and_ends_nothing(
    workers: Workers, function: Any, reason: str
):
    before = await workers.call(worked.process)
    with pytest.raises(WorkerError) as caught:
        await workers.call(function)
    assert str(caught.value) == reason
    assert await workers.call(worked.process) == before


async def test_what_is_nested_too_deeply_has_a_reason(workers: Workers):
    with pytest.raises(WorkerError, match="nested too deeply"):
        await workers.call(worked.deep, 0)


async def test_an_error_is_raised_where_the_function_was_called(workers: Workers):
    with pytest.raises(QmError) as caught:
        await workers.call(worked.refused)
    assert (
        caught.value.as_dict()
        == QmError(413, "file_too_large", "It is large.", "Leave it out.", "d").as_dict()
    )


@pytest.mark.parametrize("function", [worked.crashed, worked.with_much_memory])
async def test_a_worker_that_dies_is_replaced(workers: Workers, function: Any):
    before = await workers.call(worked.process)
    with pytest.raises(WorkerDiedError, match="too much memory, or its parser crashed"):
        await workers.call(function)
    assert await workers.call(worked.process) != before


async def test_a_closed_worker_ends_with_its_folder():
    workers = Workers(1, COMMAND)
    process, folder = await workers.call(worked.place)
    assert folder.is_dir()
    await workers.aclose()
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
    assert not folder.exists()


async def test_a_worker_that_is_late_is_replaced(workers: Workers):
    before = await workers.call(worked.process)
    with pytest.raises(WorkerLateError, match=r"took longer than 0.2 seconds"):
        await workers.call(worked.busy, timeout_s=0.2)
    assert await workers.call(worked.process) != before


async def test_the_kernel_ends_what_nobody_waits_for(workers: Workers):
    request = f"{worked.__name__}:busy\n1\n[]".encode()
    process = await anyio.open_process(COMMAND, stderr=None)
    async with process:
        assert process.stdin is not None
        await process.stdin.send(len(request).to_bytes(4, "big") + request)
        with anyio.fail_after(60):
            assert await process.wait() < 0


async def test_a_file_of_a_worker_has_a_largest_size(workers: Workers, tmp_path: Path):
    with pytest.raises(WorkerError):
        await workers.call(worked.large_file, tmp_path / "large")


async def test_a_restricted_worker_reads_only_its_project_where_the_kernel_can(tmp_path: Path):
    root, other = tmp_path / "root", tmp_path / "other"
    for folder in (root, other):
        folder.mkdir()
        (folder / "a").write_text(folder.name)
    workers = Workers(1, COMMAND, reads=[root, ROOT])
    try:
        assert await workers.call(worked.read, root / "a") == "root"
        refused = [
            await is_refused(workers, worked.read, other / "a"),
            await is_refused(workers, worked.read, Path("/etc/passwd")),
            await is_refused(workers, worked.written, root / "b"),
            await is_refused(workers, worked.with_a_socket),
        ]
    finally:
        await workers.aclose()
    assert refused == [landlock.version() > 0] * 4


async def is_refused(workers: Workers, function: Any, *arguments: Any) -> bool:
    try:
        await workers.call(function, *arguments)
    except WorkerError as error:
        return "PermissionError" in str(error)
    return False


async def test_another_folder_that_gets_the_name_of_a_project_is_read(tmp_path: Path):
    workers, root = ProjectWorkers(is_restricted=True), tmp_path / "a"

    async def importers_of(*names: str) -> list[str]:
        root.mkdir()
        for name in names:
            (root / name).write_text("import b\n")
        found, _ = await workers.call(root, touched, root, "b.py", ChangeType.MODIFIED)
        return [each.path for each in found.importers]

    try:
        assert await importers_of("one.py", "b.py") == ["one.py"]
        root.rename(tmp_path / "other")
        assert await importers_of("two.py", "b.py") == ["two.py"]
    finally:
        await workers.aclose()


async def test_the_readers_of_an_event_loop_are_the_same_until_they_are_closed():
    found = readers()
    assert readers() is found
    await close_readers()
    assert readers() is not found
