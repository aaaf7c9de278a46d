"""Items of every kind are handed to the database in parts, each name once; rejects are told."""

from __future__ import annotations

from quartermaster.catalog.item_listing import batches, sort_out
from quartermaster.upstream.listing import AssetKind, JsonObject, Rejected, ToolListing


def listing(
    assets: dict[AssetKind, list[JsonObject]], rejected: tuple[Rejected, ...] = ()
) -> ToolListing:
    return ToolListing(
        tools=[],
        rejected=rejected,
        truncated=False,
        protocol_version="2025-11-25",
        server=None,
        instructions=None,
        assets=assets,
    )


def test_a_name_that_is_listed_twice_and_what_is_too_large_are_rejected():
    listed = [
        {"name": "a", "title": "first"},
        {"name": "a", "title": "second"},
        {"name": "b", "description": "x" * 1000},
        {"name": "c\x00"},
    ]
    items, rejected = sort_out(listing({"prompt": listed}), 500)
    assert items == {"tool": [], "prompt": [{"name": "a", "title": "first"}, {"name": "c\ufffd"}]}
    assert [(r["kind"], r["name"], r["reason"].split(",")[0]) for r in rejected] == [
        ("prompt", "a", "the origin lists this name twice; only the first definition is used"),
        ("prompt", "b", "the definition has 1"),
    ]


def test_what_breaks_the_protocol_is_told_with_its_kind():
    broken = Rejected("resource", 3, None, "uri: Field required")
    _, rejected = sort_out(listing({"resource": []}, (broken,)), 500)
    assert rejected == [
        {"kind": "resource", "name": None, "reason": "uri: Field required (number 3)"}
    ]


def test_many_are_several_parts():
    many = [{"uri": f"memo://{n}"} for n in range(450)]
    items, _ = sort_out(listing({"resource": many}), 500)
    sized = [(item, 10) for item in items["resource"]]
    assert [len(part) for part in batches(sized, 200)] == [200, 200, 50]


def test_large_ones_are_parts_of_their_own():
    sized = [("a", 3_000_000), ("b", 3_000_000), ("c", 9_000_000), ("d", 1)]
    assert list(batches(sized, 200)) == [["a"], ["b"], ["c"], ["d"]]


def test_none_are_no_part():
    assert list(batches([], 200)) == []
