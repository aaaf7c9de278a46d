"""What a person does in the first minute, from the README: clone, ``make run``, and ask.

Each step is right or has one sentence about what came instead.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.support.machines import SOURCE, Machine
from tests.support.waiting import wait_until

GOAL: Final = "what time is it in Tokyo"
TOOL: Final = "time__get_current_time"
ANSWER: Final = '"timezone": "Asia/Tokyo"'
RIGHT: Final = "right"
STEPS: Final = ("example", "search", "psql", "mcp")
READY: Final = "Ctrl-C, or send SIGTERM"
_RESULT: Final = "Result:"
_START_S: Final = 1800
_COLOURS: Final = re.compile(r"\x1b\[[0-9;]*m")
# Of an agent in a language of its own: the official client, as its documentation shows it.
_AGENT: Final = """
import asyncio, sys
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

async def main(url, key, goal, tool):
    headers = {"Authorization": "Bearer " + key}
    async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
        async with Client(streamable_http_client(url, http_client=http)) as client:
            found = await client.call_tool("search_tools", {"query": goal})
            names = [one["name"] for one in found.structured_content["tools"]]
            if tool not in names:
                sys.exit("search_tools found " + (" ".join(names) or "nothing"))
            call = {"name": tool, "arguments": {"timezone": "Asia/Tokyo"}}
            print((await client.call_tool("call_tool", call)).content[0].text)

asyncio.run(main(*sys.argv[1:]))
"""


@dataclass
class Outcome:
    """What came of a first start.

    Attributes:
        steps: `RIGHT` or a sentence, by each of `STEPS`.
        seconds: from ``make run`` to the example's answer; None if none came.
        ready_seconds: from ``make run`` to the last line of its start; None if it did not start.
        screen: what ``make run`` has written.
    """

    steps: dict[str, str] = field(default_factory=dict[str, str])
    seconds: float | None = None
    ready_seconds: float | None = None
    screen: str = ""

    @property
    def is_right(self) -> bool:
        """Whether everything was right."""
        return all(self.steps.get(step) == RIGHT for step in STEPS)


def clone(machine: Machine) -> None:
    """The README's first step."""
    done = machine.run(f"git clone --quiet file://{SOURCE} quartermaster")
    assert done.returncode == 0, done.stdout


def make_run(
    machine: Machine,
    screen: Path,
    environment: Mapping[str, str] | None = None,
    before: str = "true",
) -> tuple[subprocess.Popen[str], Outcome]:
    """Starts ``make run``, and waits until it is ready or has ended.

    Args:
        machine: where the repository is cloned.
        screen: file for what it writes.
        environment: further variables of the person's shell.
        before: what the person's shell has done before.
    """
    begun = time.monotonic()
    outcome = Outcome()
    process = machine.launch(f"{before}; cd quartermaster && exec make run", screen, environment)

    def has_come() -> bool:
        outcome.screen = _COLOURS.sub("", screen.read_text(errors="replace"))
        if outcome.seconds is None and _RESULT in outcome.screen:
            outcome.seconds = time.monotonic() - begun
        return READY in outcome.screen or process.poll() is not None

    wait_until(has_come, _START_S)
    if READY in outcome.screen:
        outcome.ready_seconds = time.monotonic() - begun
    outcome.steps["example"] = _example(outcome.screen)
    return process, outcome


def ask(machine: Machine, outcome: Outcome, environment: Mapping[str, str] | None = None) -> None:
    """Asks the running Quartermaster in all the ways of the README."""
    qm = "cd quartermaster && .venv/bin/qm"
    found = machine.run(f"{qm} search {shlex.quote(GOAL)}", environment)
    outcome.steps["search"] = _said(found, TOOL)
    query = f"select name from select_tools('{GOAL}')"
    found = machine.run(f"{qm} psql --admin -Atc {shlex.quote(query)}", environment)
    outcome.steps["psql"] = _said(found, TOOL)
    key = machine.run(f"{qm} principal create agent >/dev/null && .venv/bin/qm key create agent")
    if not (secret := re.search(r"\bqm_\S+", key.stdout)):
        outcome.steps["mcp"] = f"no key: {_last(key.stdout)}"
        return
    agent = shlex.join(["-", "http://127.0.0.1:8765/mcp", secret[0], GOAL, TOOL])
    found = machine.run(
        f"cd quartermaster && .venv/bin/python {agent} <<'EOF'{_AGENT}EOF", environment
    )
    outcome.steps["mcp"] = _said(found, ANSWER)


def _example(screen: str) -> str:
    _, shown, after = screen.partition(_RESULT)
    if shown:
        return RIGHT if ANSWER in after else _last(after)
    if READY not in screen:
        return _last(screen)
    return "no example"


def _said(done: subprocess.CompletedProcess[str], wanted: str) -> str:
    if done.returncode == 0 and wanted in done.stdout:
        return RIGHT
    # What matters comes first, except in a traceback.
    lines = done.stdout.strip().splitlines() or [""]
    errors = [line for line in lines if "Error" in line] if "Traceback" in done.stdout else []
    return _last((errors or lines[:1])[-1])


def _last(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:160] if lines else "nothing was said"
