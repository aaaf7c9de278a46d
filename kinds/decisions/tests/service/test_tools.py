"""The tools of decisions, as an agent uses them at its door."""

from __future__ import annotations

from typing import Any

import mcp_types as types
import pytest
from mcp import Client

from quartermaster_decisions.package import DOOR
from quartermaster_decisions.tools import candidate_of
from tests.support.canary import canary
from tests.support.database import Database

pytestmark = pytest.mark.anyio

PROPOSAL: dict[str, Any] = {
    "pattern": "Money is a Decimal, never a float.",
    "scope": "billing/**",
    "rationale": "Sums must be exact.",
    "source_refs": [{"kind": "file", "path": "billing/sums.py", "line": 3}],
}


async def call(client: Client, name: str, **arguments: Any) -> tuple[str, dict[str, Any], bool]:
    answer = await client.call_tool(name, arguments)
    [content] = answer.content
    assert isinstance(content, types.TextContent)
    structured = answer.structured_content
    assert structured is not None, answer
    return content.text, dict(structured), answer.is_error is True


async def test_an_agent_gets_the_few_that_apply_and_rates_them(client: Client):
    text, found, is_error = await call(
        client,
        "get_decisions_for_context",
        file_path_or_area="src/api/users.py",
        task_description="add an endpoint that returns users",
    )
    assert not is_error
    assert text.startswith("[1] Endpoints return serializers. Not: a dict.")
    assert "src/api/users.py:3" in text
    assert "an excerpt" not in text
    [decision] = found["decisions"]
    assert decision["tier"] == "here"
    _, rated, is_error = await call(
        client, "rate_decisions", receipt=found["receipt"], ratings={"1": 9}
    )
    assert (rated, is_error) == ({"recorded": 1}, False)


async def test_nothing_is_served_when_nothing_applies(client: Client):
    text, found, is_error = await call(
        client,
        "get_decisions_for_context",
        file_path_or_area="README.md",
        task_description="fix a typo",
    )
    assert (found["decisions"], is_error) == ([], False)
    assert text.startswith("No decision applies.")


async def test_a_proposal_stays_a_candidate(client: Client, shop: Database):
    _, stored, is_error = await call(client, "submit_candidate_decision", **PROPOSAL)
    assert (stored["outcome"], is_error) == ("added", False)
    _, again, _ = await call(client, "submit_candidate_decision", **PROPOSAL)
    assert (again["outcome"], again["decision"]) == ("known", stored["decision"])
    text, refused, is_error = await call(
        client, "submit_candidate_decision", **(PROPOSAL | {"scope": "../**"})
    )
    assert (refused["outcome"], is_error) == ("refused", True)
    assert "below the root" in text
    with shop.connect() as connection:
        [row] = connection.execute(
            "select d.status, d.origin, d.confidence from decisions.decision as d where d.id = %s",
            [stored["decision"]],
        ).fetchall()
    assert row == ("candidate", "agent_submitted", "low")


async def test_no_tool_of_the_door_promotes(client: Client):
    listed = await client.list_tools()
    assert {tool.name for tool in listed.tools} == {tool.definition.name for tool in DOOR.tools}
    words = ("approve", "reject", "merge", "supersede", "import", "edit", "curat")
    assert not [tool.name for tool in listed.tools if any(word in tool.name for word in words)]


async def test_a_secret_in_a_proposal_is_masked(client: Client, shop: Database):
    secret = canary()
    proposal = PROPOSAL | {
        "pattern": f"Never commit api_key = '{secret}'.",
        "source_refs": [{"kind": "commit", "commit": "abcdef1", "detail": f"password: {secret}"}],
    }
    assert secret not in str(candidate_of(proposal))
    proposal["rationale"] = "Ask mary.brown@example-mail.org before you change it."
    assert "mary.brown" not in str(candidate_of(proposal))
    await call(client, "submit_candidate_decision", **proposal)
