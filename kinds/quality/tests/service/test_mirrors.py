"""While a type checker reads a mirror, nobody puts another version of a file there. Packages are
copies, too.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest

from quartermaster.core.findings import Scan, Status
from quartermaster.projects.guard import ProjectFileAccess, real_folder
from quartermaster_quality.mirrors import Mirrors
from quartermaster_quality.scanners import packages
from quartermaster_quality.scanners.concurrent_scan import Scanners
from quartermaster_quality.scanners.interface import ScanOptions

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Slow(Scanners):
    """Reads the whole mirror twice, with a pause."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[dict[str, bytes]] = []

    async def scan(self, *given: Any, **_more: Any) -> tuple[Scan, ...]:
        settings: ScanOptions = given[1]
        for _ in range(2):
            folder = settings.mirror
            assert folder is not None
            found = {path.name: path.read_bytes() for path in folder.glob("*.py")}
            self.seen.append(found)
            with anyio.move_on_after(0.05):
                await anyio.Event().wait()
        return ()


async def test_a_mirror_stays_as_it_is_while_it_is_read(tmp_path: Path):
    root = real_folder(tmp_path) / "p"
    root.mkdir()
    (root / "a.py").write_bytes(b"A = 1\n")
    (root / "b.py").write_bytes(b"B = 1\n")
    guard = ProjectFileAccess(root)
    mirrors, scanners = Mirrors(tmp_path / "mirrors"), Slow()
    now = guard.read("a.py")
    before = replace(now, data=b"OLD = 1\n", blob_hash="0" * 40)
    contexts: list[str] = []

    async def scan(content: Any) -> None:
        contexts.append((await mirrors.scan(scanners, guard, content, ScanOptions(), ["mypy"]))[1])

    async with anyio.create_task_group() as tasks:
        for content in (before, guard.read("b.py"), now):
            tasks.start_soon(scan, content)
    first, second = scanners.seen[::2], scanners.seen[1::2]
    assert first == second
    # Only the scan of the old version sees it.
    assert [seen["a.py"] == b"OLD = 1\n" for seen in first].count(True) == 1
    # What a file itself contains is no part of its context.
    assert len(set(contexts)) == 2
    assert await mirrors.context(guard, before) == await mirrors.context(guard, now)


async def test_type_checkers_read_copies_of_the_packages_of_a_project(tmp_path: Path):
    root = tmp_path / "p"
    packages = root / ".venv" / "lib" / "python3.12" / "site-packages"
    for path, text in (
        ("third/__init__.py", "from fourth import Answer as Answer\n"),
        ("third/py.typed", ""),
        ("fourth/__init__.py", "class Answer:\n    value: int = 42\n"),
        ("fourth/py.typed", ""),
        ("later/__init__.py", "value: int = 1\n"),
        ("later/py.typed", ""),
        ("third-1.0.dist-info/RECORD", ""),
    ):
        (packages / path).parent.mkdir(parents=True, exist_ok=True)
        (packages / path).write_text(text)
    marker = tmp_path / "ran"
    (packages / "evil.pth").write_text(f"import os; os.mkdir({str(marker)!r})\n")
    (tmp_path / "secret.py").write_text("token = 1\n")
    (packages / "secret.py").symlink_to(tmp_path / "secret.py")
    guard = ProjectFileAccess(real_folder(root))

    async def read(text: str) -> tuple[dict[str, Scan], str]:
        (root / "a.py").write_text(text)
        given = (scanners, guard, guard.read("a.py"), ScanOptions(), ["mypy", "ty"])
        scans, context = await mirrors.scan(*given)
        return {scan.tool: scan for scan in scans}, context

    mirrors, scanners = Mirrors(tmp_path / "mirrors"), Scanners()
    try:
        scans, before = await read("import third\n\nx: str = third.Answer().value\n")
        assert [f.rule for f in scans["mypy"].findings] == ["assignment"]
        assert scans["mypy"].status is Status.OK
        assert scans["ty"].findings
        copies = {path.name for path in (tmp_path / "mirrors").rglob("*") if path.is_dir()}
        assert {"third", "fourth"} <= copies
        assert "later" not in copies

        scans, same = await read("import later\nimport secret\n\nx: str = later.value\n")
        assert same == before
        assert [f.rule for f in scans["mypy"].findings] == ["assignment"]
        assert "secret" in scans["mypy"].reason

        (packages / "later" / "__init__.py").write_text("value: str = ''\n")
        (packages / "later-1.0.dist-info").mkdir()
        scans, changed = await read("import later\n\nx: int = later.value\n")
        assert changed != before
        assert [f.rule for f in scans["mypy"].findings] == ["assignment"]
        assert scans["mypy"].status is Status.OK
    finally:
        await scanners.aclose()
    assert not marker.exists()


class Counting(Scanners):
    """Counts the requests, and what each was to read together."""

    def __init__(self) -> None:
        super().__init__()
        self.together: list[tuple[str, ...]] = []

    async def scan(self, *given: Any, **more: Any) -> tuple[Scan, ...]:
        self.together.append(given[1].together)
        return await super().scan(*given, **more)


async def test_a_file_that_stops_mypy_takes_no_findings_of_a_change_with_it(tmp_path: Path):
    root = real_folder(tmp_path) / "p"
    root.mkdir()
    for name in ("a", "b", "old"):
        (root / f"{name}.py").write_text("x: int = 'a'\n")
    (root / "deep.py").write_text("x = " + "-" * 20_000 + "1\n")
    guard, scanners, mirrors = ProjectFileAccess(root), Counting(), Mirrors(tmp_path / "mirrors")
    since = {"a.py": "", "b.py": "", "deep.py": "", "old.py": guard.read("old.py").blob_hash}

    async def read(name: str) -> tuple[Status, list[str]]:
        given = (scanners, guard, guard.read(name), ScanOptions(), ["mypy"])
        [scan] = (await mirrors.scan(*given, since=since))[0]
        return scan.status, [finding.rule for finding in scan.findings]

    try:
        assert await read("a.py") == (Status.OK, ["assignment"])
        assert await read("b.py") == (Status.OK, ["assignment"])
        assert (await read("deep.py"))[0] is Status.ERROR
        assert await read("a.py") == (Status.OK, ["assignment"])
        assert scanners.together == [("a.py", "b.py", "deep.py"), (), (), (), ()]
        # Another change is read at once again.
        scanners.together.clear()
        (root / "deep.py").write_text("x: str = 1\n")
        for name in ("a.py", "b.py", "deep.py"):
            assert await read(name) == (Status.OK, ["assignment"])
        assert scanners.together == [("a.py", "b.py", "deep.py")] * 3
    finally:
        await scanners.aclose()


async def test_a_large_change_is_read_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("quartermaster_quality.mirrors._MOST_TOGETHER", 2)
    root = real_folder(tmp_path) / "p"
    root.mkdir()
    for name in "abcde":
        (root / f"{name}.py").write_text("x = 1\n")
    guard, scanners, mirrors = ProjectFileAccess(root), Counting(), Mirrors(tmp_path / "mirrors")
    since = dict.fromkeys([f"{name}.py" for name in "abcde"], "")
    for name in "abcde":
        given = (scanners, guard, guard.read(f"{name}.py"), ScanOptions(), ())
        await mirrors.scan(*given, since=since)
    first, second = ("a.py", "b.py"), ("c.py", "d.py")
    assert scanners.together == [first, first, second, second, ("e.py",)]


def test_packages_of_more_bytes_than_a_limit_are_not_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(packages, "_MOST_BYTES", 100)
    source = tmp_path / "site-packages"
    source.mkdir()
    for name in ("a", "b", "c"):
        (source / f"{name}.py").write_text("#" * 60)
    copies = packages.Packages(source.resolve(), tmp_path / "copies")
    copies.add(["a", "b", "c"])
    copies.add(["c"])
    assert len(list((tmp_path / "copies").rglob("*.py"))) == 1
