"""The quality tools, as an agent uses them in a real small project."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import anyio
import jsonschema_rs
import pytest

from kinds.quality.tests.service.conftest import GOOD, QualityService, Shop
from quartermaster.core.findings import Scan, Status
from quartermaster.projects.workers import Workers
from quartermaster_quality import baseline, bench
from quartermaster_quality.bench import bench_of
from quartermaster_quality.config import validate
from quartermaster_quality.package import DOOR
from quartermaster_quality.scanners.concurrent_scan import Scanners, full
from quartermaster_quality.scanners.interface import SourceFile
from quartermaster_quality.taint import MODELLED_CWES
from quartermaster_quality.tools import sessions
from quartermaster_quality.weaknesses import RELATIVES
from tests.support.model import cached_model_dir
from tests.support.waiting import LONGEST_S, until, wait_until
from tests.support.with_kind import with_kind

pytestmark = pytest.mark.anyio

SCHEMAS = Path(__file__).with_name("tools.json")
BAD = (
    GOOD
    + '''

def find(connection, name):
    """Finds a product."""
    return connection.execute(f"select * from product where name = '{name}'")
'''
)
ROUTE = '''"""A page of a shop."""

from __future__ import annotations

import sqlite3

from flask import Flask, request

app = Flask(__name__)


@app.route("/product")
def product() -> str:
    """Shows a product."""
    connection = sqlite3.connect("shop.db")
    rows = connection.execute(f"select title from product where id = {request.args['id']}")
    return str(rows.fetchall())
'''
TEST = """from prices import total


def test_total():
    assert total([1, 2], 0.5) == 1.5
"""


def measure(shop: Shop) -> None:
    """Runs the tests of the project under coverage."""
    command = [
        sys.executable,
        "-m",
        "coverage",
        "run",
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
    ]
    # Not the options of this test run, and no plugins, which would take longer than the test.
    environment = {name: os.environ[name] for name in ("PATH", "HOME")}
    environment |= {"PYTHONPATH": ".", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    subprocess.run(command, cwd=shop.root, check=True, capture_output=True, env=environment)


async def test_a_session_from_the_first_call_to_the_checklist(shop: Shop):
    shop.write("prices.py", GOOD)
    shop.write("tests/test_prices.py", TEST)
    shop.write(".gitignore", ".coverage\n__pycache__/\n")
    shop.git("init", "-q")
    shop.git("add", ".")
    shop.git("commit", "-qm", "Prices")

    info = await shop.call("server_info")
    assert info["external_tools"]["ruff"]["installed"]
    session = info["session_id"]
    saved = await shop.call(
        "session_notes", action="save", key="db", value="sqlite", session=session
    )
    assert saved["notes"] == {"db": "sqlite"}
    unchanged = await shop.call("checklist", task_type="bugfix", session=session)
    assert [missing["tool"] for missing in unchanged["missing"]] == [
        "tapps_quality_gate",
        "tapps_score_file",
    ]

    shop.write("prices.py", GOOD.replace("sum(prices)", "sum( prices)").replace("1.0", "1"))
    score = await shop.call("score_file", file_path="prices.py", session=session)
    assert score["overall"] > 90
    verdict = await shop.call("quality_gate", file_path="prices.py", session=session)
    assert not verdict["passed"]
    assert "coverage: unknown" in verdict["failures"][0]
    assert "coverage run" in verdict["failures"][0]

    measure(shop)
    verdict = await shop.call("quality_gate", file_path="prices.py", session=session)
    assert verdict["passed"], verdict
    assert verdict["score"] > 80
    listed = await shop.call("checklist", task_type="refactor", session=session)
    assert [m["tool"] for m in listed["missing"]] == ["tapps_impact_analysis"]
    await shop.call("impact_analysis", file_path="prices.py", session=session)
    listed = await shop.call("checklist", task_type="refactor", session=session)
    assert listed["passed"], listed
    listed = await shop.call("checklist", task_type="bugfix", session=session)
    assert (listed["passed"], listed["degraded"]) == (True, False)

    # An edit that no tool has seen.
    shop.write("prices.py", GOOD.replace("discount", "rebate"))
    listed = await shop.call("checklist", task_type="bugfix", session=session)
    assert not listed["passed"]
    assert all("but the file is now" in m["reason"] for m in listed["missing"])


async def test_a_hole_fails_the_gate_and_explains_itself(shop: Shop):
    shop.write("page.py", ROUTE)
    found = await shop.call("security_scan", file_path="page.py")
    [hole] = [finding for finding in found["findings"] if finding["cwe"] == 89]
    assert (hole["tool"], hole["cwe"], hole["owasp"]) == ("taint", 89, "A03:2021 Injection")
    assert hole["steps"]
    assert hole["remedy"]
    assert {hint["tool"] for hint in found["hints"]} >= {"ruff"}
    assert "A03:2021 Injection" in found["by_owasp"]
    verdict = await shop.call("quality_gate", file_path="page.py")
    assert any(failure.startswith("security: ") for failure in verdict["failures"])
    bound = ROUTE.replace("{request.args['id']}\"", "?\", (request.args['id'],)")
    shop.write("page.py", bound.replace('(f"', '("'))
    found = await shop.call("security_scan", file_path="page.py")
    assert 89 not in {finding["cwe"] for finding in found["findings"]}


async def test_new_code_is_blamed_for_its_own_lines_only(shop: Shop):
    shop.write("page.py", ROUTE)
    shop.git("init", "-q")
    shop.git("add", ".")
    shop.git("commit", "-qm", "Page")
    shop.write("page.py", ROUTE + "\n\nNAME = 'shop'\n")
    new = await shop.call("quality_gate", file_path="page.py", new_code=True)
    assert not [f for f in new["failures"] if f.startswith(("security", "high_findings"))], new
    second = ROUTE[ROUTE.index("@app") :].replace("product()", "other()").replace("/product", "/o")
    shop.write("page.py", ROUTE + "\n\n" + second)
    new = await shop.call("quality_gate", file_path="page.py", new_code=True)
    assert any(failure.startswith("high_findings: ") for failure in new["failures"]), new


async def test_quick_repairs_and_refuses_what_is_not_its_own(shop: Shop):
    shop.write("prices.py", "import os\nimport sys\n\nprint(sys.argv)\n")
    fixed = await shop.call("score_file", file_path="prices.py", quick=True, fix=True)
    assert fixed["fixes_applied"] >= 1
    assert "-import os" in fixed["diff"]
    assert fixed["hash_before"] != fixed["hash_after"] == fixed["blob_hash"]
    assert (shop.root / "prices.py").read_text() == "import sys\n\nprint(sys.argv)\n"
    refused = await shop.call("score_file", file_path="prices.py", fix=True)
    assert (refused["error"], refused["error_code"]) == (True, "config_error")


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("nothing.py", "file_not_found"),
        ("../secret.py", "path_denied"),
        ("/etc/passwd", "path_denied"),
        ("link.py", "path_denied"),
        ("folder", "path_denied"),
    ],
)
async def test_a_path_outside_the_project_is_an_error_object(shop: Shop, path: str, code: str):
    (shop.root.parent / "secret.py").write_text("SECRET = 1\n")
    (shop.root / "link.py").symlink_to(shop.root.parent / "secret.py")
    (shop.root / "folder").mkdir()
    for tool in ("score_file", "security_scan", "quality_gate", "validate_config"):
        answer = await shop.call(tool, file_path=path)
        assert (answer["error"], answer["error_code"]) == (True, code), (tool, answer)
        assert answer["message"]
        assert "SECRET" not in str(answer)


class Failing(Scanners):
    """Scanners of which one fails in some way."""

    def __init__(self, working: Scanners, instead: Scan) -> None:
        super().__init__()
        self._working, self._instead = working, instead

    async def scan(self, *given: Any, **more: Any) -> tuple[Scan, ...]:
        made = await self._working.scan(*given, **more)
        return tuple(self._instead if scan.tool == self._instead.tool else scan for scan in made)


async def test_a_checker_that_fails_is_never_passed_over(shop: Shop):
    shop.write("prices.py", GOOD)
    shop.write("tests/test_prices.py", TEST)
    measure(shop)
    bench = bench_of(shop.service)
    working = bench.scanners
    for name in full():
        if name in {"lizard", "ty"}:  # of other languages, and never the authority
            continue
        # Whatever was stored before is of another version.
        shop.write("other.py", f"{GOOD}\n\nNAME = {name!r}\n")
        bench.scanners = Failing(working, Scan(name, "1", Status.ERROR, f"{name} was killed."))
        verdict = await shop.call("quality_gate", file_path="other.py")
        bench.scanners = working
        assert (verdict["passed"], verdict["degraded"]) == (False, True)
        assert name in str(verdict["failures"])
        score = await shop.call("score_file", file_path="other.py", quick=True)
        assert name in {"ruff", "suppressions"} or name in str(score["categories"])
    # A failure is not remembered: the next scan looks again.
    bench.scanners = Failing(working, Scan("bandit", "1", Status.ERROR, "bandit was killed."))
    assert not (await shop.call("quality_gate", file_path="prices.py"))["passed"]
    bench.scanners = working
    assert (await shop.call("quality_gate", file_path="prices.py"))["passed"]


async def test_personal_data_are_hints_without_their_value(shop: Shop):
    shop.write("people.py", 'OWNER = "contact: jane.miller@gmail.com"\n')
    found = await shop.call("security_scan", file_path="people.py")
    [hint] = [each for each in found["hints"] if each["tool"] == "personal"]
    assert (hint["code"], hint["line"]) == ("personal-email", 1)
    assert "jane" not in str(found)


PROCESS = """
import sys
from collections.abc import AsyncGenerator
from pathlib import Path
from uuid import uuid4

import anyio

from quartermaster.projects.workers import Workers
from quartermaster_quality import baseline, bench
from quartermaster_quality.bench import bench_of
from quartermaster_quality.config import validate
from quartermaster_quality.scanners.concurrent_scan import full
from quartermaster.service import open_service
from quartermaster.settings.settings import Settings


async def main(data, models, dsn):
    async with open_service(Settings(), Path(data), Path(models), dsn, "up", uuid4()) as service:
        ann = await service.database.find_principal("ann")
        bench = bench_of(service)
        await bench.scan(ann, await bench.project(ann, {}), "prices.py", full())
        print("scanned", flush=True)
        sys.stdin.readline()


anyio.run(main, *sys.argv[1:])
"""


def below(pid: int) -> set[int]:
    """Returns the processes that a process has started, with theirs."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return set()
    return {each for child in map(int, children) for each in (child, *below(child))}


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("is_killed", [True, False], ids=["killed", "stopped"])
async def test_nothing_outlives_a_service_and_a_killed_one_leaves_no_scan(
    quality_service: QualityService, shop: Shop, tmp_path: Path, is_killed: bool
):
    shop.write("prices.py", GOOD)
    (tmp_path / "data").mkdir()
    given = [
        str(tmp_path / "data"),
        str(cached_model_dir().parents[1]),
        quality_service.database.service_dsn,
    ]
    process = await anyio.open_process([sys.executable, "-c", PROCESS, *given], stderr=None)
    assert process.stdin is not None
    assert process.stdout is not None
    started: set[int] = set()
    try:
        if is_killed:

            def is_scanning() -> bool:
                started.update(below(process.pid))
                return len(started) >= 4

            await until(is_scanning)
            process.kill()
        else:
            with anyio.fail_after(60):
                assert (await process.stdout.receive()).startswith(b"scanned")
            started |= below(process.pid)
            await process.stdin.send(b"\n")
        with anyio.fail_after(LONGEST_S):
            assert await process.wait() == (-9 if is_killed else 0)
    finally:
        with anyio.CancelScope(shield=True):
            if process.returncode is None:
                process.kill()
            await process.aclose()
    assert len(started) >= 2
    assert wait_until(lambda: not any(map(is_alive, started)))
    with quality_service.database.connect() as connection:
        rows = connection.execute(
            "select s.tool from quality.scan as s inner join quality.file_version as v"
            " on v.id = s.file_version_id inner join projects.project as p on p.id = v.project_id"
            " where p.name = 'shop' and s.status = 'ok'"
        ).fetchall()
    assert bool(rows) is not is_killed


class Hanging(Scanners):
    """Scanners that never end."""

    async def scan(self, *_given: Any, **_more: Any) -> tuple[Scan, ...]:
        await anyio.sleep_forever()
        raise AssertionError("this point is never reached")


class Late(Scanners):
    """Scanners that are slower than the type checkers."""

    def __init__(self, working: Scanners) -> None:
        super().__init__()
        self._working = working
        self._types_are_checked = anyio.Event()

    async def scan(
        self, source: SourceFile, settings: Any, names: Any, *more: Any, **_: Any
    ) -> tuple[Scan, ...]:
        made = await self._working.scan(source, settings, names, *more)
        if "mypy" in names:
            self._types_are_checked.set()
        if "bandit" in names:
            await self._types_are_checked.wait()
            await anyio.wait_all_tasks_blocked()
        return made


@with_kind("decisions")
async def test_the_quicker_scans_are_kept_until_the_slower_ones_end(shop: Shop):
    shop.write("prices.py", GOOD)
    bench = bench_of(shop.service)
    working = bench.scanners
    await shop.call("score_file", file_path="prices.py")  # mypy knows the project now
    shop.write("prices.py", f"{GOOD}\n\nNAME = 'shop'\n")
    bench.scanners = Late(working)
    score = await shop.call("score_file", file_path="prices.py")
    bench.scanners = working
    assert [gap["tool"] for gap in score["missing"]] == ["coverage"]


async def test_a_scan_that_did_not_end_leaves_nothing_behind(
    quality_service: QualityService, shop: Shop
):
    shop.write("prices.py", GOOD)
    bench = bench_of(shop.service)
    working = bench.scanners
    bench.scanners = Hanging()
    with anyio.move_on_after(0.5) as waiting:
        await shop.call("score_file", file_path="prices.py")
    bench.scanners = working
    assert waiting.cancelled_caught
    with quality_service.database.connect() as connection:
        scans = (
            "select from quality.scan as s inner join quality.file_version as v"
            " on v.id = s.file_version_id inner join projects.project as p on p.id = v.project_id"
            " where p.name = 'shop'"
        )
        assert connection.execute(scans).fetchall() == []
        connection.execute("select t.act_as('ann', 'qm_user')")
        judged = connection.execute("select passed from api.gate('prices.py')").fetchall()
    assert judged == [(False,)]


async def test_a_file_that_nobody_can_parse_is_never_clean(shop: Shop):
    shop.write("broken.py", "def f(:\n")
    found = await shop.call("security_scan", file_path="broken.py")
    assert (found["status"], found["degraded"]) == ("degraded", True)
    verdict = await shop.call("quality_gate", file_path="broken.py")
    assert not verdict["passed"]
    assert any(failure.startswith("failed_checkers") for failure in verdict["failures"])
    assert (await shop.call("score_file", file_path="broken.py"))["categories"]["security"][
        "score"
    ] is None


async def test_what_one_file_was_given_is_not_given_to_another(shop: Shop):
    shop.write("a.py", ROUTE)
    shop.write("b.py", ROUTE)
    assert (await shop.call("security_scan", file_path="a.py"))["findings"]
    assert (await shop.call("security_scan", file_path="b.py"))["findings"]
    shop.write("b.py", GOOD)
    assert (await shop.call("security_scan", file_path="b.py"))["findings"] == []
    assert (await shop.call("security_scan", file_path="a.py"))["findings"]


async def test_types_are_checked_again_after_files_come_and_go(shop: Shop):
    for number in range(3):
        shop.write(f"part{number}.py", f"{GOOD}\n\nPRICE: int = 'a'\n")
        found = await shop.call("score_file", file_path=f"part{number}.py")
        assert [error["code"] for error in found["mypy_errors"]] == ["assignment"], found["missing"]
    (shop.root / "part0.py").unlink()
    shop.write("part1.py", f"from part2 import PRICE\n\n{GOOD}")
    found = await shop.call("score_file", file_path="part1.py")
    assert "mypy" not in [gap["tool"] for gap in found["missing"]]


async def test_a_dockerfile_is_validated(shop: Shop):
    shop.write("Dockerfile", "FROM python:latest\nCOPY . /app\nCMD python /app/main.py\n")
    checked = await shop.call("validate_config", file_path="Dockerfile")
    assert (checked["config_type"], checked["valid"]) == ("dockerfile", False)
    assert any("root" in finding["message"] for finding in checked["findings"])
    wrong = await shop.call("validate_config", file_path="Dockerfile", config_type="docker-compose")
    assert not wrong.get("valid")


async def test_a_change_has_an_impact_on_importers_and_tests(shop: Shop):
    shop.write("prices.py", GOOD)
    shop.write("till.py", "from prices import total\n\nSUM = total([1])\n")
    shop.write("tests/test_prices.py", TEST)
    found = await shop.call("impact_analysis", file_path="prices.py")
    assert "till.py" in found["affected_files"]
    assert "till" in found["affected_modules"]
    assert found["affected_tests"] == ["tests/test_prices.py"]
    gone = await shop.call("impact_analysis", file_path="prices.py", change_type="removed")
    assert {use["path"] for use in gone["broken"]} >= {"till.py"}
    missing = await shop.call("impact_analysis", file_path="nothing.py")
    assert missing["error_code"] == "file_not_found"


async def test_a_profile_names_the_file_that_proves_each_fact(shop: Shop):
    shop.write("pyproject.toml", '[project]\nname = "shop"\ndependencies = ["fastapi"]\n')
    shop.write("app.py", "import fastapi\n")
    found = await shop.call("project_profile")
    assert found["project"].endswith("/shop")
    assert (found["languages"], found["frameworks"]) == (["python"], ["fastapi"])
    assert {"kind": "framework", "value": "fastapi", "file": "pyproject.toml", "detail": ""} in [
        {**fact, "detail": ""} for fact in found["facts"]
    ]
    gate = {"min_score": 70, "security_min": 7, "test_coverage_min": 75}
    assert found["quality_config"] == gate
    outside = await shop.call("project_profile", project_root="/etc")
    assert outside["error_code"] == "path_denied"


@pytest.mark.parametrize("form", ["json", "markdown", "html", "sarif"])
async def test_a_report_has_every_finding_and_no_markup_of_a_file(shop: Shop, form: str):
    shop.write("page.py", ROUTE)
    await shop.call("quality_gate", file_path="page.py")
    answer = await shop.call("report", format=form)
    text = answer["report"] if isinstance(answer["report"], str) else json.dumps(answer["report"])
    assert "page.py" in text
    assert "taint-sql" in text
    if form == "html":
        assert "<script" not in text


async def test_feedback_and_statistics(shop: Shop):
    shop.write("prices.py", GOOD)
    await shop.call("score_file", file_path="prices.py")
    assert (await shop.call("feedback", tool="tapps_score_file", rating=9))["recorded"]
    stats = await shop.call("stats")
    assert stats["tools"]["tapps_score_file"]["uses"] == 1
    assert stats["feedback"]["tapps_score_file"]["mean"] == 9


async def test_schemas_only_grow():
    known: dict[str, Any] = json.loads(SCHEMAS.read_text()) if SCHEMAS.exists() else {}
    now = {
        tool.definition.name: {
            "takes": sorted(tool.definition.input_schema["properties"]),
            "required": tool.definition.input_schema["required"],
            "returns": sorted((tool.definition.output_schema or {})["properties"]),
        }
        for tool in DOOR.tools
    }
    for name, schema in known.items():
        assert set(schema["takes"]) <= set(now[name]["takes"])
        assert set(now[name]["required"]) <= set(schema["required"])
        assert set(schema["returns"]) <= set(now[name]["returns"])
    if os.environ.get("QM_WRITE_SNAPSHOTS"):
        SCHEMAS.write_text(json.dumps(now, indent=2, sort_keys=True) + "\n")
        known = now
    assert known == now, "QM_WRITE_SNAPSHOTS=1 keeps what is new"
    for tool in DOOR.tools:
        assert jsonschema_rs.meta.is_valid(tool.definition.input_schema)
        assert jsonschema_rs.meta.is_valid(tool.definition.output_schema or False)


async def test_the_database_knows_what_the_taint_pass_models(quality_service: QualityService):
    with quality_service.database.connect() as connection:
        rows = connection.execute(
            "select cwe, is_modelled, parent from quality.weakness"
        ).fetchall()
    assert {cwe for cwe, is_modelled, _ in rows if is_modelled} == MODELLED_CWES
    assert {cwe: parent for cwe, _, parent in rows if parent} == RELATIVES


def decided(quality_service: QualityService, check: dict[str, Any]) -> int:
    """Returns a decision with a check that a person has approved."""
    candidate = {
        "pattern": "Print nothing; use the logger",
        "polarity": "avoid",
        "scope": {"kind": "language", "value": "python"},
        "rationale": "Output without a time helps nobody.",
        "instead": "log.info(...)",
        "confidence": "high",
        "check": check,
    }
    make = "select t.make_decisions('shop', %s::jsonb)"
    with quality_service.database.connect() as connection, connection.transaction():
        row: Any = connection.execute(make, (json.dumps(candidate),)).fetchone()
    return row[0][0]


@with_kind("decisions")
async def test_an_approved_decision_fails_the_gate_of_a_file_that_breaks_it(
    quality_service: QualityService, shop: Shop
):
    broken = GOOD + "\n\nprint(total([1.0]))\n"
    shop.write("prices.py", broken)
    shop.write("tests/test_prices.py", TEST)
    measure(shop)
    assert (await shop.call("quality_gate", file_path="prices.py"))["passed"]
    number = decided(
        quality_service,
        {"form": "call_through", "old": ["print"], "new": ["log.info"], "tests": False},
    )
    verdict = await shop.call("quality_gate", file_path="prices.py")
    assert verdict["failures"] == [f"broken_decisions: 1 places do not follow decision-{number}"], (
        verdict
    )
    score = await shop.call("score_file", file_path="prices.py")
    [finding] = [each for each in score["findings"] if each["tool"] == "decisions"]
    assert finding["rule"] == f"decision-{number}"
    assert finding["line"] == len(broken.splitlines())
    assert "Output without a time helps nobody." in finding["message"]
    assert finding["remedy"] == "log.info(...)"
    impact = await shop.call("impact_analysis", file_path="prices.py")
    assert [each["id"] for each in impact["decisions"]] == [number]
    # A decision that the code has left behind is a hint only.
    with quality_service.database.connect() as connection:
        connection.execute("update decisions.decision set health = 'contested'")
    assert (await shop.call("quality_gate", file_path="prices.py"))["passed"]
    with quality_service.database.connect() as connection:
        connection.execute("update decisions.decision set health = 'fresh'")
    assert not (await shop.call("quality_gate", file_path="prices.py"))["passed"]
    shop.write("prices.py", GOOD)
    measure(shop)
    assert (await shop.call("quality_gate", file_path="prices.py"))["passed"]


@with_kind("decisions")
async def test_the_gate_asks_ruff_about_a_decision_that_names_a_rule(
    quality_service: QualityService, shop: Shop
):
    broken = GOOD + "\n\nprint(total([1.0]))\n"
    shop.write("prices.py", broken)
    shop.write("tests/test_prices.py", TEST)
    measure(shop)
    number = decided(quality_service, {"form": "ruff", "rule": "T201"})
    verdict = await shop.call("quality_gate", file_path="prices.py")
    assert verdict["failures"] == [f"broken_decisions: 1 places do not follow decision-{number}"], (
        verdict
    )


async def test_a_scan_of_other_code_of_ours_is_not_used_again(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
):
    shop.write("page.py", ROUTE)
    bench = bench_of(shop.service)
    boss = await shop.service.database.find_principal("ann")
    project = await bench.project(boss, {})
    first = await bench.scan(boss, project, "page.py", ("taint",))
    again = await bench.scan(boss, project, "page.py", ("taint",))
    assert (first.reused, again.reused) == (frozenset(), {"taint"})
    monkeypatch.setattr("quartermaster_quality.bench.code_digest", lambda: "other code")
    assert (await bench.scan(boss, project, "page.py", ("taint",))).reused == frozenset()


async def test_new_code_is_compared_with_any_commit_and_its_own_coverage_counts(shop: Shop):
    untested = "\n\ndef forgotten(price: float) -> float:\n    return price + 1\n"
    shop.write(".gitignore", ".coverage\n__pycache__/\n")
    shop.write("prices.py", GOOD + untested * 4)
    shop.write("tests/test_prices.py", TEST)
    shop.git("init", "-q")
    shop.git("add", ".")
    shop.git("commit", "-qm", "First")
    shop.git("tag", "first")
    shop.write("prices.py", GOOD + untested * 4 + "\n\nNAME = 'shop'\n")
    shop.git("commit", "-qam", "Second")
    measure(shop)
    # The old lines that no test runs are not the new code's fault.
    whole = await shop.call("quality_gate", file_path="prices.py")
    assert any(failure.startswith("coverage: ") for failure in whole["failures"]), whole
    new = await shop.call("quality_gate", file_path="prices.py", new_code=True, base="first")
    assert (new["passed"], new["failures"]) == (True, []), new
    # A well tested file does not excuse new lines that no test runs.
    shop.write("prices.py", GOOD + untested.replace("+", "-"))
    measure(shop)
    bad = await shop.call("quality_gate", file_path="prices.py", new_code=True, base="first~0")
    assert [f for f in bad["failures"] if f.startswith("coverage: 0.0% < 75")], bad
    wrong = await shop.call("quality_gate", file_path="prices.py", new_code=True, base="nothing")
    assert (wrong["error_code"], wrong["slug"]) == ("config_error", "commit_not_found")
    useless = await shop.call("quality_gate", file_path="prices.py", base="first")
    assert useless["error_code"] == "config_error"


@pytest.fixture
async def dying(monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[None]:
    """Workers that end at each request."""
    workers = Workers(1, [sys.executable, "-I", "-c", "import sys; sys.stdin.buffer.read(4)"])
    for module in (baseline, bench, sessions, validate):
        monkeypatch.setattr(module, "readers", lambda: workers)
    yield
    await workers.aclose()


@pytest.mark.usefixtures("dying")
async def test_workers_that_die_make_the_answer_degraded(shop: Shop):
    shop.write("prices.py", GOOD)
    shop.write("Dockerfile", "FROM debian:12\n")
    shop.git("init", "-q")
    shop.git("add", ".")
    shop.git("commit", "-qm", "First")
    shop.write("prices.py", f"{GOOD}\n\nimport flask\n")
    reason = "too much memory, or its parser crashed"
    gate = await shop.call("quality_gate", file_path="prices.py", new_code=True)
    assert gate["degraded"]
    assert reason in gate["partial_results"]["new_code"]
    config = await shop.call("validate_config", file_path="Dockerfile")
    assert config["degraded"]
    assert [gap["reason"] for gap in config["missing"] if reason in gap["reason"]]
    checklist = await shop.call("checklist")
    assert checklist["degraded"]
    assert reason in checklist["partial_results"]["unknown"]
    profile = await shop.call("project_profile")
    assert (profile["slug"], reason in profile["message"]) == ("timeout", True)
