"""JSON as people write it: with comments and trailing commas."""

from __future__ import annotations

import pytest

from quartermaster.core.json_text import SyntaxProblem, parse, without_comments


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ('{"a": "// no /* comment"} // one', '{"a": "// no /* comment"}       '),
        ("[1, /* two\nlines */ 2,]", "[1,       \n         2 ]"),
        ("[1] /**/ # x", "[1]         "),
        ("[1] /* open", "[1] /* open"),
        ("[1] /*/", "[1] /*/"),
        ('["open, // no comment\n1,]', '["open, // no comment\n1 ]'),
    ],
)
def test_comments_and_trailing_commas_become_spaces(text: str, bare: str) -> None:
    assert without_comments(text) == bare


def test_an_error_names_its_place_and_what_is_wrong() -> None:
    with pytest.raises(SyntaxProblem) as wrong:
        parse('{"a": 1,\n "b" 2}')
    assert (wrong.value.line, wrong.value.column) == (2, 6)
    assert wrong.value.what
    assert str(wrong.value) == f"2:6: {wrong.value.what}"


@pytest.mark.parametrize("odd", ['"' + '\\"' * 500_000, "/* " * 500_000, '\\"' * 500_000])
def test_what_has_no_end_is_read_once(odd: str) -> None:
    # Reading on from each of its characters would take hours.
    with pytest.raises(SyntaxProblem):
        parse(without_comments(odd))


def test_names_that_are_there_twice_are_told_among_many() -> None:
    members = ", ".join(f'"{n}": {n}' for n in range(100_000))
    value, repeated = parse(f'{{{members}, "7": 0, "5": 1}}')
    assert (value["7"], repeated) == (0, ["5", "7"])
