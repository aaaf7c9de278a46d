"""Desks to fit the score on: servers that the encoder never saw, whole, with their train goals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lab.tests.training.test_corpus import write
from lab.training.corpus import is_left_out, read_lines
from lab.training.desks import connected_name, write_desks


def tools_of(server: str, count: int) -> list[dict[str, Any]]:
    return [
        {"id": f"{server}/{n}", "origin": server, "name": f"t{n}", "description": "Does it."}
        for n in range(count)
    ]


def test_desks_have_whole_servers_that_the_encoder_never_saw(tmp_path: Path):
    servers = [f"docker:server{n}" for n in range(100)]
    unlicensed = next(f"other:s{n}" for n in range(100) if is_left_out(f"other:s{n}"))
    write(
        tmp_path / "mcpcatalog" / "tools.jsonl",
        [tool for server in [*servers, unlicensed] for tool in tools_of(server, 50)],
    )
    write(
        tmp_path / "goals" / "queries.jsonl",
        [
            {"id": f"{server}{split}", "query": "q", "gold": [f"{server}/0"], "split": split}
            | {"alt": {f"{server}/0": [f"{server}/1", "of another desk"]}}
            for server in [*servers, unlicensed]
            for split in ("train", "dev")
        ],
    )
    left_out = {server for server in servers if is_left_out(server)}
    written = write_desks(tmp_path, tmp_path / "desks")
    seen: set[str] = set()
    for desk in written:
        tools = read_lines(desk / "tools.jsonl")
        goals = read_lines(desk / "queries.jsonl")
        origins = {tool["id"].removesuffix("/0") for tool in tools if tool["id"].endswith("/0")}
        assert {tool["origin"] for tool in tools} == {connected_name(one) for one in origins}
        assert len(tools) == 50 * len(origins) >= 185
        assert {goal["gold"][0] for goal in goals} == {f"{origin}/0" for origin in origins}
        assert {goal["split"] for goal in goals} == {"train"}
        assert all([*goal["alt"].values()] == [[goal["gold"][0][:-1] + "1"]] for goal in goals)
        assert not origins & seen
        seen |= origins
    assert seen
    assert seen <= left_out


@pytest.mark.parametrize(
    ("origin", "name"),
    [
        ("toucan:cf_1841.@ADEOSec_mcp-shodan", "shodan"),
        ("toolsdk:@jsonresume/mcp", "jsonresume"),
        ("docker:github", "github"),
        ("toolsdk:shopify-mcp-server", "shopify"),
    ],
)
def test_a_server_is_named_as_people_do(origin: str, name: str):
    assert connected_name(origin) == name


def test_a_server_is_left_out_under_every_catalogs_name():
    assert len({is_left_out(f"{source}shop") for source in ("docker:", "toucan:cf_12.", "")}) == 1
