"""``qm lookup``: loading, tables in place, thresholds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quartermaster.cli.lookup import (
    create_command,
    load_command,
    refresh_command,
    search_command,
    sources_command,
    tune_command,
)
from quartermaster.core.errors import QmError
from tests.support.database import Database, run_script

ROWS = "id,value,aliases,active\n1,Betula pendula,silver birch,true\n2,Betula nana,,false\n"


def _file(folder: Path, content: bytes) -> Path:
    path = folder / "plant.csv"
    path.write_bytes(content)
    return path


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (ROWS + "3,Salix,,true\n1,Alnus,,true\n", 5),
        (ROWS.encode() + b"3,Sal\xffix,,true\n", 4),
        (ROWS + "3,Salix,,perhaps\n", 4),
        ("number,name\n1,Salix\n", 1),
    ],
    ids=["an id twice", "a broken byte", "neither active nor not", "a header without id"],
)
def test_a_broken_file_is_told_by_its_line_and_loads_nothing(
    database: Database, tmp_path: Path, content: str | bytes, line: int
):
    load_command("plant", _file(tmp_path, ROWS.encode()), dsn=database.dsn)
    broken = content.encode() if isinstance(content, str) else content
    with pytest.raises(QmError, match=f"line {line}: .*; nothing was loaded"):
        load_command("plant", _file(tmp_path, broken), dsn=database.dsn)
    with database.connect() as connection:
        kept = connection.execute("select key, active from lookup.lookup_row order by 1").fetchall()
    assert kept == [("1", True), ("2", False)]


def test_a_table_in_place_is_read_again_when_it_has_changed(
    database: Database, capsys: pytest.CaptureFixture[str]
):
    with database.connect() as connection:
        connection.execute("create table public.plant (no integer primary key, name text)")
        connection.execute("insert into public.plant values (1, 'Betula pendula')")
        with pytest.raises(QmError, match=r"may not read the table public\.plant") as refused:
            create_command(
                "plant", over="public.plant", id_column="no", value_column="name", dsn=database.dsn
            )
        assert refused.value.hint is not None
        run_script(
            connection, refused.value.hint.removeprefix("The owner of the table can allow it: ")
        )
        create_command(
            "plant",
            over="public.plant",
            id_column="no",
            value_column="name",
            every="1 day",
            dsn=database.dsn,
        )
        connection.execute("insert into public.plant values (2, 'Salix repens')")
        refresh_command("plant", dsn=database.dsn)
    assert "plant: 1 added, 0 changed, 1 unchanged, 0 removed" in capsys.readouterr().out
    search_command("plant", "Salix repens", json=True, dsn=database.dsn)
    assert json.loads(capsys.readouterr().out)[0]["id"] == "2"
    sources_command(dsn=database.dsn)
    [_, line] = capsys.readouterr().out.splitlines()
    assert line.split()[:5] == ["plant", "public.plant", "every", "1", "day,"]


def test_a_threshold_is_learned_and_told(
    database: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    names = [f"{first} {second}" for first in _FIRST for second in _SECOND]
    rows = "id,value\n" + "".join(f"{name},{name}\n" for name in names)
    load_command("plant", _file(tmp_path, rows.encode()), dsn=database.dsn)
    gold = tmp_path / "gold.csv"
    pairs = "".join(f"plant,{name},{name}\n" for name in names)
    gold.write_text("table,query,expected_ids\n" + pairs + "plant,Xyzzy quux,\n")
    with pytest.raises(QmError, match="has no pairs for the table 'place'"):
        tune_command("place", gold, dsn=database.dsn)
    capsys.readouterr()
    tune_command("plant", gold, dry_run=True, json=True, dsn=database.dsn)
    told = json.loads(capsys.readouterr().out)
    assert (told["before"]["threshold"], told["after"]["precision"]) == (pytest.approx(0.6), 1)
    tune_command("plant", gold, dsn=database.dsn)
    with database.connect() as connection:
        found = connection.execute("select threshold, at_precision from lookup.lookup_table")
        assert found.fetchone() == pytest.approx((told["after"]["threshold"], 0.98))


_FIRST = ("Betula", "Salix", "Quercus", "Fraxinus", "Carex", "Juncus")
_SECOND = ("pendula", "nana", "repens", "robur", "acuta", "alpina")
