"""Each scanner says what it found, or why it could not look; a file not read is never clean."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from quartermaster.core.findings import Scan, Severity, Status
from quartermaster.projects.guard import ProjectFileAccess, real_folder
from quartermaster.projects.project_files import walk
from quartermaster.projects.worker_calls import wire_of
from quartermaster_quality.scanners import bandit, coverage, lizard, mypy, radon, secrets, vulture
from quartermaster_quality.scanners.concurrent_scan import coverage_of
from quartermaster_quality.scanners.in_worker import examine
from quartermaster_quality.scanners.interface import (
    ScanOptions,
    SourceFile,
    UnreadableError,
)
from quartermaster_quality.scanners.mirror import Mirror
from tests.support.canary import canary
from tests.support.each import for_each

PYTHON = (bandit, radon, vulture)
# Valid code that an older interpreter cannot parse.
NEWER = "type X = int\n" if sys.version_info < (3, 12) else "class A[T = int]: ...\n"
needs_old = pytest.mark.skipif(sys.version_info >= (3, 13), reason="this Python parses it all")


def source(text: str | bytes, path: str = "src/a.py") -> SourceFile:
    return SourceFile(path, text if isinstance(text, bytes) else text.encode())


def rules(scan: Scan) -> list[str]:
    return [finding.rule for finding in scan.findings]


@for_each(PYTHON, lambda module: module.__name__)
def test_a_file_that_cannot_be_parsed_is_an_error(module: object):
    scan = module.examine(source("def f(:\n    eval(x)\n"), ScanOptions())  # pyright: ignore
    assert (scan.status, scan.findings) == (Status.ERROR, ())
    assert "line 1" in scan.reason


# bandit 1.9.4 ends with success if it skips a file (its issue 1326); so files of a newer Python
# read as clean.
@needs_old
@for_each(PYTHON, lambda module: module.__name__)
def test_a_file_of_a_newer_python_is_not_clean(module: object):
    scan = module.examine(source(NEWER + "eval(input())\n"), ScanOptions())  # pyright: ignore
    assert scan.status == Status.DEGRADED
    assert "newer Python" in scan.reason


@for_each(PYTHON, lambda module: module.__name__)
def test_code_nested_too_deeply_is_no_clean_file(module: object):
    text = "x = " + "(" * 5000 + ")" * 5000 + "\n"
    scan = module.examine(source(text), ScanOptions())  # pyright: ignore
    assert scan.status == Status.ERROR


@for_each([b"x = '\xff'\n", b"# coding: nonsense\n", b"x = 1\0\n"], repr)
def test_bytes_that_are_no_text_are_unreadable(data: bytes):
    with pytest.raises(UnreadableError):
        source(data).text()


def test_a_declared_encoding_is_read():
    assert source("# coding: latin-1\nx = 'é'\n".encode("latin-1")).text().endswith("'é'\n")
    assert source(b"\xef\xbb\xbfx = 1\n").text() == "x = 1\n"


def test_a_scan_survives_the_way_between_processes():
    code = source("eval(input())\n")
    wire = wire_of(examine)
    request = wire.request(("bandit", code, ScanOptions(secret_key=b"\xff"), {"data": b"\0"}), 1)
    with pytest.raises(TypeError, match="data"):  # bandit takes no further bytes
        wire.called(request.split(b"\n", 2)[2])
    request = wire.request(("bandit", code, ScanOptions(), {}), 1)
    answer = wire.called(request.split(b"\n", 2)[2])
    assert replace(wire.value(answer), elapsed_ms=0) == bandit.examine(code, ScanOptions())
    with pytest.raises(ValueError, match="status"):
        wire.value(answer.replace(b'"status": "ok"', b'"status": "fine"'))


def test_bandit_names_the_weakness_by_number():
    scan = bandit.examine(source("import pickle\npickle.loads(x)\n"), ScanOptions())
    assert [(f.rule, f.line, f.cwe, f.is_hint) for f in scan.findings] == [
        ("B403", 1, 502, True),
        ("B301", 2, 502, False),
    ]


def test_bandit_quotes_no_password():
    value = canary()
    text = f'password = "{value}"\nf(password="{value}")\ndef g(password="{value}"): ...\n'
    scan = bandit.examine(source(text), ScanOptions())
    assert rules(scan) == ["B105", "B106", "B107"]
    assert value not in repr(scan)


def test_radon_measures_complexity_and_maintainability():
    body = "".join(f"    if x == {n}: return {n}\n" for n in range(12))
    scan = radon.examine(source(f"def f(x):\n{body}\ndef g(): ...\n"), ScanOptions())
    assert scan.metrics["complexity_max"] == 13
    assert scan.metrics["functions"] == 2
    assert 0 < scan.metrics["maintainability_index"] < 100
    assert rules(scan) == ["complexity"]


def test_vulture_reports_only_what_one_file_proves():
    text = "import os\n\n\ndef unused():\n    return 1\n    print(2)\n"
    assert rules(vulture.examine(source(text), ScanOptions())) == [
        "unused-import",
        "unused-unreachable-code",
    ]


def test_lizard_measures_other_languages_and_no_unknown_one():
    branches = " ".join(f"if (x == {n}) return {n};" for n in range(12))
    scan = lizard.examine(source(f"function f(x) {{ {branches} }}\n", "a.ts"), ScanOptions())
    assert (scan.status, scan.metrics["complexity_max"]) == (Status.OK, 13)
    assert rules(scan) == ["complexity"]
    assert lizard.examine(source("f(x)", "a.xyz"), ScanOptions()).status == Status.SKIPPED


# Coverage


def measured(root: Path, body: str) -> None:
    (root / "a.py").write_text(body)
    command = [sys.executable, "-m", "coverage", "run", "--data-file=.coverage", "a.py"]
    subprocess.run(command, cwd=root, check=True)


def covered(root: Path) -> Scan:
    guard = ProjectFileAccess(root)
    found = coverage_of(guard, "a.py")
    content = guard.read("a.py")
    return coverage.examine(SourceFile("a.py", content.data), ScanOptions(), **found)


def test_coverage_is_known_stale_or_unknown_and_never_guessed(tmp_path: Path):
    root = real_folder(tmp_path)
    (root / "a.py").write_text("x = 1\n")
    unknown = covered(root)
    assert (unknown.status, unknown.metrics) == (Status.SKIPPED, {})
    assert "coverage run" in unknown.reason

    measured(root, "def f():\n    return 1\n\n\ndef g():\n    return 2\n\n\nf()\n")
    known = covered(root)
    assert (known.status, known.metrics["coverage_percent"]) == (Status.OK, 80.0)

    (root / "a.py").write_text("x = 2\n")
    stale = covered(root)
    assert stale.status == Status.DEGRADED
    assert "coverage_percent" not in stale.metrics

    (root / ".coverage").write_bytes(b"no database")
    with pytest.raises(UnreadableError):
        covered(root)


def test_coverage_of_a_file_that_was_never_run_is_unknown(tmp_path: Path):
    root = real_folder(tmp_path)
    measured(root, "x = 1\n")
    found = coverage_of(ProjectFileAccess(root), "a.py")
    scan = coverage.examine(source("y = 2\n", "b.py"), ScanOptions(), **found)
    assert scan.status == Status.SKIPPED


# mypy


def checked(root: Path, path: str, environment: Path | None = None) -> Scan:
    guard = ProjectFileAccess(root)
    mirror = Mirror(guard, root.parent / "mirror")
    mirror.update(walk(guard).files)
    settings = ScanOptions(mirror=mirror.folder, environment=environment)
    return mypy.examine(SourceFile(path, guard.read(path).data), settings)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)  # mypy changes the folder
    root = real_folder(tmp_path) / "p"
    (root / "src" / "pkg").mkdir(parents=True)
    (root / "src" / "pkg" / "__init__.py").write_text("")
    (root / "src" / "pkg" / "a.py").write_text("def f(x: int) -> str:\n    return str(x)\n")
    return root


def test_mypy_knows_the_projects_other_files_and_runs_nothing_of_it(project: Path):
    marker = project / "ran"
    (project / "plugin.py").write_text(f"open({str(marker)!r}, 'w')\n")
    (project / "mypy.ini").write_text("[mypy]\nplugins = plugin\nignore_errors = True\n")
    (project / "src" / "pkg" / "b.py").write_text(
        "from pkg.a import f\n\n\ndef g():\n    return f('x').uper()\n"
    )
    scan = checked(project, "src/pkg/b.py")
    assert sorted(rules(scan)) == ["arg-type", "attr-defined"]
    assert scan.status == Status.OK
    assert not marker.exists()


def test_mypy_names_what_does_not_exist_and_where_the_expression_ends(project: Path):
    text = "from pkg.a import f\n\nf(1).uper()\nf(\n    y=1,\n    x=2,\n)\nf('x')\n"
    (project / "src" / "pkg" / "b.py").write_text(text)
    found = checked(project, "src/pkg/b.py").findings
    assert [(each.name, each.line, each.end_line) for each in found] == [
        ("uper", 3, 3),
        ("y", 4, 7),
        ("", 8, 8),
    ]


def test_mypy_says_what_it_does_not_know(project: Path):
    path = project / "src" / "pkg" / "a.py"
    path.write_text("import nowhere_1\n")
    scan = checked(project, "src/pkg/a.py")
    assert scan.status == Status.DEGRADED
    assert "nowhere_1" in scan.reason
    path.write_text("import nowhere_1  # type: ignore\n")
    assert checked(project, "src/pkg/a.py").status == Status.OK
    path.write_text("def f(:\n")
    assert checked(project, "src/pkg/a.py").status == Status.ERROR


def test_mypy_finds_packages_of_the_environment_without_running_its_python(project: Path):
    environment = project.parent / "env"
    package = environment / "lib" / "python3.11" / "site-packages" / "third"
    package.mkdir(parents=True)
    (package / "py.typed").write_text("")
    (package / "__init__.py").write_text("def h(x: int) -> None: ...\n")
    marker = environment / "ran"
    (environment / "bin").mkdir()
    (environment / "bin" / "python").write_text(f"#!/bin/sh\ntouch {marker}\n")
    (environment / "bin" / "python").chmod(0o755)
    (project / "src" / "pkg" / "a.py").write_text("from third import h\n\nh('x')\n")
    scan = checked(project, "src/pkg/a.py", environment)
    assert (scan.status, rules(scan)) == (Status.OK, ["arg-type"])
    assert not marker.exists()


def test_a_broken_file_is_not_in_the_way_of_others(project: Path):
    good, broken = project / "src" / "pkg" / "a.py", project / "src" / "pkg" / "b.py"
    good.write_text("x: int = 'a'\n")
    broken.write_text("y = 1\n")
    mirror = Mirror(guard := ProjectFileAccess(project), project.parent / "mirror")

    def read(path: Path) -> tuple[Status, list[str]]:
        mirror.update(walk(guard).files)
        name = path.relative_to(project).as_posix()
        scan = mypy.examine(
            SourceFile(name, guard.read(name).data), ScanOptions(mirror=mirror.folder)
        )
        return scan.status, rules(scan)

    assert read(good) == (Status.OK, ["assignment"])
    assert read(broken) == (Status.OK, [])
    broken.write_text("def f(:\n")
    assert read(broken)[0] == Status.ERROR
    assert read(good) == (Status.OK, ["assignment"])
    # What is imported and cannot be parsed keeps mypy from checking anything.
    good.write_text("import pkg.b\n\nx: int = 'a'\n")
    assert read(good)[0] == Status.ERROR
    good.write_text("x: int = 'a'\n")
    assert read(good) == (Status.OK, ["assignment"])
    broken.unlink()
    assert read(good) == (Status.OK, ["assignment"])


def test_mypy_reads_a_change_at_once(project: Path, monkeypatch: pytest.MonkeyPatch):
    folder = project / "src" / "pkg"
    names = [f"src/pkg/{name}.py" for name in ("a", "b", "c")]
    (folder / "b.py").write_text("from pkg.c import g\n\nx: int = g()\n")
    (folder / "c.py").write_text("def g() -> str:\n    return 1\n")
    mirror = Mirror(guard := ProjectFileAccess(project), project.parent / "mirror")
    mirror.update(walk(guard).files)
    started: list[object] = []
    server = mypy.Server

    def counted(*given: Any) -> object:
        started.append(given)
        return server(*given)

    monkeypatch.setattr(mypy, "Server", counted)

    def read(name: str, *together: str) -> list[str]:
        settings = ScanOptions(mirror=mirror.folder, together=together)
        return rules(mypy.examine(SourceFile(name, guard.read(name).data), settings))

    assert [read(name, *names) for name in names] == [[], ["assignment"], ["return-value"]]
    assert len(started) == 1
    # Files of a change that were not read yet are read at once, too.
    for name in ("d", "e"):
        (folder / f"{name}.py").write_text("x: int = ''\n")
    mirror.update(walk(guard).files)
    more = [*names, "src/pkg/d.py", "src/pkg/e.py"]
    assert [read(name, *more) for name in more[3:]] == [["assignment"]] * 2
    assert len(started) == 2
    # One more file is added to what is known.
    (folder / "f.py").write_text("x: int = ''\n")
    mirror.update(walk(guard).files)
    assert read("src/pkg/f.py", *more, "src/pkg/f.py") == ["assignment"]
    assert len(started) == 2


def test_mypy_skips_a_file_without_its_project():
    assert mypy.examine(source("x = 1\n"), ScanOptions()).status == Status.SKIPPED


# Secrets


def test_a_secret_is_named_by_its_fingerprint_and_never_by_its_value():
    value = "ghp_" + canary().replace("-", "").replace("_", "")[-10:] + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU"
    text = f'A = "{value}"\nB = ["{value}"]\n'
    scan = secrets.examine(source(text), ScanOptions(secret_key=b"k"))
    first, second = scan.findings
    assert (first.rule, first.line, second.line, first.cwe) == ("secret-github", 1, 2, 798)
    assert first.message == second.message
    assert first.severity == Severity.CRITICAL
    assert value not in repr(scan)
    other = secrets.examine(source(text), ScanOptions(secret_key=b"l"))
    assert other.findings[0].message != first.message


def test_secrets_are_found_in_utf_16_and_binary_files_are_not_called_clean():
    text = 'password = "xK9#mQ2$vL5nR8wT"\n'
    assert rules(secrets.examine(source(text.encode("utf-16")), ScanOptions())) == ["secret-named"]
    assert secrets.examine(source(b"\x7fELF\0\0\0"), ScanOptions()).status == Status.DEGRADED


def test_a_password_in_a_test_is_a_hint_and_a_providers_key_is_not():
    key = "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc"
    text = f'password = "xK9#mQ2$vL5nR8wT"\nkey = "{key}"\n'
    scan = secrets.examine(source(text, "tests/test_a.py"), ScanOptions())
    assert [(f.rule, f.is_hint) for f in scan.findings] == [
        ("secret-named", True),
        ("secret-stripe", False),
    ]


def test_a_secret_in_a_message_is_replaced():
    key = "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc"
    assert secrets.without_secrets(f'Bad argument "{key}" here') == 'Bad argument "..." here'
    for name in (f"old_{key}", f"{key}_old", f"a_{key}_b_{key}"):
        assert (
            secrets.without_secrets(f"Undefined name `{name}` in f") == "Undefined name `...` in f"
        )


def test_without_its_package_our_own_rules_still_look(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(secrets, "_detectors", list)
    scan = secrets.examine(source('password = "xK9#mQ2$vL5nR8wT"\n'), ScanOptions())
    assert (scan.status, rules(scan)) == (Status.DEGRADED, ["secret-named"])
