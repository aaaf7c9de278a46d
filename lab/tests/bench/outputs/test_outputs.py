"""The quick parts of the outputs: they say what users see, and say the same again."""

from __future__ import annotations

from pathlib import Path

from lab.bench.outputs.commands import command_words, write_help
from lab.bench.outputs.schema import described
from lab.bench.outputs.writing import Output, as_json
from tests.support.database import Database


def helped(folder: Path) -> dict[str, str]:
    """Returns the help of `qm origin` and of what is below, by the names of the files."""
    write_help(Output(folder, folder / "no data", lambda _: None), ("qm", "origin"))
    return {path.name: path.read_text() for path in (folder / "help").iterdir()}


def test_the_help_of_each_command_is_written_alike_again(tmp_path: Path):
    first = helped(tmp_path / "first")
    named = {"-".join(words) for words in command_words() if words[1:2] == ("origin",)}
    assert first.keys() == {f"{name}.txt" for name in named}
    assert {"qm-origin", "qm-origin-add"} <= named
    assert "Usage: qm origin add" in first["qm-origin-add.txt"]
    assert helped(tmp_path / "second") == first


def test_operations_policies_and_grants_are_written_alike_again(database: Database):
    with database.connect() as connection:
        first = described(connection)
    with database.connect() as connection:
        assert described(connection) == first
    assert "api.select_tools(" in first["api.txt"]
    assert "\n  comment: Returns tools for a goal" in first["api.txt"]
    assert "\npolicy catalog.item " in first["policies.txt"]
    assert "\ntable catalog.item select: " in first["policies.txt"]


def test_what_varies_is_left_out_at_any_depth():
    given = {"b": [{"took_ms": 1.5, "score": 0.12345678}], "a": "x"}
    assert as_json(given, r"\w+_ms", indent=None) == '{"a": "x", "b": [{"score": 0.123457}]}'
