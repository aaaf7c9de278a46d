"""What is learned from pairs of a goal and a tool."""

from __future__ import annotations

from lab.clients.asked_words import Pair, learn, text


def _pairs(number: int, said: list[str], asked: list[str]) -> list[Pair]:
    return [Pair(f"server{one}", said, asked) for one in range(number)]


def test_a_word_is_learned_for_the_word_that_explains_it():
    pairs = [
        *_pairs(4, ["delete", "file"], ["rid", "document"]),
        *_pairs(4, ["read", "file"], ["see", "document"]),
        *_pairs(4, ["delete", "note"], ["rid", "memo"]),
    ]
    table = learn(pairs)
    assert max(table["delete"], key=lambda word: table["delete"][word]) == "rid"
    assert max(table["file"], key=lambda word: table["file"][word]) == "document"
    assert "memo" not in table["read"]


def test_a_word_of_few_servers_is_not_learned():
    pairs = [Pair("only", ["delete"], ["acme", "rid"])] * 9 + _pairs(4, ["delete"], ["rid"])
    assert list(learn(pairs)["delete"]) == ["rid"]


def test_the_table_has_a_line_for_each_word_of_tools():
    assert text({"delete": {"rid": 611, "remove": 622}}) == "delete\trid 611\tremove 622\n"
