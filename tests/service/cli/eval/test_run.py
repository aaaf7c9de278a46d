"""``qm eval``: real runs on a real server, kept, listed, compared; bad input changes nothing."""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from quartermaster.settings.settings import load
from tests.support.database import Database
from tests.support.forks import forked_qm
from tests.support.instance import QM, environment_of_commands
from tests.support.place import temporary
from tests.support.waiting import wait_until

SUBJECTS = ("weather", "invoice", "ticket", "picture", "calendar", "recipe", "flight", "song")
VERBS = ("create", "find", "delete", "share")
TIMEOUT_S = 300
SEARCH_STAGES = {"search.pool", "search.value", "search.choose", "search.report"}
METRICS = {
    "Recall@1",
    "Recall@5",
    "Recall@10",
    "nDCG@10",
    "MRR",
    "completeness@10",
    "pool_recall@100",
    "exposure_waste",
    "shown_recall",
    "tokens_exposed",
    "shown",
    "no_fit_wrong",
    "confident",
    "ece",
    "brier_skill",
}


def qm(folder: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    places = {"QM_DATA_DIR": str(folder / "data"), "TMPDIR": str(temporary())}
    environment = environment_of_commands() | places
    return subprocess.run(
        [*forked_qm(), *map(str, arguments)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
    )


def qm_json(folder: Path, *arguments: str | Path) -> Any:
    done = qm(folder, *arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def write_lines(path: Path, lines: Sequence[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """Four tools for each of eight subjects."""
    lines = [
        {
            "id": f"{verb}-{subject}",
            "origin": subject,
            "name": f"{verb}_{subject}",
            "description": f"{verb.title()} a {subject}.",
        }
        for subject in SUBJECTS
        for verb in VERBS
    ]
    return write_lines(tmp_path / "tools.jsonl", lines)


@pytest.fixture
def queries(tmp_path: Path) -> Path:
    """A goal for each tool to create something."""
    lines = [
        {"id": s, "query": f"please create a {s}", "gold": [f"create-{s}"], "split": "dev"}
        for s in SUBJECTS
    ]
    return write_lines(tmp_path / "queries.jsonl", lines)


def databases(database: Database) -> set[object]:
    with database.connect() as connection:
        rows = connection.execute("select datname from pg_database where datname like 'qm_eval%'")
        return {name for (name,) in rows.fetchall()}


def test_without_server_and_settings_it_prints_json_alone(
    tools: Path, queries: Path, tmp_path: Path
):
    found = qm_json(tmp_path, "eval", "run", tools, queries)
    assert found["n"] == len(SUBJECTS)
    assert found["metrics"]["Recall@5"] == 1
    assert found["metrics"].keys() - {"confident_right"} == METRICS
    assert found["metrics"]["pool_recall@100"] == 1
    assert found["metrics"]["tokens_exposed"] > 0
    assert found["latency_ms"]["p50"] <= found["latency_ms"]["p95"]
    assert found["stages"].keys() == {"embed", "search", *SEARCH_STAGES}
    assert found["stages"]["search.pool"]["p50"] < found["stages"]["search"]["p50"]
    assert found["kept"] is None


def test_runs_are_kept_listed_and_compared(
    database: Database, tools: Path, queries: Path, tmp_path: Path
):
    place = ("--dsn", database.dsn)
    first = qm_json(tmp_path, "eval", "run", tools, queries, "--name", "whole", *place)
    second = qm_json(tmp_path, "eval", "run", tools, queries, "--mode", "fast", "--ablate", *place)
    assert second["ablation"].keys() >= {"without lexical", "dense only", "plain fusion"}
    measured = second["metrics"].keys() - {"confident_right"}
    assert second["ablation"]["fuzzy only"]["metrics"].keys() - {"confident_right"} == measured
    assert second["ablation_left_out"].keys() == {"without rerank", "without utility"}

    rows = qm_json(tmp_path, "eval", "list", *place)
    assert [(row["id"], row["label"], row["mode"]) for row in rows] == [
        (second["kept"], tmp_path.name, "fast"),
        (first["kept"], "whole", "balanced"),
    ]
    assert len({row["catalog_hash"] for row in rows}) == 1
    compared = qm_json(tmp_path, "eval", "compare", str(first["kept"]), str(second["kept"]), *place)
    by_metric = {row["metric"]: row for row in compared}
    assert by_metric["Recall@5"]["queries"] == len(SUBJECTS)
    assert by_metric["Recall@5"]["low"] <= 0 <= by_metric["Recall@5"]["high"]
    assert databases(database) == set()

    shown = qm(tmp_path, "eval", "compare", str(first["kept"]), "999", *place)
    assert shown.returncode == 1
    assert "there is no evaluation with the id 999" in shown.stderr


@pytest.fixture
def desks(tools: Path, queries: Path, tmp_path: Path) -> list[Path]:
    """Two folders over parts of the tools: the second also has goals that nothing there serves."""
    folders: list[Path] = []
    for number, chosen in enumerate((SUBJECTS[:3], SUBJECTS[3:]), start=1):
        folder = tmp_path / f"desk{number}"
        folder.mkdir()
        for file in (tools, queries):
            lines = [json.loads(line) for line in file.read_text().splitlines()]
            own = [line for line in lines if line["id"].split("-")[-1] in chosen]
            write_lines(folder / file.name, own)
        folders.append(folder)
    unserved: list[dict[str, Any]] = [
        {"id": "n1", "query": "please create a weather", "gold": [], "partly": []},
        {"id": "n2", "query": "a partner", "gold": [], "partly": ["find-song"]},
        {"id": "n3", "query": "find a song", "gold": ["find-song"], "partly": []},
    ]
    write_lines(folders[1] / "nofit.jsonl", unserved)
    return folders


def test_several_sets_are_catalogs_of_their_own_and_are_measured_together(
    database: Database, desks: list[Path], tmp_path: Path
):
    goals = tmp_path / "goals.jsonl"
    options = ("--mode", "fast", "--goals", goals, "--dsn", database.dsn)
    found = qm_json(tmp_path, "eval", "run", *desks, *options)
    assert {name: (one["n"], one["tools"]) for name, one in found["sets"].items()} == {
        "desk1": (3, 12),
        "desk2": (6, 20),
    }
    assert (found["n"], found["tools"]) == (9, 32)
    assert found["metrics"]["Recall@5"] == 1
    first, second = (one["metrics"] for one in found["sets"].values())
    assert "no_fit_said" not in first
    assert second["no_fit_said"] == found["metrics"]["no_fit_said"]
    lines = [json.loads(line) for line in goals.read_text().splitlines()]
    assert [(line["set"], line["id"]) for line in lines] == [
        *(("desk1", f"desk1:{subject}") for subject in SUBJECTS[:3]),
        *(("desk2", f"desk2:{subject}") for subject in SUBJECTS[3:]),
        ("desk2", "desk2:n1"),
    ]
    for line in lines:
        own = SUBJECTS[:3] if line["set"] == "desk1" else SUBJECTS[3:]
        assert line["shown"]
        assert all(tool["id"].split("-")[-1] in own for tool in line["shown"])

    again = qm(tmp_path, "eval", "run", *desks, "--mode", "fast", "--dsn", database.dsn)
    rows = [line.split()[:3] for line in again.stdout.splitlines()]
    for row in (["desk1", "3", "12"], ["desk2", "6", "20"], ["all", "9", "32"]):
        assert row in rows
    compared = qm_json(tmp_path, "eval", "compare", "1", "2", "--dsn", database.dsn)
    assert {row["metric"]: row["queries"] for row in compared}["shown"] == 9


def test_an_interrupted_run_leaves_no_database(
    database: Database, tools: Path, queries: Path, tmp_path: Path
):
    environment = environment_of_commands() | {"QM_DATA_DIR": str(tmp_path / "data")}
    command = [str(QM), "eval", "run", str(tools), str(queries), "--dsn", database.dsn]
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert wait_until(lambda: databases(database) != set(), 120)
        process.send_signal(signal.SIGTERM)
        report = process.communicate(timeout=120)
    assert process.returncode == 130, report
    assert databases(database) == set()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--mode", "slow"), "unknown mode 'slow'"),
        (("--split", "test"), "no goal belongs to the split 'test'"),
    ],
)
def test_a_bad_option_is_refused_before_anything_starts(
    tools: Path, queries: Path, tmp_path: Path, arguments: tuple[str, ...], complaint: str
):
    done = qm(tmp_path, "eval", "run", tools, queries, *arguments, "--json")
    assert (done.returncode, done.stdout) == (1, "")
    assert complaint in done.stderr
    assert not (tmp_path / "data").exists()


def test_an_answer_that_does_not_exist_is_named_with_its_line(tools: Path, tmp_path: Path):
    bad = write_lines(tmp_path / "bad.jsonl", [{"query": "fly", "gold": ["fly-away"]}])
    done = qm(tmp_path, "eval", "run", tools, bad)
    assert done.returncode == 1
    assert "bad.jsonl:1: the tool 'fly-away' is not in" in done.stderr


def test_tuned_modes_are_settings_and_no_worse(
    database: Database, tools: Path, queries: Path, tmp_path: Path
):
    output = tmp_path / "tuned.yaml"
    options = ("--mode", "fast", "--trials", "3", "--output", output, "--dsn", database.dsn)
    found = qm_json(tmp_path, "eval", "tune", tools, queries, *options)
    [tuned] = found["modes"]
    assert tuned["mode"] == "fast"
    assert tuned["best"]["objective"] >= tuned["first"]["objective"]
    assert tuned["floors"].keys() == tuned["best"]["quality"].keys()
    fast = load(tmp_path, output).modes.fast
    assert fast.lexical == tuned["best"]["settings"]["lexical"]


def test_modes_are_never_tuned_on_a_test_split(tools: Path, queries: Path, tmp_path: Path):
    done = qm(tmp_path, "eval", "tune", tools, queries, "--split", "test")
    assert done.returncode == 1
    assert "the queries of the split 'test' are reserved for measuring" in done.stderr
    unstated = write_lines(tmp_path / "u.jsonl", [{"query": "x", "gold": ["create-song"]}])
    done = qm(tmp_path, "eval", "tune", tools, unstated)
    assert done.returncode == 1
    assert "no goal belongs to the split 'dev'" in done.stderr


def test_a_fitted_score_is_written_and_applied(
    database: Database, tools: Path, queries: Path, tmp_path: Path
):
    output, large = tmp_path / "scoring.json", tmp_path / "large"
    large.mkdir()
    for file, name in ((tools, "tools.jsonl"), (queries, "queries.jsonl")):
        (large / name).write_bytes(file.read_bytes())
    options = ("--mode", "fast", "--output", output, "--apply", "--dsn", database.dsn)
    found = qm_json(tmp_path, "eval", "fit", tools, queries, "--large", large, *options)
    assert json.loads(output.read_text()) == found
    with database.connect() as connection:
        for part, learned in (("score", found["weights"]), ("large", found["large"])):
            retained = connection.execute(
                "select feature, weight from search.coefficient where profile = %s and part = %s",
                (found["model"], part),
            ).fetchall()
            assert dict(retained) == pytest.approx(learned, rel=1e-5)
