"""Files of lookup rows: read as a whole, or refused with the line."""

from __future__ import annotations

from pathlib import Path

import pytest

from quartermaster.core.errors import QmError
from quartermaster.lookup.table_file import read_rows


def written(folder: Path, content: bytes, name: str = "rows.csv") -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"id,value\n1,a\n1,b\n", 3),
        (b"id,value\n1,a\n2,\xff\n", 3),
        (b"id,value\n1,a\n2\n", 3),
        (b'id,value\n1,"a\nb"\n2, \n', 4),
        (b"id,value,active\n1,a,perhaps\n", 2),
        (b"id,value,aliases\n1,a,[1\n", 2),
        (b"", 1),
    ],
    ids=["id twice", "not UTF-8", "short", "no value", "active", "aliases", "empty"],
)
def test_a_bad_file_is_refused_with_its_line(tmp_path: Path, content: bytes, line: int):
    with pytest.raises(QmError, match=f"line {line}:") as caught:
        read_rows(written(tmp_path, content))
    assert caught.value.slug == "lookup_file_invalid"


def test_a_line_that_is_no_json_is_refused(tmp_path: Path):
    content = b'{"id": 1, "value": "a"}\n{"id"\n'
    with pytest.raises(QmError, match="line 2: the line is not JSON"):
        read_rows(written(tmp_path, content, "rows.jsonl"))


def test_other_columns_are_properties_and_blanks_stay(tmp_path: Path):
    content = 'id,value,aliases,active,family,props\n7, Björk ,birch|,false,X,"{""year"": 1}"\n'
    [row] = read_rows(written(tmp_path, content.encode()))
    assert row == {
        "line": 2,
        "id": "7",
        "value": " Björk ",
        "active": False,
        "aliases": ["birch"],
        "provenance": {},
        "properties": {"family": "X", "year": 1},
    }


def test_the_same_id_may_be_in_two_tables(tmp_path: Path):
    content = b"table,id,value\na,1,x\nb,1,y\n"
    assert [row["table"] for row in read_rows(written(tmp_path, content))] == ["a", "b"]
