"""What the command line's own MCP client says when it is not served."""

from __future__ import annotations

from dataclasses import replace

import pytest

from quartermaster.core.errors import QmError
from quartermaster.core.paths import RunFile
from quartermaster.doors.mcp.own_client import call_tool
from tests.support.instance import Instance
from tests.support.ports import free_port

pytestmark = pytest.mark.anyio


@pytest.fixture
def run(instance: Instance) -> RunFile:
    found = RunFile.read(instance.data_dir)
    assert found is not None
    return found


async def test_a_wrong_key_is_not_an_outage(run: RunFile) -> None:
    with pytest.raises(QmError, match="refuses the key") as raised:
        await call_tool(replace(run, token="wrong"), "x__y", {})
    assert (raised.value.status, raised.value.slug) == (401, "key_invalid")
    assert "qm key create" in raised.value.hint


async def test_a_service_that_does_not_answer_is_one(run: RunFile) -> None:
    nobody = replace(run, url=f"http://127.0.0.1:{free_port()}")
    with pytest.raises(QmError) as raised:
        await call_tool(nobody, "x__y", {})
    assert (raised.value.status, raised.value.slug) == (503, "not_reachable")
