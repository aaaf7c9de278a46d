"""The table of degradation, row by row: a checker that is missing, of another version, killed or
hanging is named, and never passed over.

Security needs all of its checkers. Coverage that nobody measured fails with the command that
measures it. Any other checker that is missing takes its part out of the score, and the gate warns;
one that fails makes the gate fail.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator, Generator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from kinds.quality.tests.service.conftest import GOOD, QualityService, Shop
from kinds.quality.tests.service.test_tools import TEST, measure
from quartermaster.core.findings import Scan
from quartermaster.projects.workers import Workers
from quartermaster_quality.bench import ProjectScanner, bench_of
from quartermaster_quality.scanners import programs
from quartermaster_quality.scanners.concurrent_scan import SECURITY, Scanners, full
from quartermaster_quality.scanners.in_worker import InWorker
from quartermaster_quality.scanners.interface import UNREAD_LANGUAGES, ScanOptions, SourceFile
from quartermaster_quality.scanners.programs import PACKAGES, installed

pytestmark = pytest.mark.anyio

KILLED = "import os, sys; sys.stdin.buffer.read(4); os.kill(os.getpid(), 9)"
HANGING = "import signal; signal.pause()"
# What hangs is killed soon; what is killed has time to start before that.
TIMEOUT_S = {KILLED: 5.0, HANGING: 0.2}
# lizard is meant for other languages; ty is never the authority; words that tell checkers to be
# silent belong to no category.
OF_PYTHON = [name for name in full() if name not in {"lizard", "ty", "suppressions"}]
PROGRAMS = {"ruff", "ty"}


class Broken(Scanners):
    """Scanners of which one runs another program, with a short patience."""

    def __init__(self, working: Scanners, name: str, program: str) -> None:
        super().__init__()
        self._working, self._name = working, name
        self._timeout_s = TIMEOUT_S[program]
        self._broken = Workers(1, [sys.executable, "-I", "-c", program])

    async def scan(
        self, source: SourceFile, settings: ScanOptions, names: Any, *more: Any, **_: Any
    ) -> tuple[Scan, ...]:
        others = [name for name in names if name != self._name]
        made = await self._working.scan(source, settings, others, *more)
        if self._name not in names:
            return made
        short = replace(settings, timeout_s=self._timeout_s)
        if self._name in PROGRAMS:
            return (*made, *await self._working.scan(source, short, [self._name], *more))
        return (*made, await InWorker(self._name, self._broken).scan(source, short))

    async def aclose(self) -> None:
        await self._broken.aclose()


@contextmanager
def version_of(name: str, found: str | None) -> Generator[None]:
    """Provides a machine on which one package has another version, or is missing (None)."""
    distribution = PACKAGES[name][0]

    def other(asked: str) -> str:
        if asked != distribution:
            return version(asked)
        if found is None:
            raise PackageNotFoundError(asked)
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(programs, "version", other)
        installed.cache_clear()
        yield
    installed.cache_clear()


@asynccontextmanager
async def running(
    bench: ProjectScanner, name: str, code: str, folder: Path
) -> AsyncGenerator[None]:
    """Provides a machine on which one checker runs a program that is killed, or hangs."""
    working = bench.scanners
    bench.scanners = Broken(working, name, code)
    with pytest.MonkeyPatch.context() as patch:
        if name in PROGRAMS:
            script = folder / f"{name}.py"
            script.write_text(f"#!{sys.executable}\n{code}\n")
            script.chmod(0o755)
            real = programs.program
            patch.setattr(programs, "program", lambda it: str(script) if it == name else real(it))
        try:
            yield
        finally:
            await bench.scanners.aclose()
            bench.scanners = working


@pytest.fixture
async def tested(quality_service: QualityService, shop: Shop) -> Shop:
    """A project whose file passes its gate."""
    shop.write("prices.py", GOOD)
    shop.write("tests/test_prices.py", TEST)
    measure(shop)
    assert (await shop.call("quality_gate", file_path="prices.py"))["passed"]
    return shop


def forget(quality_service: QualityService, name: str) -> None:
    """Forgets what a checker has said."""
    with quality_service.database.connect() as connection:
        connection.execute("delete from quality.scan where tool = %s", (name,))


async def answers(shop: Shop) -> tuple[dict[str, Any], ...]:
    """Returns a gate, a score, a quick score and a security scan of the same file."""
    gate = await shop.call("quality_gate", file_path="prices.py")
    score = await shop.call("score_file", file_path="prices.py")
    quick = await shop.call("score_file", file_path="prices.py", quick=True)
    scan = await shop.call("security_scan", file_path="prices.py")
    return gate, score, quick, scan


def check(name: str, given: tuple[dict[str, Any], ...], *, is_missing: bool) -> None:
    """What the four answers say about one checker that did not look."""
    gate, score, quick, scan = given
    named = {gap["tool"]: gap for gap in score["missing"]}
    assert name in named, score["missing"]
    assert named[name]["reason"]
    assert score["degraded"]
    assert score["partial_results"]["missing"]
    if name == "ty":
        return
    affected = [each for each, one in score["categories"].items() if name in one["missing"]]
    assert affected
    assert gate["degraded"]
    assert any(name in text for text in (*gate["failures"], *gate["warnings"]))
    if name in SECURITY:
        assert score["categories"]["security"]["score"] is None
        assert (score["overall"], gate["score"]) == (None, None)
        assert any(text.startswith("security: unknown") for text in gate["failures"])
        assert (scan["status"], scan["degraded"]) == ("degraded", True)
        assert name in [gap["tool"] for gap in scan["missing"]]
    else:
        # Its part is left out, and the weights of the others grow.
        assert score["overall"] is not None
        assert sum(one["weight"] or 0 for one in score["categories"].values()) == pytest.approx(
            1, abs=0.001
        )
        assert (scan["status"], scan["degraded"]) == ("ok", False)
    assert quick["degraded"] == (name == "ruff")
    assert [gap["tool"] for gap in quick["missing"]] == (["ruff"] if name == "ruff" else [])
    if name == "coverage":
        assert any(text.startswith("coverage: unknown.") for text in gate["failures"])
    if not is_missing:
        assert any(text.startswith("failed_checkers: ") for text in gate["failures"])
    only_warned = is_missing and name not in SECURITY and name != "coverage"
    assert gate["passed"] == only_warned


async def test_a_checker_that_is_missing_or_of_a_version_never_tested(
    quality_service: QualityService, tested: Shop
):
    # In one test: to read a new project for the first time is most of the work.
    checkers = [each for each in (*OF_PYTHON, "ty") if each in PACKAGES]
    for name, found in product(checkers, (None, "0.0.1", "99.0")):
        with version_of(name, found):
            given = await answers(tested)
            info = await tested.call("server_info")
        assert not info["external_tools"][name]["installed"]
        assert "pip install" in info["external_tools"][name]["install_hint"]
        check(name, given, is_missing=True)
    assert (await tested.call("quality_gate", file_path="prices.py"))["passed"]


async def test_a_checker_that_is_killed_or_hangs(
    quality_service: QualityService, tested: Shop, tmp_path: Path
):
    for name, code in product((*OF_PYTHON, "ty"), (KILLED, HANGING)):
        forget(quality_service, name)
        async with running(bench_of(tested.service), name, code, tmp_path):
            given = await answers(tested)
        check(name, given, is_missing=False)
        expected = "did not finish within" if code == HANGING else ""
        assert expected in str(given[1]["missing"])
        # A failure is not remembered.
        assert (await tested.call("quality_gate", file_path="prices.py"))["passed"], name


SCRIPT = "function total(prices) {\n  return prices.reduce((sum, price) => sum + price, 0);\n}\n"


HOLE = "cp.exec('ls ' + req.query.d); eval(req.query.d);\n"


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("app.js", "JavaScript"),
        ("App.VUE", "Vue"),
        ("run.sh", "shell"),
        ("fast.pyx", "Cython"),
        ("bin/deploy", "files without a suffix"),
    ],
)
async def test_what_no_scanner_reads_is_never_secure(shop: Shop, path: str, language: str):
    shop.write(path, HOLE)
    score = await shop.call("score_file", file_path=path)
    security = score["categories"]["security"]
    assert (score["overall"], security["score"], security["state"]) == (None, None, "unknown")
    assert [gap["tool"] for gap in score["missing"]] == ["taint"]
    assert score["missing"][0]["reason"] == f"No scanner reads {language}."
    scan = await shop.call("security_scan", file_path=path)
    assert (scan["status"], len(scan["missing"])) == ("degraded", 1)
    gate = await shop.call("quality_gate", file_path=path)
    assert (gate["passed"], gate["score"], gate["degraded"]) == (None, None, True)
    assert gate["warnings"] == [
        "overall: unknown, because security was not checked.",
        f"security: not checked. No scanner reads {language}. Only secrets were looked for.",
    ]
    report = await shop.call("report", file_path=path, format="markdown")
    assert "Gate standard: not checked." in report["report"]
    report = await shop.call("report", file_path=path, format="html")
    assert '<span class="not-checked">' in report["report"]
    assert "not checked.</span>" in report["report"]
    strict = await shop.call("quality_gate", file_path=path, preset="strict")
    assert [text.split(":")[0] for text in strict["failures"]] == ["unread_language"]


async def test_a_python_program_without_a_suffix_is_not_checked(shop: Shop):
    shop.write("deploy", "#!/usr/bin/env python3\nimport os, sys\nos.system(sys.argv[1])\n")
    gate = await shop.call("quality_gate", file_path="deploy")
    assert gate["passed"] is None
    assert "Python in a file whose name does not end in .py." in gate["warnings"][-1]


async def test_a_window_program_in_python_is_read(shop: Shop):
    shop.write("gui.pyw", "import os, sys\nos.system(sys.argv[1])\n")
    scan = await shop.call("security_scan", file_path="gui.pyw")
    assert [one["rule"] for one in scan["findings"]] == ["taint-cmd"]
    score = await shop.call("score_file", file_path="gui.pyw")
    assert [gap["tool"] for gap in score["missing"] if gap["status"] == "error"] == []


async def test_a_text_is_searched_for_secrets_only_and_that_is_said(shop: Shop):
    shop.write("README.md", "# A shop\n")
    gate = await shop.call("quality_gate", file_path="README.md")
    assert (gate["passed"], gate["only_secrets"]) == (True, True)
    shop.write("app.py", GOOD)
    assert not (await shop.call("quality_gate", file_path="app.py"))["only_secrets"]
    shop.write("Dockerfile", "FROM scratch\n")
    assert not (await shop.call("quality_gate", file_path="Dockerfile"))["only_secrets"]


async def test_service_and_database_agree_on_what_is_not_read(quality_service: QualityService):
    names = (*(f"a{suffix}" for suffix in UNREAD_LANGUAGES), "deploy", "README", "LICENCE", ".env")
    names += ("a.md", "a.toml", "a.pyw", "a.py", "Dockerfile", "compose.yml", "Makefile", "b/x.R")
    with quality_service.database.connect() as connection:
        for name in names:
            [(language,)] = connection.execute("select quality.language_of(%s)", [name])
            unread = SourceFile(name, b"").unread_language is not None
            assert unread == (language in ("other", "script")), (name, language)


async def test_the_complexity_of_other_languages_is_unknown_without_lizard(
    quality_service: QualityService, shop: Shop, tmp_path: Path
):
    shop.write("app.js", SCRIPT)
    before = await shop.call("quality_gate", file_path="app.js")
    assert not any("lizard" in text for text in before["warnings"] + before["failures"]), before

    forget(quality_service, "lizard")
    with version_of("lizard", None):
        score = await shop.call("score_file", file_path="app.js")
        gate = await shop.call("quality_gate", file_path="app.js")
    assert [gap["tool"] for gap in score["missing"]] == ["lizard", "taint"]
    assert score["categories"]["complexity"]["score"] is None
    assert any(text.startswith("lizard has not read") for text in gate["warnings"]), gate

    for code in (KILLED, HANGING):
        forget(quality_service, "lizard")
        async with running(bench_of(shop.service), "lizard", code, tmp_path):
            gate = await shop.call("quality_gate", file_path="app.js")
        assert not gate["passed"]
        assert any(text.startswith("failed_checkers: lizard") for text in gate["failures"]), gate


@pytest.fixture
def no_hadolint() -> Iterator[None]:
    with version_of("hadolint", None):
        yield


async def test_without_hadolint_our_own_rules_for_dockerfiles_hold(shop: Shop, no_hadolint: None):
    shop.write("Dockerfile", "FROM python:latest\nCOPY . /app\nCMD python /app/main.py\n")
    found = await shop.call("validate_config", file_path="Dockerfile")
    assert (found["valid"], found["degraded"]) == (False, True)
    assert [gap["tool"] for gap in found["missing"]] == ["hadolint"]
    assert found["findings"]


async def test_a_hanging_hadolint_never_means_a_valid_dockerfile(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
):
    async def late(*_given: object, **_more: object) -> object:
        raise TimeoutError

    monkeypatch.setattr(programs, "run", late)
    shop.write("Dockerfile", "FROM python:3.13-slim\nUSER 1000\n")
    found = await shop.call("validate_config", file_path="Dockerfile")
    assert (found["valid"], found["degraded"]) == (False, True)
