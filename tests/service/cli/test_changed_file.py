"""What is shown of a file before it is changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from quartermaster.cli.changed_file import print_change


@pytest.mark.parametrize(
    ("line", "secret", "shown"),
    [
        ('approval = "on"', "v", '+approval = "on"'),
        ('KEY = "v"', "v", '+KEY = "..."'),
        ("run -pdmZ4c2Vjcg", "dmZ4c2Vjcg", "+run -p..."),
    ],
)
def test_a_short_secret_is_hidden_only_where_it_stands_alone(
    line: str, secret: str, shown: str, capsys: pytest.CaptureFixture[str]
) -> None:
    print_change(Path("f"), "", line, [secret])

    assert capsys.readouterr().out.splitlines()[-1] == shown


def test_a_line_is_not_broken_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    line = "a word " * 30 + "end"

    print_change(Path("f"), "", line)

    assert f"+{line}" in capsys.readouterr().out.splitlines()
