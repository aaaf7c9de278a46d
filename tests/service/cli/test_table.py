"""How wide columns become, and what is done where there is no room for them."""

from __future__ import annotations

from rich.cells import cell_len

from quartermaster.cli.table import described, laid_out, wrapped

LONG = "a-name-that-is-longer-than-half-of-the-terminal"


def table(width: int, *rows: list[str]) -> list[str]:
    """Returns the lines of a table with these rows, of which the first is the heading."""
    headings, *below = rows
    return [line for lines in laid_out(headings, below, width) for line in lines]


def test_sentences_are_wrapped_and_descriptions_are_cut():
    text = "Tells the time of day in a city."
    assert table(30, ["name", "reason"], ["now", text]) == [
        "name  reason",
        "now   Tells the time of day in",
        "      a city.",
    ]
    assert table(30, ["name", "brief"], ["now", text])[1:] == ["now   Tells the time of day i…"]


def test_a_sentence_that_takes_many_lines_is_cut():
    lines = table(30, ["name", "reason"], ["now", "word " * 50])
    assert len(lines) == 1 + 5
    assert lines[-1].endswith("…")


def test_a_long_name_has_a_line_of_its_own():
    at = "2026-11-28 12:00"
    assert table(60, ["name", "at", "reason"], [LONG, at, "no"], ["b", at, "why not"])[1:] == [
        LONG,
        f"{'':35}{at}  no",
        f"{'b':35}{at}  why not",
    ]
    [_, first, second, *_] = table(60, ["at", "name", "reason"], [at, LONG, "It is so. " * 3])
    assert (first, second.strip()) == (at, LONG)


def test_columns_without_a_value_go_and_then_descriptions_have_lines_of_their_own():
    headings = ["name", "reviewed", "status", "brief"]
    assert (
        table(27, headings, ["first", "", "approved", "It counts."])[0] == "name   status    brief"
    )
    assert table(16, headings, ["first", "", "approved", "It counts it all."]) == [
        "name   status",
        "  brief",
        "first  approved",
        "  It counts it…",
    ]
    text = "Tells the time of day in a city of ours."
    headings = ["name", "findings", "brief"]
    assert table(50, headings, ["first", "so many findings", text], ["b", "", ""])[1:] == [
        "first  so many findings  Tells the time of day in…",
        "b",
    ]
    assert table(48, headings, ["first", "so many findings", text], ["b", "", ""])[1:] == [
        "  brief",
        "first  so many findings",
        "  Tells the time of day in a city of ours.",
        "b",
    ]


def test_rows_that_do_not_fit_at_all_are_blocks():
    assert table(12, ["name", "status", "at"], [LONG, "approved", "noon"]) == [
        "name",
        LONG,
        "status  approved",
        "at      noon",
        "",
    ]


def test_wide_characters_take_two_cells():
    lines = table(
        30, ["name", "brief"], ["今", "現在の時刻を返します、都市ごとに"], ["b", "Short."]
    )
    assert lines[1:] == ["今    現在の時刻を返します、…", "b     Short."]
    assert all(cell_len(line) <= 30 for line in lines)


def test_a_long_word_of_a_fact_is_not_broken():
    url = "https://example.org/a/b/c"
    assert list(described([("tool", "now"), ("about", f"See {url}\nand ask")], 24)) == [
        "tool   now",
        "about  See",
        f"       {url}",
        "       and ask",
    ]


def test_spaces_at_the_beginning_stay():
    assert wrapped("  quarantined: a", 14) == ["  quarantined:", "a"]
