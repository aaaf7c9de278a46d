"""Which texts are drawn for somebody to judge."""

from __future__ import annotations

import ast

import pytest

from lab.comparisons.texts import said


@pytest.mark.parametrize(
    ("code", "texts"),
    [
        ("qm.say('Nothing was changed.')", ["Nothing was changed."]),
        ("hint = f'Set it with {command}.'", ["Set it with {command}."]),
        ("REASON: Final = 'No scanner ' 'reads it.'", ["No scanner reads it."]),
        ("hint += 'Renew it.' if days else 'It has ended.'", ["Renew it.", "It has ended."]),
        ("def told():\n    return 'No note covers this.'", ["No note covers this."]),
        ("sql = 'select 1'", []),
        ("read('Not a message.')", []),
    ],
)
def test_messages_are_what_calls_say_and_the_sentences_in_variables(code: str, texts: list[str]):
    assert [words for _, words in said(ast.parse(code))] == texts
