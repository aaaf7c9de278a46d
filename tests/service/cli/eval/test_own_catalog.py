"""From receipts to an evaluation of one's own catalog: what was learned is exported, and asked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from quartermaster.cli.eval.export import export_tools_command
from tests.service.cli.eval.test_run import SUBJECTS, VERBS, databases, qm, qm_json, write_lines
from tests.support.database import Database

CALLED = """
with asked as materialized (select s.* from api.select_tools(%(goal)s, 'fast') as s),
begun as materialized (
    select b.call_id
    from (select max(a.receipt) as receipt from asked as a) as s,
        service.call_begin(%(tool)s, 2, 'r', gen_random_uuid(), s.receipt) as b
)
select service.call_end(b.call_id, 'ok', 5::real) from begun as b
"""


@pytest.fixture
def learned(database: Database, tmp_path: Path) -> Database:
    """A catalog imported from a file, and a call with success after a selection for each tool."""
    tools = [
        {
            "origin": subject,
            "name": f"{verb}_{subject}",
            "description": f"{verb.title()} a {subject}.",
            "inputSchema": {"type": "object", "properties": {"what": {"type": "string"}}},
        }
        for subject in SUBJECTS
        for verb in VERBS
    ]
    file = write_lines(tmp_path / "given.jsonl", tools)
    with database.connect() as connection:
        for subject in SUBJECTS:
            connection.execute("select t.make_origin(%s)", (subject,))
        done = qm(tmp_path, "import", file, "--no-wait", "--dsn", database.dsn)
        assert done.returncode == 0, done.stderr
        for tool in tools:
            goal = f"please {tool['description'].lower()}"
            name = f"{tool['origin']}__{tool['name']}"
            with connection.transaction():
                connection.execute("select t.act_as('local', 'qm_admin')")
                connection.execute(CALLED, {"goal": goal, "tool": name})
        connection.execute("update core.setting set value = '\"0\"' where name = 'feedback.window'")
        connection.execute("select api.run_job('learn')")
    return database


def test_one_s_own_catalog_is_exported_measured_and_learned_from(learned: Database, tmp_path: Path):
    tools, tasks = tmp_path / "tools.jsonl", tmp_path / "tasks.yaml"
    place = ("--dsn", learned.dsn)
    for command, file in (("export-tools", tools), ("export-golden", tasks)):
        done = qm(tmp_path, "eval", command, "--to", file, *place)
        assert done.returncode == 0, done.stderr
        assert f"{len(SUBJECTS) * len(VERBS)} t" in done.stderr

    written = yaml.safe_load(tasks.read_text(encoding="utf-8"))
    splits = [task["split"] for task in written]
    assert set(splits) == {"train", "dev", "test"}
    found = qm_json(tmp_path, "eval", "run", tools, tasks, "--split", "dev", *place)
    assert found["n"] == splits.count("dev")
    assert found["tools"] == len(SUBJECTS) * len(VERBS)
    assert found["metrics"]["Recall@5"] > 0.5
    output = tmp_path / "weights.json"
    fitted = qm_json(
        tmp_path, "eval", "fit", tools, tasks, "--split", "train", "--output", output, *place
    )
    assert json.loads(output.read_text()) == fitted
    measured = ("eval", "run", tools, tasks, "--split", "test", *place)
    own = qm_json(tmp_path, *measured, "--weights", output)
    assert own["weights"] == str(output)
    assert own["n"] == splits.count("test")
    # Weights under which the longest text is the best put others first than those that ship.
    output.write_text(json.dumps(fitted | {"weights": {"length": 1.0}}))
    longest = qm_json(tmp_path, *measured, "--weights", output)
    assert longest["metrics"]["nDCG@10"] < own["metrics"]["nDCG@10"]
    output.write_text(json.dumps(fitted | {"model": "another"}))
    refused = qm(tmp_path, *measured, "--weights", output)
    assert refused.returncode == 1
    assert "the weights were learned with another" in refused.stderr
    assert databases(learned) == set()


def test_an_exported_catalog_is_the_imported_one(
    learned: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    export_tools_command(dsn=learned.dsn)
    again = tmp_path / "again.jsonl"
    again.write_text(capsys.readouterr().out, encoding="utf-8")
    done = qm(tmp_path, "import", again, "--no-wait", "--dsn", learned.dsn, "--json")
    assert json.loads(done.stdout)["tools"] == {"unchanged": len(SUBJECTS) * len(VERBS)}
