"""Tables for terminals and pipes."""

from __future__ import annotations

from datetime import UTC, datetime
from io import StringIO

import pytest
import typer
from rich.console import Console

from quartermaster.cli import output
from quartermaster.core.errors import QmError

MOMENT = datetime(2026, 11, 24, 18, 42, tzinfo=UTC)
ROWS = [
    ("git__git_log", True, "Lists the commits of a repository, the newest first. " * 3),
    ("time__get_current_time", None, "[bold]Tells\nthe time"),
]


def test_a_pipe_gets_a_line_for_each_row_with_every_word(capsys: pytest.CaptureFixture[str]):
    output.print_table(("name", "read only", "brief"), ROWS, title="tools")

    assert capsys.readouterr().out.splitlines() == [
        "tools",
        "name\tread only\tbrief",
        f"git__git_log\tyes\t{ROWS[0][2].strip()}",
        "time__get_current_time\t\t[bold]Tells the time",
    ]


def test_a_pipe_gets_each_fact_about_a_thing_in_a_line(capsys: pytest.CaptureFixture[str]):
    output.print_facts("tool", "time__now", {"valid_from": MOMENT, "description": "a\n\tb " * 20})

    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["tool\ttime__now", f"valid from\t{output.minute(MOMENT)}"]
    assert lines[2:] == [f"description\t{'a b ' * 20}".strip()]


def test_a_pipe_gets_a_problem_in_one_line(capsys: pytest.CaptureFixture[str]):
    output.say_problem("[x] is missing. " * 20)

    assert capsys.readouterr().out == f"Problem {'[x] is missing. ' * 20}\n"


def test_a_command_in_a_sentence_is_not_broken(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    terminal = Console(force_terminal=True, width=40, color_system=None, stderr=True)
    monkeypatch.setattr(output, "err", terminal)
    output.repeat("QM_DATA_DIR", "/srv/data")
    hint = "Start it first of all with qm up --port 0, or give another."
    output.print_error(QmError(503, "not_running", "Nothing runs.", hint, "First.\nSecond."))

    assert capsys.readouterr().err.splitlines() == [
        "Error Nothing runs. (QM503 not_running)",
        "First.",
        "Second.",
        "Next: Start it first of all with",
        "QM_DATA_DIR=/srv/data qm up --port 0, or",
        "give another.",
    ]


def test_only_commands_repeat_what_was_given(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(output, "_repeated", {"QM_DATA_DIR": "/srv/data"})
    said = "Install qm with a Python that everybody can run, and start qm up."

    assert output.pasteable(said) == said.replace("qm up", "QM_DATA_DIR=/srv/data qm up")


def test_no_text_is_an_emoji(capsys: pytest.CaptureFixture[str]):
    output.say("It is a [b]:smile:[/b].")
    assert capsys.readouterr().out == "It is a [b]:smile:[/b].\n"


@pytest.mark.parametrize("width", [60, 80, 200])
def test_a_terminal_gets_one_line_for_each_row_with_whole_names(
    width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    terminal = Console(force_terminal=True, width=width, color_system=None)
    monkeypatch.setattr(output, "out", terminal)
    output.print_table(("name", "read only", "brief"), ROWS)

    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1 + len(ROWS)
    assert all(len(line) <= width for line in lines)
    assert [line.split()[0] for line in lines[1:]] == [row[0] for row in ROWS]
    assert ("…" in lines[1]) == (width < 200)


def test_a_narrow_terminal_gets_whole_words(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    terminal = Console(force_terminal=True, width=80, color_system=None)
    monkeypatch.setattr(output, "out", terminal)
    notes = ["The catalog before the servers of the payments team arrive", "tools 0, receipts 12"]
    row = ("evaluate_lookups", MOMENT, MOMENT, *notes)
    output.print_table(("name", "created", "activated", "note", "result"), [row])

    report = capsys.readouterr().out
    assert all(len(line) <= 80 for line in report.splitlines())
    assert report.count(output.minute(MOMENT)) == 2
    assert set(report.split()) >= {"evaluate_lookups", *" ".join(notes).split()}


def test_a_table_without_rows_says_what_to_do_instead(capsys: pytest.CaptureFixture[str]):
    output.print_rows([], ("name",), empty="No keys. Create one.")

    assert capsys.readouterr() == ("", "No keys. Create one.\n")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        (True, "yes"),
        (False, "no"),
        (["a", "b"], "a, b"),
        ({"a": 1}, '{"a": 1}'),
        (1.5, "1.5"),
    ],
)
def test_cells_are_written_for_people(value: object, text: str):
    assert output.cell_text(value) == text


def test_moments_are_written_to_the_minute():
    moment = datetime(2026, 11, 23, 12, 30, 59, 123456, tzinfo=UTC)

    assert output.cell_text(moment) == f"{moment.astimezone():%Y-%m-%d %H:%M}"


def test_numbers_agree_with_their_nouns():
    assert output.counted(1, "tool") == "1 tool"
    assert output.counted(1200, "tool") == "1,200 tools"
    assert output.counted(0, "query", "queries") == "0 queries"


def test_without_a_terminal_a_question_names_the_option_that_answers_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr("sys.stdin", StringIO())
    with pytest.raises(typer.Abort):
        output.confirm("Remove it?", yes=False)

    assert "--yes" in capsys.readouterr().err


def test_a_kind_whose_name_is_a_plural_stays_as_it_is():
    assert output.tallied({"instructions": 7, "tool": 2}) == "7 instructions, 2 tools"


@pytest.mark.parametrize("name", ["a\\[/]", "a\\[red]b", "a\\", ":warning:", "[b]"])
def test_no_name_in_an_error_is_markup(name: str, capsys: pytest.CaptureFixture[str]):
    output.print_error(QmError(422, "note_invalid", f"Bad {name}", f"Look {name}", f"At {name}"))

    report = capsys.readouterr().err.splitlines()
    assert report == [f"Error Bad {name} (QM422 note_invalid)", f"At {name}", f"Next: Look {name}"]


def test_a_file_name_that_is_not_utf_8_is_shown(capsysbinary: pytest.CaptureFixture[bytes]):
    output.print_table(["file"], [["f\udcff.md"]])
    assert capsysbinary.readouterr().out.split() == [b"file", b"f\\xff.md"]
    output.print_json("f\udcff.md")
    assert capsysbinary.readouterr().out == b'"f\\udcff.md"\n'
