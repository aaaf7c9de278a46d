"""The restated searches of clients follow the rules of the clients."""

from __future__ import annotations

from typing import Any

import pytest

from lab.clients.restated import CLIENTS, ListedTool, claude_code, codex, fastmcp
from quartermaster.doors.mcp.whole_list import SEARCH_HINT


def tool(name: str, description: str = "", server: str = "one", **more: Any) -> ListedTool:
    instructions = more.pop("instructions", "")
    is_alone = more.pop("is_alone", False)
    return ListedTool(
        server, {"name": name, "description": description, **more}, instructions, is_alone
    )


@pytest.mark.parametrize("client", CLIENTS)
def test_a_search_finds_the_tool_with_the_words(client: str):
    tools = [tool("fly", "Books a flight."), tool("eat", "Orders a pizza.")]
    assert CLIENTS[client](tools)("order pizza")[0] == 1
    assert CLIENTS[client](tools)("nothing") == []


def test_claude_code_prefers_names_to_hints_and_hints_to_descriptions():
    hint = {SEARCH_HINT: "pizza"}
    tools = [
        tool("a", "Orders a pizza."),
        tool("b", _meta=hint),
        tool("morepizzas"),
        tool("get_pizza"),
        tool("pizza"),
    ]
    assert claude_code(tools)("Pizza") == [4, 3, 2, 1, 0]


def test_claude_code_takes_only_whole_words_of_a_description():
    assert claude_code([tool("a", "Orders pizzas.")])("pizza") == []
    assert claude_code([tool("a", "Orders a pizza.")])("the " * 32 + "pizza") == []


def test_codex_reads_a_name_as_one_word_and_a_title_as_several():
    tools = [tool("get_pizza"), tool("other", title="Get pizzas"), tool("third")]
    assert codex(tools)("pizza") == [1]
    assert codex(tools)("get_pizza") == [0]


def test_codex_finds_less_by_a_word_of_the_instructions():
    instructed = "Serves pizza and pasta."
    tools = [
        tool("a", "Cooks pizza dough.", instructions=instructed),
        tool("b", "Cooks noodle dough, noodle by noodle.", instructions=instructed),
    ]
    assert codex(tools)("pizza noodle")[0] == 1
    bare = [tool("a", "Cooks pizza dough."), tool("b", "Cooks noodle dough.")]
    assert codex(bare)("pizza") == [0]


def test_fastmcp_reads_names_in_parts_and_no_stems():
    tools = [tool("get_pizza"), tool("pizzas", inputSchema={"properties": {"size": {}}})]
    assert fastmcp(tools)("pizza") == [0]
    assert fastmcp(tools)("size") == [1]


def test_fastmcp_puts_the_server_before_the_name_if_there_are_several():
    assert fastmcp([tool("a", server="pizza")])("pizza") == [0]
    assert fastmcp([tool("a", server="pizza", is_alone=True)])("pizza") == []
