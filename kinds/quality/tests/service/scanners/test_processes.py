"""A scanner that is missing, hanging, killed or of another version never means a clean file."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import anyio
import pytest

from quartermaster.core.findings import Scan, Status
from quartermaster.core.reaper import GIVES_WAY
from quartermaster.projects.guard import Content, ProjectFileAccess, real_folder
from quartermaster.projects.programs import Done, run
from quartermaster.projects.project_files import walk
from quartermaster.projects.workers import Workers
from quartermaster_quality.repair import repaired
from quartermaster_quality.scanners import programs
from quartermaster_quality.scanners.concurrent_scan import SECURITY, Scanners, available, full
from quartermaster_quality.scanners.in_worker import InWorker
from quartermaster_quality.scanners.interface import ScanOptions, SourceFile
from quartermaster_quality.scanners.mirror import Mirror
from quartermaster_quality.scanners.programs import PACKAGES, installed
from quartermaster_quality.scanners.ruff import Ruff
from tests.support.waiting import wait_until

BAD = SourceFile("src/a.py", b"import os\neval(input())\n")


@pytest.fixture(autouse=True)
def forget_versions() -> Iterator[None]:
    yield
    installed.cache_clear()


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def in_worker(program: str, timeout_s: float = 20) -> Scan:
    """Returns the scan of a worker that runs another program."""

    async def scan() -> Scan:
        workers = Workers(1, [sys.executable, "-I", "-c", program])
        try:
            scanner = InWorker("bandit", workers)
            return await scanner.scan(BAD, ScanOptions(timeout_s=timeout_s))
        finally:
            await workers.aclose()

    return anyio.run(scan)


def test_a_hanging_worker_is_killed_with_what_it_started(tmp_path: Path):
    note = tmp_path / "pid"
    scan = in_worker(
        "import os, subprocess, signal, sys\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "child = subprocess.Popen(['/bin/sleep', '1000'], start_new_session=True)\n"
        f"open({str(note)!r}, 'w').write(f'{{os.getpid()}} {{child.pid}}')\n"
        "signal.pause()\n",
        timeout_s=1.5,
    )
    assert scan.status == Status.ERROR
    assert "did not finish within 1.5 seconds" in scan.reason
    for pid in map(int, note.read_text().split()):
        assert wait_until(lambda pid=pid: not is_alive(pid))


@pytest.mark.parametrize(
    "program",
    [
        "pass",
        "import os, sys; sys.stdin.buffer.read(10); os.kill(os.getpid(), 9)",
        "import sys; sys.stdout.buffer.write(b'\\0\\0\\0\\4nope')",
        "import sys; sys.stdout.buffer.write(b'\\0\\0\\0\\2{}')",
        "import sys; sys.stdout.buffer.write(b'\\xff\\xff\\xff\\xff')",
        'import sys; sys.stdout.buffer.write(b\'\\0\\0\\0\\x1e{"scan": {"status": "ok"}}      \')',
    ],
)
def test_a_worker_that_dies_or_talks_nonsense_is_an_error(program: str):
    scan = in_worker(program)
    assert (scan.status, scan.findings) == (Status.ERROR, ())
    assert "crashed" in scan.reason


def test_names_that_are_no_text_hide_no_findings():
    source = SourceFile(
        "src/a.py",
        b"import os\nclass M(models.Model):\n    pass\n"
        b"def v(m: M):\n    return os.system(getattr(m, 'z\\ud800'))\n",
    )

    async def scan() -> Scan:
        workers = Workers(1)
        try:
            return await InWorker("taint", workers).scan(source, ScanOptions())
        finally:
            await workers.aclose()

    done = anyio.run(scan)
    assert done.status is Status.OK
    assert [finding.line for finding in done.findings] == [5]


def test_a_program_that_hangs_is_killed_with_what_it_started(tmp_path: Path):
    note = tmp_path / "pid"
    command = ["/bin/sh", "-c", f"/bin/sleep 1000 & echo $! > {note}; /bin/sleep 1000"]

    async def hang() -> None:
        with pytest.raises(TimeoutError):
            await run(command, b"", timeout_s=1)

    anyio.run(hang)
    assert wait_until(lambda: not is_alive(int(note.read_text())))


def ruff_of(answer: Callable[[], Awaitable[Done]], monkeypatch: pytest.MonkeyPatch) -> Scan:
    async def run(*_: object, **__: object) -> Done:
        return await answer()

    monkeypatch.setattr(programs, "run", run)
    return anyio.run(Ruff().scan, BAD, ScanOptions())


@pytest.mark.parametrize(
    "done",
    [
        Done(0, b"", b""),
        Done(1, b"{", b""),
        Done(2, b"[]", b"ruff failed"),
        Done(127, b"", b""),
        Done(137, b"[]", b""),
        Done(-9, b"[]", b""),
    ],
)
def test_whatever_ends_badly_is_an_error(done: Done, monkeypatch: pytest.MonkeyPatch):
    async def answer() -> Done:
        return done

    assert ruff_of(answer, monkeypatch).status == Status.ERROR


@pytest.mark.parametrize("error", [TimeoutError(), OSError(2, "No such file")])
def test_whatever_does_not_run_is_an_error(error: Exception, monkeypatch: pytest.MonkeyPatch):
    async def answer() -> Done:
        raise error

    assert ruff_of(answer, monkeypatch).status == Status.ERROR


@pytest.mark.parametrize("found", ["0.1.0", "99.0"])
def test_a_version_that_was_never_tested_is_not_used(found: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(programs, "version", lambda _: found)
    installed.cache_clear()
    scan = anyio.run(Ruff().scan, BAD, ScanOptions())
    assert (scan.status, scan.version) == (Status.SKIPPED, found)
    assert "pip install" in scan.reason
    assert all(there.problem for name, there in available().items() if name in PACKAGES)


def test_a_missing_program_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(programs, "program", lambda _: None)
    scan = anyio.run(Ruff().scan, BAD, ScanOptions())
    assert scan.status == Status.SKIPPED
    assert "missing" in scan.reason


def test_without_any_scanner_installed_the_service_starts_and_says_so():
    program = (
        "import importlib.metadata as m, sys\n"
        "real = m.version\n"
        "absent = set()\n"
        "def version(name):\n"
        "    if name in absent:\n"
        "        raise m.PackageNotFoundError(name)\n"
        "    return real(name)\n"
        "m.version = version\n"
        "for name in 'bandit radon vulture lizard mypy coverage detect_secrets'.split():\n"
        "    sys.modules[name] = None\n"
        "from quartermaster_quality.scanners.programs import PACKAGES\n"
        "from quartermaster_quality.scanners.concurrent_scan import available\n"
        "absent |= {package for package, *_ in PACKAGES.values()}\n"
        "found = available()\n"
        "assert all('not installed' in found[name].problem for name in PACKAGES)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_ruff_reads_no_settings_and_obeys_no_comment(tmp_path: Path):
    async def scan(text: str) -> Scan:
        return await Ruff().scan(SourceFile("src/a.py", text.encode()), ScanOptions())

    found = anyio.run(scan, "import os  # noqa: F401\nimport re  # noqa: E501\neval(x)  # noqa\n")
    assert [(f.rule, f.is_hint) for f in found.findings if f.rule in {"F401", "S307"}] == [
        ("F401", False),
        ("F401", False),
        ("S307", False),
    ]
    assert next(f.cwe for f in found.findings if f.rule == "S307") == 95
    broken = anyio.run(scan, "def f(:\n")
    assert broken.status == Status.ERROR
    newer = anyio.run(scan, "match x:\n    case 1:\n        pass\n")
    assert newer.status == Status.OK
    latin = anyio.run(
        Ruff().scan,
        SourceFile("a.py", "# coding: latin-1\nx='é'\n".encode("latin-1")),
        ScanOptions(),
    )
    assert latin.status == Status.OK
    assert (
        anyio.run(Ruff().scan, SourceFile("a.py", b"x = '\xff'\n"), ScanOptions()).status
        == Status.ERROR
    )


def children() -> set[int]:
    """Returns the processes that this one has started, with its main thread."""
    text = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text()
    return {int(pid) for pid in text.split()}


def test_ruffs_safe_corrections_keep_silenced_lines():
    data = b"import os\nimport re  # noqa: F401\n"
    fixed, number = anyio.run(repaired, Content(Path(), "a.py", data, ""))
    assert (fixed, number) == (b"import re  # noqa: F401\n", 1)


def test_all_scanners_together_look_at_many_files_at_once(tmp_path: Path):
    others = children()
    root = real_folder(tmp_path) / "p"
    (root / "src").mkdir(parents=True)
    (root / "src" / "a.py").write_bytes(BAD.data)
    (root / "src" / "b.py").write_bytes(b"import a\na.nothing()\n")
    (root / "src" / "link.py").symlink_to("/etc/passwd")
    guard = ProjectFileAccess(root)
    mirror = Mirror(guard, root.parent / "mirror")
    before = mirror.update(walk(guard).files | {"src/link.py": (9, 9), "src/gone.py": (9, 9)})
    assert sorted(p.name for p in mirror.folder.rglob("*.py")) == ["a.py", "b.py"]
    settings = ScanOptions(mirror=mirror.folder, secret_key=b"k")
    second = SourceFile("src/b.py", b"import a\na.nothing()\n")

    async def scan() -> list[tuple[Scan, ...]]:
        scanners = Scanners()
        try:
            await scanners.warm()
            results: list[tuple[Scan, ...]] = []

            async def one(source: SourceFile, names: tuple[str, ...]) -> None:
                results.append(await scanners.scan(source, settings, names))

            await one(second, full())
            async with anyio.create_task_group() as tasks:
                for _ in range(12):
                    tasks.start_soon(one, BAD, SECURITY)
            await one(SourceFile("README", b"all:\n"), full())
            return results
        finally:
            await scanners.aclose()

    results = anyio.run(scan)
    first = {scan.tool: scan for scan in results[0]}
    assert first.keys() == {
        *("ruff", "ty", "mypy", "bandit", "radon", "vulture", "coverage", "secrets"),
        *("messaging", "taint", "decisions", "suppressions"),
    }
    assert [f.rule for f in first["mypy"].findings] == ["attr-defined"]
    assert first["ty"].findings
    assert all(f.is_hint for f in first["ty"].findings)
    # There are no coverage data.
    idle = {tool for tool, scan in first.items() if scan.status is not Status.OK}
    assert idle == {"coverage"}
    assert first["coverage"].status == Status.SKIPPED
    for scans in results[1:-1]:
        assert [scan.tool for scan in scans] == list(SECURITY)
        assert "B307" in [f.rule for scan in scans for f in scan.findings]
    assert [scan.tool for scan in results[-1]] == ["secrets", "suppressions"]
    (root / "src" / "b.py").write_bytes(b"import a\n")
    assert mirror.update(walk(guard).files) != before
    assert not [pid for pid in children() - others if is_alive(pid)]


@pytest.mark.parametrize("of_service", [0, 19], ids=["as started", "that gives way itself"])
def test_processes_give_way_to_a_service(of_service: int):
    code = "import os; print(os.getpriority(os.PRIO_PROCESS, 0))"

    def priorities() -> tuple[int, Done]:
        os.nice(of_service)  # of this thread, as its processes have it
        command = [sys.executable, "-I", "-c", code]
        done = anyio.run(partial(run, command, b"", timeout_s=60))
        return os.getpriority(os.PRIO_PROCESS, 0), done

    with ThreadPoolExecutor(1) as thread:
        own, done = thread.submit(priorities).result()
    assert int(done.out) == max(own, GIVES_WAY)


def test_what_waits_for_a_processor_is_not_late():
    code = "import time\nwhile time.process_time() < 0.3: pass\nprint('done')"
    command = [sys.executable, "-I", "-S", "-c", code]
    rivals = [
        subprocess.Popen([sys.executable, "-I", "-S", "-c", "while True: pass"])
        for _ in range(4 * len(os.sched_getaffinity(0)))
    ]
    try:
        done = anyio.run(partial(run, command, b"", timeout_s=2))
    finally:
        for rival in rivals:
            rival.kill()
            rival.wait()
    assert done.out == b"done\n"
