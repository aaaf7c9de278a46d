"""``qm quality`` for people and CI: what is printed, and with which status it exits."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from typer import Exit

from quartermaster.core.errors import QmError
from quartermaster_quality import cli
from tests.support.forks import forked_qm
from tests.support.instance import Instance

GOOD = '"""A part."""\n\nVALUE = 1\n'
BAD = '"""A part."""\n\nimport os\nimport sys\n\nos.system("ls " + sys.argv[1])\n'

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(instance: Instance, tmp_path: Path) -> Generator[Run]:
    """Runs ``qm quality`` in a project that has one commit."""
    root = tmp_path / "shop"
    (root / "src").mkdir(parents=True)
    (root / "src" / "good.py").write_text(GOOD)
    (root / "src" / "bad.py").write_text(GOOD)
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "First"]):
        subprocess.run(["git", *who, *command], cwd=root, check=True)
    assert instance.qm("project", "add", str(root)).returncode == 0

    def quality(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [*forked_qm(), "quality", *arguments]
        return subprocess.run(
            command, env=instance.environment, cwd=root, capture_output=True, text=True
        )

    yield quality
    assert instance.qm("project", "remove", "shop", "--yes").returncode == 0


def test_files_are_scored_scanned_and_judged(run: Run, tmp_path: Path):
    assert "No source file has changed." in run("gate", "--new-code").stdout
    (tmp_path / "shop" / "src" / "bad.py").write_text(BAD)
    # A folder stands for its files.
    scored = run("score", "src", "--quick")
    assert scored.returncode == 0, scored.stderr
    assert "src/bad.py: unknown" in scored.stdout
    assert "src/good.py: unknown" in scored.stdout
    scanned = run("scan", "src")
    assert scanned.returncode == 1
    assert "src/bad.py:6: critical taint-cmd" in scanned.stdout
    assert "2 files, 1 finding, 0 files not read completely." in scanned.stdout
    (tmp_path / "shop" / "a.js").write_text("eval(req.query.d);\n")
    unread = run("scan", "a.js")
    assert unread.returncode == 1
    assert "a.js: degraded: taint: No scanner reads JavaScript." in unread.stdout
    assert "1 file, 0 findings, 1 file not read completely." in unread.stdout
    unscored = run("score", "a.js").stdout
    assert "a.js: unknown" in unscored
    assert "taint: No scanner reads JavaScript." in unscored
    unread = run("gate", "a.js")
    assert unread.returncode == 0
    assert "a.js: not checked, because no scanner reads this language\n" in unread.stdout
    assert "  security: not checked. No scanner reads JavaScript." in unread.stdout
    missing = run("scan", "nothing.py")
    assert missing.returncode == 1
    assert "nothing.py: error: The file 'nothing.py' does not exist." in missing.stdout
    outside = run("scan", "/nonexist")
    assert outside.returncode == 1
    assert "/nonexist: error: The file '/nonexist' does not exist." in outside.stdout
    # What is ignored is no part of the project, and nothing is not clean.
    (tmp_path / "shop" / ".venv").mkdir()
    (tmp_path / "shop" / ".venv" / "bad.py").write_text(BAD)
    assert "2 files, 1 finding," in run("scan", ".").stdout
    (tmp_path / "shop" / ".venv" / "bad.py").unlink()
    (tmp_path / "shop" / "empty").mkdir()
    nothing = run("scan", "empty")
    assert (nothing.returncode, "There are no Python files" in nothing.stderr) == (1, True)
    # Only the changed file is judged, and what it lacks is told once.
    judged = run("gate", "--since", "HEAD", "--preset", "strict")
    assert judged.returncode == 1
    assert "src/bad.py: failed" in judged.stdout
    assert "src/good.py" not in judged.stdout
    assert judged.stdout.count("There is no coverage data.") == 1
    assert "line" not in judged.stderr
    # Words that tell checkers to be silent are told.
    (tmp_path / "shop" / "src" / "quiet.py").write_text(
        '"""A part."""\n\nassert VALUE  # noqa: S101\n'
    )
    summary = "`# noqa: S101` hides 1 finding of ruff"
    assert f"src/quiet.py:3: {summary}." in run("scan", "src/quiet.py").stdout
    [quiet] = json.loads(run("scan", "src/quiet.py", "--json").stdout)["files"]
    [word] = quiet["suppressions"]
    assert (word["line"], word["word"], word["hides"], word["counts"]) == (3, "# noqa: S101", 1, 0)
    assert f"  line 3: {summary}" in run("score", "src/quiet.py").stdout
    for form in ("json", "markdown", "html", "sarif"):
        report = run("report", "src/quiet.py", "--format", form).stdout
        assert "noqa: S101" in report, form
    # A program can read the report, although its lines are long.
    assert json.loads(run("report", "--format", "sarif").stdout)["version"] == "2.1.0"
    # The largest loss is shown, however many small ones there are.
    undocumented = "".join(f"def f{place}():\n    return {place}\n\n\n" for place in range(12))
    (tmp_path / "shop" / "src" / "bad.py").write_text(undocumented + BAD)
    lines = run("score", "src/bad.py").stdout.splitlines()
    assert "security line" in next(line for line in lines if line.startswith("  -"))
    assert lines[-1].endswith("more; --json prints all.")


@pytest.mark.parametrize("words", [("profile",), ("checklist",), ("report",)])
def test_an_answer_about_no_file_names_its_project(run: Run, words: tuple[str, ...]):
    summary = run(*words)
    assert "Project: local/shop." in summary.stderr
    assert "Project:" not in run(*words, "--project", "shop").stderr
    assert json.loads(run(*words, "--json").stdout)["project"] == "local/shop"


def test_what_is_missing_and_what_is_not_affected_is_told(run: Run, tmp_path: Path):
    (tmp_path / "shop" / "src" / "good.py").write_text(GOOD + "OTHER = 2\n")
    (tmp_path / "shop" / "src" / "broken.py").write_text("def f(:\n")
    assert run("score", "src/good.py", "--quick").returncode == 0
    missing = run("checklist").stdout
    assert "missing: qm quality gate was never used for src/good.py" in missing
    assert "  Run: qm quality gate src/good.py" in missing
    assert "tapps_" not in missing
    alone = run("impact", "src/good.py")
    assert alone.returncode == 0, alone.stderr
    assert "Nothing uses src/good.py." in alone.stdout
    assert "not complete: These files could not be parsed: src/broken.py." in alone.stdout


def test_the_decisions_about_a_changed_file_are_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
):
    nothing: dict[str, list[str]] = {
        name: [] for name in ("importers", "affected_tests", "broken", "companions")
    }
    decision = {"id": 7, "pattern": "Call `utcnow`."}
    row = {"file_path": "app.py", **nothing, "decisions": [decision]}

    def answer(*_given: object, **_more: object) -> object:
        return row

    monkeypatch.setattr(cli, "_call", answer)
    cli.impact_command("app.py", data_dir=tmp_path)
    assert capsys.readouterr().out.splitlines() == [
        "Nothing uses app.py.",
        "decision 7: Call `utcnow`.",
    ]


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (("gate", "src/good.py", "--preset", "hard"), 2, "'hard' is not one of"),
        (("gate",), 1, "use --new-code"),
        (("score", "src/good.py", "--fix"), 1, "Add --quick."),
        (("report", "--format", "pdf"), 2, "'pdf' is not one of"),
        (("config", "src/good.py"), 1, "use --config-type with dockerfile or docker-compose"),
        (("gate", "--since", "nothing"), 1, "no commit 'nothing'"),
    ],
)
def test_a_mistake_is_told_with_the_next_step(
    run: Run, arguments: tuple[str, ...], status: int, said: str
):
    done = run(*arguments)
    assert (done.returncode, said in done.stderr) == (status, True), done.stderr


def verdict(**given: object) -> dict[str, object]:
    """Returns what the gate answers about a good file, except for what is given."""
    row: dict[str, object] = {"file_path": "app.py", "passed": True, "score": 83.9}
    row |= {"failures": [], "warnings": [], "findings": [], "finding_count": 0}
    row["only_secrets"] = False
    return row | given


CALL = {
    "tool": "call_sites",
    "rule": "missing-attribute",
    "severity": "high",
    "line": 3,
    "message": "yaml has no safe_loads.",
    "remedy": "Use safe_load.",
}


@pytest.mark.parametrize(
    ("row", "printed"),
    [
        (verdict(), ["app.py: passed (83.9 of 100)"]),
        (verdict(passed=False, score=None), ["app.py: failed (its score is unknown)"]),
        (verdict(score=None), ["app.py: passed (its score is unknown)"]),
        (verdict(only_secrets=True), ["app.py: passed, but only secrets were looked for"]),
        (
            verdict(findings=[CALL], finding_count=1),
            [
                "app.py: passed (83.9 of 100)",
                "  line 3, high missing-attribute: yaml has no safe_loads.",
            ],
        ),
        (
            verdict(passed=False, failures=["overall: 1 < 70"], findings=[CALL], finding_count=3),
            [
                "app.py: failed (83.9 of 100)",
                "  overall: 1 < 70",
                "  line 3, high missing-attribute: yaml has no safe_loads.",
                "  and 2 more findings; `qm quality report app.py` lists all.",
            ],
        ),
        (
            verdict(finding_count=1),
            [
                "app.py: passed (83.9 of 100)",
                "  1 finding, none serious; `qm quality report app.py` lists all.",
            ],
        ),
    ],
)
def test_the_gate_tells_the_findings_that_matter(
    row: dict[str, object],
    printed: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
):
    def answer(*_given: object, **_more: object) -> object:
        return row

    monkeypatch.setattr(cli, "_call", answer)
    with contextlib.suppress(SystemExit, Exit):
        cli.gate_command(["app.py"], data_dir=tmp_path)
    assert capsys.readouterr().out.splitlines() == printed


def name_hidden(folder: Path) -> None:
    for name in (b"a\n.py", b"b\\.py", b"c\xff.py", b"d\x1b[2K.py", b"in\n/e.py"):
        path = folder / os.fsdecode(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(BAD)


def test_a_scan_tells_which_files_it_does_not_read_because_of_their_names(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
):
    name_hidden(tmp_path)
    with pytest.raises((SystemExit, Exit)) as ended:
        cli.scan_command([str(tmp_path)], data_dir=tmp_path)
    assert getattr(ended.value, "code", getattr(ended.value, "exit_code", None)) == 1
    lines = capsys.readouterr().out.splitlines()
    for name in (r"a\n.py", r"b\.py", r"c\udcff.py", r"d\x1b[2K.py"):
        assert any(line.startswith(f"{tmp_path}/{name}: error:") for line in lines), name
    # What lies in such a folder is scanned.
    assert any(line.startswith(rf"{tmp_path}/in\n/e.py:6: critical") for line in lines)
    assert lines[-1] == "5 files, 1 finding, 4 files not read completely."


def test_no_gate_is_passed_by_files_that_it_cannot_judge(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    for command in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "First"]):
        who = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
        subprocess.run(["git", *who, *command], cwd=tmp_path, check=True)
    name_hidden(tmp_path)
    monkeypatch.chdir(tmp_path)
    for named, since in (([str(tmp_path)], None), (None, "HEAD")):
        with pytest.raises(QmError) as refused:
            cli.gate_command(named, since=since, data_dir=tmp_path)
        assert refused.value.slug == "path_denied"
        assert "5 files or folders cannot be read." in refused.value.message
        assert r"'a\n.py': it contains a control character" in refused.value.message
        assert refused.value.message.isprintable()
