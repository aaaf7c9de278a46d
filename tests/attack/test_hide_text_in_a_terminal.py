"""A tool's text has characters that a terminal hides or writes backwards."""

from __future__ import annotations

import unicodedata

import pytest

from quartermaster.cli import output


@pytest.mark.parametrize(
    "character",
    [
        chr(code)
        for code in (
            0x1B,
            0x9B,
            0xAD,
            0x61C,
            0x200B,
            0x200E,
            0x202E,
            0x2066,
            0x2069,
            0xFEFF,
            0xE0041,
        )
    ],
    ids=lambda character: f"{ord(character):x}",
)
def test_it_is_printed_as_an_escape(character: str, capsys: pytest.CaptureFixture[str]) -> None:
    output.print_table(("name",), [[f"send{character}mail"]])
    output.say(f"send{character}mail")
    printed = capsys.readouterr().out
    assert character not in printed
    assert printed.count(f"{ord(character):x}") == 2, unicodedata.category(character)
