"""Blocks and items of the vendors' APIs, and what the Python client answers."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Final

import quartermaster_client.anthropic as for_anthropic
import quartermaster_client.openai as for_openai
from clients.tests.vendors import GOAL
from quartermaster_client import Quartermaster, QuartermasterError

Json = dict[str, Any]


def tool_use(name: str, **given: object) -> Json:
    return {"type": "tool_use", "id": "toolu_1", "name": name, "input": given}


def function_call(name: str, arguments: str = "{}") -> Json:
    return {"type": "function_call", "call_id": "call_1", "name": name, "arguments": arguments}


def search_call(arguments: object) -> Json:
    return {"type": "tool_search_call", "call_id": "call_1", "arguments": arguments}


ASKED: Final[dict[str, list[Json]]] = {
    "anthropic": [
        tool_use("search_tools", goal=GOAL),
        tool_use("search_tools", goal="xyzzy quux"),
        tool_use("search_tools", goal=""),
        tool_use("search_tools", goal="half of a pair: \ud83d"),
        tool_use("search_tools", goal="x" * 20_001),
        tool_use("search_tools", other=1),
        tool_use("shop__echo", text="x"),
        tool_use("shop__draw"),
        tool_use("shop__weigh"),
        tool_use("shop__fail"),
    ],
    "openai": [
        search_call({"goal": GOAL}),
        search_call({"goal": "xyzzy quux"}),
        search_call({"goal": ""}),
        search_call("no object"),
        function_call("shop__echo", '{"text": "x"}'),
        function_call("shop__echo", '{"text": "\\ud83d"}'),
        function_call("shop__echo", '{"text": 1e999}'),
        function_call("shop__echo", "{"),
        function_call("shop__echo", "[]"),
        function_call("shop__draw"),
        function_call("shop__weigh", ""),
        function_call("shop__fail"),
    ],
}


def of_sdk(item: Json) -> Any:
    """Returns an item as an object with attributes, as those of the SDKs are."""
    return SimpleNamespace(**item)


def answers_of(vendor: str, quartermaster: Quartermaster) -> list[Any]:
    """Returns what the script asked.ts prints, too: the answers, the tools, and what was found."""
    openai, anthropic = for_openai.OpenAIToolSearch, for_anthropic.AnthropicToolSearch
    search: Any = openai(quartermaster) if vendor == "openai" else anthropic(quartermaster)
    answers: list[Any] = []
    for item in ASKED[vendor]:
        try:
            answers.append(search.answer(of_sdk(item)))
        except QuartermasterError as error:
            members = ("status", "code", "slug", "message", "hint")
            answers.append({name: getattr(error, name) for name in members})
    return [answers, search.tools(), list(search.found.values())]
