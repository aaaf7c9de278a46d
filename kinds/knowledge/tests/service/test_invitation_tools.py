"""The tool ``project_invitations``, for a principal who has a key and nothing else."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.support.instance import Instance, new_instance
from tests.support.reading import text_of

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def instance(stopped_data_dir: Path) -> Generator[Instance]:
    """A running Quartermaster in which Eve, whom nobody created, is invited to two projects."""
    with new_instance(copy_of=stopped_data_dir) as running:
        running.start()
        assert running.qm("principal", "create", "eve").returncode == 0
        running.rows("update policy.principal set created_by = null where name = 'eve' returning 1")
        for name in ("yard", "mill"):
            running.qm_json("project", "add", running.data_dir, "--name", name)
            running.rows("select api.put_project_member('eve', project => %s)", name)
        yield running


@asynccontextmanager
async def at_the_door(instance: Instance) -> AsyncGenerator[Client]:
    """Provides the official client with Eve's key."""
    key = instance.qm("key", "create", "eve").stdout.split()[0]
    headers = {"Authorization": f"Bearer {key}"}
    url = f"{instance.run_file.url}/mcp/knowledge"
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60, trust_env=False) as http,
        Client(streamable_http_client(url, http_client=http)) as client,
    ):
        yield client


async def test_invitations_are_listed_and_answered(instance: Instance):
    async with at_the_door(instance) as client:
        report = await client.call_tool("project_invitations", {})
        assert {each["project"] for each in report.structured_content["invitations"]} == {
            "yard",
            "mill",
        }
        assert "local/yard: local invites you as member." in text_of(report)
        for asked in ({"project": "local/yard"}, {"answer": "accept"}):
            assert (await client.call_tool("project_invitations", asked)).is_error
        asked = {"project": "local/shop", "answer": "accept"}
        refused = await client.call_tool("project_invitations", asked)
        assert refused.is_error
        assert refused.structured_content["error"]["slug"] == "invitation_not_found"
        asked = {"project": "local/yard", "answer": "accept"}
        report = await client.call_tool("project_invitations", asked)
        assert text_of(report) == "You are now a member of local/yard."
        found = instance.rows("select api.show_project('yard') -> 'members' -> 1 ->> 'name'")
        assert found == [("eve",)]
        asked = {"project": "local/mill", "answer": "decline"}
        report = await client.call_tool("project_invitations", asked)
        assert "declined the invitation to local/mill" in text_of(report)
        report = await client.call_tool("project_invitations", {})
        assert text_of(report) == "No invitations."
        asked = {"project": "local/yard", "answer": "leave"}
        report = await client.call_tool("project_invitations", asked)
        assert "You have left local/yard." in text_of(report)
        again = await client.call_tool("project_invitations", asked)
        assert again.structured_content["error"]["slug"] == "project_not_found"
    found = instance.rows("select api.show_project('yard') -> 'members' -> 0 ->> 'name'")
    assert found == [("local",)]
