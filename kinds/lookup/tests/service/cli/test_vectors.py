"""``qm lookup vectors``: on, off, and as gold pairs decide."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from quartermaster.core.errors import QmError
from quartermaster.models.graph import build_encoder
from quartermaster_lookup.cli import vectors_command
from tests.support.database import Database
from tests.support.model import TINY, tiny_tokenizer, tiny_weights


@pytest.fixture
def plants(database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Database:
    """Two lookup tables, and settings that name a model made in a moment."""
    folder = tmp_path / "tiny"
    folder.mkdir()
    (folder / "model.onnx").write_bytes(build_encoder(tiny_weights(), TINY).SerializeToString())
    tiny_tokenizer().save(str(folder / "tokenizer.json"))
    monkeypatch.setenv("QM_EMBEDDING__MODEL", str(folder))
    with database.connect() as connection:
        connection.execute("select t.make_lookups()")
    return database


def _report(
    capsys: pytest.CaptureFixture[str], plants: Database, folder: Path, **given: Any
) -> dict[str, Any]:
    vectors_command("plant", **given, json=True, data_dir=folder, dsn=plants.dsn)
    return json.loads(capsys.readouterr().out)


def test_gold_and_a_switch_together_are_refused(plants: Database, tmp_path: Path):
    with pytest.raises(QmError) as refused:
        vectors_command("plant", "on", gold=tmp_path / "gold.csv", dsn=plants.dsn)
    assert refused.value.slug == "argument_invalid"


def test_names_are_embedded_at_once_and_given_up_again(
    plants: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    on = _report(capsys, plants, tmp_path, switch="on", dry_run=True)
    assert (on["has_vectors"], on["missing"], on["dry_run"]) == (False, 7, True)
    assert _report(capsys, plants, tmp_path)["has_vectors"] is False, "that was a preview"
    on = _report(capsys, plants, tmp_path, switch="on")
    assert (on["has_vectors"], on["missing"]) == (True, 0)
    vectors_command("plant", data_dir=tmp_path, dsn=plants.dsn)
    assert (
        "on, with vectors for 7 names; the vectors only add candidates" in capsys.readouterr().out
    )
    vectors_command("plant", "off", dry_run=True, data_dir=tmp_path, dsn=plants.dsn)
    assert "would delete 7 vectors" in capsys.readouterr().out
    off = _report(capsys, plants, tmp_path, switch="off")
    assert (off["has_vectors"], off["missing"]) == (False, 7)


def test_gold_pairs_decide(plants: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    gold = tmp_path / "gold.csv"
    gold.write_text("table,query,expected_ids\nplant,Betula nan,2\nplant,Betula pendul,1\n")
    report = _report(capsys, plants, tmp_path, gold=gold)
    assert report["trial"]["without"] == [1, 1]
    assert (report["trial"]["pays"], report["has_vectors"]) == (False, False)
    vectors_command("plant", gold=gold, data_dir=tmp_path, dsn=plants.dsn)
    shown = capsys.readouterr().out
    assert "vectors only" in shown
    assert "does not help to find the right rows of this table" in shown
    with pytest.raises(QmError) as refused:
        vectors_command("place", gold=gold, data_dir=tmp_path, dsn=plants.dsn)
    assert refused.value.slug == "gold_not_found"
