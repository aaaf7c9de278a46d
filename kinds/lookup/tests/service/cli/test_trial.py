"""``qm lookup gold``, ``qm lookup shadow``, ``qm stats lookups``: for people and programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quartermaster.cli.job import run_command
from quartermaster.core.errors import QmError
from quartermaster_lookup.cli.statistics import lookups_command
from quartermaster_lookup.cli.trial import load_command, shadow_command
from tests.support.database import Database

GOLD = """table,query,expected_ids,props
plant,Betula nana,2,
plant,B. pendula,3,"{""family"": ""Poaceae""}"
plant,Zzyzx road,,
place,Umea,1,
"""


@pytest.fixture
def plants(database: Database) -> Database:
    with database.connect() as connection:
        connection.execute("select t.make_lookups()")
    return database


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    path = tmp_path / "gold.csv"
    path.write_text(GOLD, encoding="utf-8")
    return path


def test_gold_of_another_table_is_refused(plants: Database, gold: Path):
    with pytest.raises(QmError) as refused:
        load_command("shrub", gold, dsn=plants.dsn)
    assert refused.value.slug == "gold_not_found"


def test_gold_pairs_are_loaded_asked_and_shown(
    plants: Database, gold: Path, capsys: pytest.CaptureFixture[str]
):
    load_command("plant", gold, dry_run=True, json=True, dsn=plants.dsn)
    assert json.loads(capsys.readouterr().out) == {
        "pairs_kept": 3, "ids_unknown": 0, "dry_run": True,
    }  # fmt: skip
    load_command("plant", gold, dsn=plants.dsn)
    assert "3 pairs; ids that no row has: 0" in capsys.readouterr().out
    run_command("evaluate_lookups", dsn=plants.dsn)
    assert "pairs 3, tables 1" in capsys.readouterr().out

    lookups_command(dsn=plants.dsn)
    line = capsys.readouterr().out.splitlines()[-1].split()
    assert (line[0], line[3:]) == ("plant", ["3", *["1.000"] * 5])
    lookups_command(json=True, dsn=plants.dsn)
    report = json.loads(capsys.readouterr().out)
    assert report["queries"] == []
    assert report["evaluations"][0]["recall_5"] == 1


def test_a_shadow_is_set_compared_and_taken_away(
    plants: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    weights = tmp_path / "weights.json"
    weights.write_text('{"score": {"cosine": 9}}', encoding="utf-8")
    shadow_command("plant", 0.1, weights, dsn=plants.dsn)
    report = capsys.readouterr().out
    assert report.startswith("For 10% of the queries to plant")
    assert "1 weight of its own" in report
    with plants.connect() as connection:
        connection.execute(
            'select t.make_requests(\'quartermaster\', \'{"shadow": {"profile": "shadow:plant",'
            ' "key": "2", "score": 1, "match": true, "ms": 5}}\')'
        )
    lookups_command(shadow=True, dsn=plants.dsn)
    line = capsys.readouterr().out.splitlines()[-1].split()
    assert " ".join(line) == "plant 1 0.0% 100.0% 0.0% 0.0% 100.0% to 100.0% 10.0 to 5.0"
    shadow_command("plant", 0, dsn=plants.dsn)
    assert "no shadow" in capsys.readouterr().out
    with pytest.raises(QmError) as refused:
        shadow_command("plant", 1, tmp_path / "none.json", dsn=plants.dsn)
    assert refused.value.slug == "weights_invalid"
