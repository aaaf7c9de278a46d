"""The official inspector's command line, a client that is not ours and not Python."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.support.instance import QM, START_S, Instance
from tests.support.node_tools import node_program

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

INSPECTOR = "@modelcontextprotocol/inspector@2.12.0"
GOAL = "what time is it in Tokyo"


@pytest.fixture(scope="session")
def inspector() -> list[str | Path]:
    return [*node_program(INSPECTOR, "mcp-inspector"), "--cli"]


def run(inspector: list[str | Path], *options: str, instance: Instance) -> Any:
    done = subprocess.run(
        [*inspector, *options],
        env=instance.environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=START_S,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("era", ["legacy", "modern"])
@pytest.mark.parametrize("door", ["http", "stdio"])
def test_the_inspector_finds_and_calls_a_starter_tool(
    inspector: list[str | Path], instance: Instance, door: str, era: str
):
    running = instance.run_file
    options = ["--protocol-era", era]
    if door == "http":
        options += ["--server-url", f"{running.url}/mcp", "--transport", "http"]
        options += ["--header", f"Authorization: Bearer {running.token}"]
    else:
        environment = ("QM_DATA_DIR", "QM_RUNTIME_DIR")
        for name in environment:
            options += ["-e", f"{name}={instance.environment[name]}"]
        options = [str(QM), "stdio", *options]
    call = [*options, "--method", "tools/call", "--tool-name"]
    found = run(inspector, *call, "search_tools", "--tool-arg", f"query={GOAL}", instance=instance)
    name = "time__get_current_time"
    assert name in [tool["name"] for tool in found["structuredContent"]["tools"]]
    arguments = json.dumps({"timezone": "Asia/Tokyo"})
    called = run(
        inspector,
        *call,
        "call_tool",
        "--tool-arg",
        f"name={name}",
        f"arguments={arguments}",
        instance=instance,
    )
    assert json.loads(called["content"][0]["text"])["timezone"] == "Asia/Tokyo"


def test_the_inspector_has_nothing_to_say_about_our_schemas(
    inspector: list[str | Path], instance: Instance
):
    running = instance.run_file
    options = ["--server-url", f"{running.url}/mcp", "--transport", "http", "--strict"]
    options += ["--header", f"Authorization: Bearer {running.token}", "--method", "tools/list"]
    listed = run(inspector, *options, instance=instance)
    assert [t["name"] for t in listed["tools"]] == ["search_tools", "describe_tool", "call_tool"]
