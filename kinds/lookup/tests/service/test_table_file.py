"""Files of lookup rows: read as a whole, or refused with the line."""

from __future__ import annotations

import csv
import io
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quartermaster.core.errors import QmError
from quartermaster_lookup.table_file import Row, read_rows


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
        (b'id,value\n1,"a\nb"\n2,4" pipe\n', 4),
    ],
    ids=["id twice", "not UTF-8", "short", "no value", "active", "aliases", "empty", "bare quote"],
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
    content = 'id,value,aliases,active,family,props\n7, Björk , birch | ,false,X,"{""year"": 1}"\n'
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


@pytest.mark.parametrize(
    ("content", "line", "what"),
    [
        (b'id,value\n1,a\n2,"b\n3,c\n4,d\n', 3, "a quote that opens in this row is never closed"),
        (b'id,value\n1,a\n2,"b\n3,"c"\n', 3, "a quote was not closed"),
        (b"id,value,id\n1,a,2\n", 1, "twice"),
        (b"id,value,key\n1,a,2\n", 1, "twice"),
        (b"id,value,\n1,a,2\n", 1, "column 3 of the header has no name"),
        (b"id;value\n1;a\n2\n", 3, "separated by semicolons"),
        (b"id value\n1 a\n", 1, "the columns are: id value"),
        (b"id,value\n1,a\x00b\n", 2, "NUL"),
        (b'id,value,props\n1,a,"{""x"": ""\\u0000""}"\n', 2, "NUL"),
        (b"id,value\n1," + b"a" * 10_001 + b"\n", 2, "10,001 characters"),
        (b"id,value,aliases\n1,a," + b"b" * 10_001 + b"\n", 2, "10,001 characters"),
        (b"id,value\n" + b"1" * 501 + b",a\n", 2, "501 characters"),
        (b'id,value\n"1\n2",a\n', 2, "line break"),
        (b"id,value\n", 1, "no rows"),
        (b"id,value\nT1,a\nT1 ,b\n", 3, "the id 'T1 ' begins or ends with a space"),
        (b"ID,Value\n1,a\n", 1, "id is missing (write its name in small letters)"),
    ],
    ids=str,
)
def test_what_is_no_strict_csv_is_told_with_its_line(
    tmp_path: Path, content: bytes, line: int, what: str
):
    with pytest.raises(QmError) as caught:
        read_rows(written(tmp_path, content))
    assert f"line {line}: " in str(caught.value)
    assert what in str(caught.value)


@pytest.mark.parametrize("value", ['"\\u0000"', '"\\ud800"', "NaN", "[" * 5_000 + "]" * 5_000])
def test_json_that_cannot_be_stored_is_told_with_its_line(tmp_path: Path, value: str):
    content = f'{{"id": 1, "value": "a"}}\n{{"id": 2, "value": "b", "props": {{"x": {value}}}}}\n'
    with pytest.raises(QmError, match="line 2: "):
        read_rows(written(tmp_path, content.encode(), "rows.jsonl"))


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_the_header_shows_the_separator(tmp_path: Path, separator: str):
    content = f"id{separator}value\n1{separator}a\n"
    [row] = read_rows(written(tmp_path, content.encode()))
    assert (row["id"], row["value"]) == ("1", "a")


_CELLS = st.text(
    # csv.writer does not quote a lone carriage return.
    st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"),
    min_size=1,
    max_size=20,
)


@settings(deadline=None)
@given(
    rows=st.lists(st.tuples(_CELLS, _CELLS, _CELLS), min_size=1, max_size=6),
    delimiter=st.sampled_from(",;\t|"),
    quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    ending=st.sampled_from(["\n", "\r\n"]),
    mark=st.booleans(),
)
def test_every_dialect_is_read_whole(
    rows: list[tuple[str, str, str]], delimiter: str, quoting: Any, ending: str, mark: bool
):
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, delimiter=delimiter, quoting=quoting, lineterminator=ending)
    writer.writerow(["id", "value", "note"])
    for number, (_, value, note) in enumerate(rows):
        writer.writerow([number, "v" + value, note])
    with TemporaryDirectory() as folder:
        path = Path(folder) / "rows.csv"
        path.write_bytes(("\ufeff" * mark + stream.getvalue()).encode())
        read = read_rows(path)
    assert [row["value"] for row in read] == ["v" + value for _, value, _ in rows]
    assert [row["properties"]["note"] for row in read] == [note for *_, note in rows]


@settings(deadline=None)
@given(content=st.binary(max_size=200), rest=st.sampled_from([b"", b'"', b'2,"b\n3,c\n', b"2;b\n"]))
def test_whatever_the_file_it_is_read_whole_or_refused(content: bytes, rest: bytes):
    with TemporaryDirectory() as folder:
        path = Path(folder) / "rows.csv"
        path.write_bytes(b"id,value\n1,a\n" + content + b"\n" + rest)
        rows: list[Row] = []
        with suppress(QmError):
            rows = read_rows(path)
    # The first row is complete, so a reader that skipped broken rows would return it.
    assert not rows or rows[0]["id"] == "1"
    assert len({row["id"] for row in rows}) == len(rows)
