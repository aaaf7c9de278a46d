"""Resources and prompts are handed to the database in parts, each name once."""

from __future__ import annotations

from quartermaster.catalog.tool_listing import parts, storable


def test_a_name_that_is_listed_twice_and_what_is_too_large_are_left_out():
    listed = [
        {"name": "a", "title": "first"},
        {"name": "a", "title": "second"},
        {"name": "b", "description": "x" * 1000},
        {"name": "c\x00"},
    ]
    stored = storable("prompt", listed, 500)
    assert stored == {"a": {"name": "a", "title": "first"}, "c\ufffd": {"name": "c\ufffd"}}


def test_few_are_one_part_that_is_all():
    assert list(parts({})) == [([], None)]
    one = {"uri": "memo://a"}
    assert list(parts({"memo://a": one})) == [([one], None)]


def test_of_many_the_last_part_says_what_there_is():
    many = storable("resource", [{"uri": f"memo://{n}"} for n in range(450)], 500)
    handed = list(parts(many))
    assert [len(part) for part, _ in handed] == [200, 200, 50]
    assert [asset for part, _ in handed for asset in part] == [*many.values()]
    assert [listed for _, listed in handed] == [[], [], [*many]]
