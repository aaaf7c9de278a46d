"""``qm lookup``: loading, tables in place, thresholds."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
import typer

from quartermaster.core.errors import QmError
from quartermaster_lookup.cli import (
    create_command,
    load_command,
    refresh_command,
    report_command,
    search_command,
    sources_command,
    tune_command,
)
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
        retained = connection.execute(
            "select key, active from lookup.lookup_row order by 1"
        ).fetchall()
    assert retained == [("1", True), ("2", False)]


PLACES = "table,id,value\nplant,1,Betula\nplace,1,Umeå\nplace,2,Kalix\n"


def _retained(database: Database) -> list[tuple[str, str]]:
    statement = """
        select t.name, r.key from lookup.lookup_table as t
        left join lookup.lookup_row as r on r.table_id = t.id order by 1, 2
    """
    with database.connect() as connection:
        return [(str(name), str(key)) for name, key in connection.execute(statement).fetchall()]


def test_one_command_loads_all_tables_of_a_file_or_none(
    database: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    wrong = PLACES + "extend,1,No table may have this name\n"
    with pytest.raises(QmError, match="is an endpoint"):
        load_command(str(_file(tmp_path, wrong.encode())), dsn=database.dsn)
    assert _retained(database) == []
    load_command(str(_file(tmp_path, PLACES.encode())), dry_run=True, dsn=database.dsn)
    assert "place: 2 added" in capsys.readouterr().out
    assert _retained(database) == []
    load_command(str(_file(tmp_path, PLACES.encode())), json=True, dsn=database.dsn)
    assert [row["added"] for row in json.loads(capsys.readouterr().out)] == [1, 2]
    assert _retained(database) == [("place", "1"), ("place", "2"), ("plant", "1")]
    with pytest.raises(QmError, match="does not say which table") as refused:
        load_command(str(_file(tmp_path, ROWS.encode())), dsn=database.dsn)
    assert "qm lookup load TABLE" in str(refused.value.hint)
    mixed = PLACES.replace("place,2", ",2")
    with pytest.raises(QmError, match="line 4: the row names no table, but others do"):
        load_command(str(_file(tmp_path, mixed.encode())), dsn=database.dsn)
    with pytest.raises(QmError, match="no rows for the table moss; it has rows for: plant, place"):
        load_command("moss", _file(tmp_path, PLACES.encode()), dsn=database.dsn)


def test_a_load_that_fails_leaves_no_table(database: Database, tmp_path: Path):
    with pytest.raises(QmError, match="the id"):
        load_command(
            "plant", query="select 1 as id, 'a' as value union all select 1, 'b'", dsn=database.dsn
        )
    assert _retained(database) == []


def test_many_rows_are_removed_only_if_someone_says_so(
    database: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    load_command("plant", _file(tmp_path, ROWS.encode()), dsn=database.dsn)
    fewer = _file(tmp_path, b"id,value\n1,Betula pendula\n")
    with pytest.raises(QmError, match="1 of the 2 rows of plant") as refused:
        load_command("plant", fewer, dsn=database.dsn)
    assert "--keep" in str(refused.value.hint)
    assert "--yes" in str(refused.value.hint)
    assert _retained(database) == [("plant", "1"), ("plant", "2")]
    capsys.readouterr()
    load_command("plant", fewer, dry_run=True, dsn=database.dsn)
    assert "1 removed (preview" in capsys.readouterr().out
    load_command("plant", fewer, keep=True, dsn=database.dsn)
    assert len(_retained(database)) == 2
    load_command("plant", fewer, yes=True, dsn=database.dsn)
    assert _retained(database) == [("plant", "1")]


class Terminal(io.StringIO):
    """Somebody who answers."""

    def isatty(self) -> bool:
        return True


def test_the_question_names_every_table_whose_rows_would_go(
    database: Database,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
):
    load_command(str(_file(tmp_path, (PLACES + "moss,1,Sphagnum\n").encode())), dsn=database.dsn)
    other = "table,id,value\nplant,9,Salix\nplace,9,Luleå\nmoss,1,Sphagnum\n"
    fewer = str(_file(tmp_path, other.encode()))
    before = _retained(database)
    load_command(fewer, dry_run=True, dsn=database.dsn)
    assert "loading asks for confirmation" in capsys.readouterr().err
    monkeypatch.setattr("sys.stdin", Terminal("n\n"))
    with pytest.raises(typer.Abort):
        load_command(fewer, dsn=database.dsn)
    report = capsys.readouterr().err
    assert "place: 2 of 2 rows would be removed.\n" in report
    assert "plant: 1 of 1 rows would be removed.\n" in report
    assert "moss" not in report
    assert _retained(database) == before
    monkeypatch.setattr("sys.stdin", Terminal("y\n"))
    load_command(fewer, dsn=database.dsn)
    assert _retained(database) == [("moss", "1"), ("place", "9"), ("plant", "9")]


def test_whatever_is_wrong_with_a_file_nothing_changes(database: Database, tmp_path: Path):
    rows = "".join(f"{number},Betula {number}\n" for number in range(30))
    load_command("plant", _file(tmp_path, f"id,value\n{rows}".encode()), dsn=database.dsn)
    changed = rows.replace("Betula", "Salix")
    outcomes: set[bool] = set()
    for place in (0, 11, 40, len(changed) - 2):
        for what in ('"', '"\n', ",", "\n", "\0", "\n3,x\n", '\n31,"x', ";;\n"):
            content = f"id,value\n{changed[:place]}{what}{changed[place:]}"
            before = _retained(database)
            try:
                load_command("plant", _file(tmp_path, content.encode()), dsn=database.dsn)
            except QmError:
                assert _retained(database) == before
                outcomes.add(False)
            else:
                assert len(_retained(database)) >= 30
                outcomes.add(True)
    assert outcomes == {False, True}


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
    with pytest.raises(QmError, match="has no gold pairs for the table 'place'"):
        tune_command("place", gold, dsn=database.dsn)
    capsys.readouterr()
    tune_command("plant", gold, dry_run=True, json=True, dsn=database.dsn)
    report = json.loads(capsys.readouterr().out)
    assert (report["before"]["threshold"], report["after"]["precision"]) == (pytest.approx(0.6), 1)
    tune_command("plant", gold, dsn=database.dsn)
    with database.connect() as connection:
        found = connection.execute("select threshold, at_precision from lookup.lookup_table")
        assert found.fetchone() == pytest.approx((report["after"]["threshold"], 0.98))


_FIRST = ("Betula", "Salix", "Quercus", "Fraxinus", "Carex", "Juncus")
_SECOND = ("pendula", "nana", "repens", "robur", "acuta", "alpina")


@pytest.mark.parametrize(("matched", "drifts"), [(10, True), (78, False)])
def test_a_report_names_the_tables_whose_match_rate_drifts(
    database: Database,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    matched: int,
    drifts: bool,
):
    load_command("plant", _file(tmp_path, ROWS.encode()), dsn=database.dsn)
    with database.connect() as connection:
        for days, right in ((20, 80), (1, matched)):
            connection.execute(
                """
                insert into selection.receipt (
                    created_at, kind, origin, goal_hash, mode, offered, duration_ms, stages, detail
                )
                select
                    now() - make_interval(days => %(days)s), 'lookup', 'plant', '\\x00', 'lookup',
                    '[]', 1, '{"cached": false}', jsonb_build_object('match', n <= %(right)s)
                from generate_series(1, 100) as n
                """,
                {"days": days, "right": right},
            )
    capsys.readouterr()
    report_command(dsn=database.dsn, json=True)
    [row] = json.loads(capsys.readouterr().out)
    assert (row["queries"], row["queries_before"], row["drifts"]) == (100, 100, drifts)
    assert row["matched"] == pytest.approx(matched / 100)
