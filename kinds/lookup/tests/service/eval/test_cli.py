"""``qm eval lookup`` and ``fit-lookup`` on a handful of names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from quartermaster_lookup.eval.cli import fit_lookup_command, lookup_command
from tests.support.database import Database

FIRST = ("Betula", "Salix", "Quercus", "Fraxinus", "Carex", "Juncus")
SECOND = ("pendula", "nana", "repens", "robur", "acuta", "alpina")
NAMES = [f"{first} {second}" for first in FIRST for second in SECOND]


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """36 rows, each asked for with a letter missing, and one name that is none of them."""
    rows, gold = tmp_path / "plant.csv", tmp_path / "gold.csv"
    rows.write_text("id,value\n" + "".join(f"{n},{name}\n" for n, name in enumerate(NAMES)))
    pairs = "".join(f"plant,{name[:-2]}{name[-1]},{n}\n" for n, name in enumerate(NAMES))
    gold.write_text(f"table,query,expected_ids\n{pairs}plant,Xyzzy quux,\n")
    return rows, gold


def _printed(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    return json.loads(capsys.readouterr().out)


def test_an_evaluation_prints_quality_and_speed_and_every_channel(
    files: tuple[Path, Path],
    tmp_path: Path,
    database: Database,
    capsys: pytest.CaptureFixture[str],
):
    lookup_command(*files, single=True, speed=True, json=True, data_dir=tmp_path, dsn=database.dsn)
    found = _printed(capsys)
    assert found["tiers"]["core"]["R@1"] >= 0.9
    assert found["tiers"]["core"]["n"] == len(NAMES)
    assert found["queries_per_second"] > 1
    assert {"p50", "p95"} <= set(found["latency_ms"])
    channels = [row[0] for row in found["ablation"]["channels"]]
    assert channels[0] == "trigram"
    assert channels[-1] == "learned score"


def test_what_is_learned_finds_names_it_has_not_seen(
    files: tuple[Path, Path], tmp_path: Path, database: Database, capsys: pytest.CaptureFixture[str]
):
    written = tmp_path / "weights.json"
    fit_lookup_command(*files, output=written, json=True, data_dir=tmp_path, dsn=database.dsn)
    found = _printed(capsys)
    assert json.loads(written.read_text()) == found["weights"]
    assert found["held_out"]["tiers"]["core"]["R@1"] >= 0.9


def test_each_larger_table_is_measured_with_what_the_others_teach(
    tmp_path: Path, database: Database, capsys: pytest.CaptureFixture[str]
):
    rows, gold = tmp_path / "rows.csv", tmp_path / "gold.csv"
    tables = {"tree": NAMES, "herb": [name[::-1] for name in NAMES], "few": NAMES[:3]}
    rows.write_text(
        "table,id,value\n"
        + "".join(
            f"{t},{n},{name}\n" for t, names in tables.items() for n, name in enumerate(names)
        )
    )
    gold.write_text(
        "table,query,expected_ids\n"
        + "".join(
            f"{table},{name[:cut]}{name[cut + 1 :]},{number}\n"
            for table, names in tables.items()
            for number, name in enumerate(names)
            for cut in (2, 4, 6)
        )
    )
    lookup_command(
        rows, gold, hard=True, by_table=True, json=True, data_dir=tmp_path, dsn=database.dsn
    )
    found = _printed(capsys)
    left_out = found["tables"]
    assert [(row["table left out"], row["n"]) for row in left_out] == [("herb", 108), ("tree", 108)]
    assert all(float(row["R@5"]) >= 0.9 for row in left_out)
    assert found["hard"]["truncations"]["coverage"] > 0.5
    assert max(row["largest_sum"] for row in found["hard"].values()) <= 1
