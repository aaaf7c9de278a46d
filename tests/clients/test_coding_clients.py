"""Coding clients, beside a stand-in for their model, see our search and do a task with it."""

from __future__ import annotations

import re
from collections.abc import Generator
from dataclasses import dataclass, field, replace
from typing import Any, Final

import pytest

from quartermaster.clients.own_entry import SERVER
from quartermaster.doors.mcp.bridge_tools import CALL_TOOL, SEARCH_TOOLS
from tests.clients.programs import CODEX, PROGRAMS, Address, Program
from tests.clients.real_servers import SERVERS
from tests.clients.sdks import ENVIRONMENT
from tests.clients.stand_in import Script, silent
from tests.clients.test_real_servers import add
from tests.clients.wires import Call, Offer
from tests.support.instance import Instance, new_instance

pytestmark = [pytest.mark.clients, pytest.mark.slow]

GOAL: Final = "convert a page of HTML to markdown"
REAL: Final = next(one for one in SERVERS if one.name == "markitdown-mcp")
# The models that Codex prefers call tools from programs that they write.
CODEX_WRITING: Final = replace(CODEX, settings=CODEX.settings.replace("gpt-5.5", "gpt-6.2-sol"))


@pytest.fixture(scope="module")
def instance() -> Generator[Instance]:
    """A Quartermaster with a real server, whose package needs hundreds of megabytes."""
    with new_instance(environment=ENVIRONMENT, forked=False, on_disk=True) as instance:
        instance.start()
        add(instance, REAL.name, REAL.command)
        yield instance


def run(program: Program, instance: Instance, script: Script) -> list[Offer]:
    """Runs a session of a client of the instance; returns what its model saw."""
    found = instance.run_file
    headers = {"Authorization": f"Bearer {found.token}"}
    servers = {SERVER: Address(f"{found.url}/mcp", headers, is_ours=True)}
    return program.run(servers, script).offers


@dataclass
class Working:
    """A model that does the task: it searches, and calls what it has found.

    Attributes:
        program: the client.
        calls: what it has called.
    """

    program: Program
    calls: list[Call] = field(default_factory=list[Call])

    def next(self, offer: Offer) -> list[Call]:
        """The script."""
        done = [call.name for call in self.calls]
        if not self.calls and offer.sees(SEARCH_TOOLS) != "loaded":
            chosen = self.program.load(SERVER, SEARCH_TOOLS)
        elif SEARCH_TOOLS not in "".join(done):
            chosen = [self.program.call(SERVER, SEARCH_TOOLS, {"goal": GOAL})]
        elif CALL_TOOL not in "".join(done):
            chosen = [self._call(str(offer.results[self.calls[-1].id]))]
        else:
            chosen = []
        self.calls += chosen
        return chosen

    def _call(self, answer: str) -> Call:
        receipt = re.search(r"receipt\W+(\d+)", answer)
        name = re.search(rf"{REAL.name}__\w+", answer)
        assert receipt, answer
        assert name, answer
        arguments: dict[str, Any] = {"name": name[0], "arguments": REAL.call.arguments}
        arguments["receipt"] = int(receipt[1])
        return self.program.call(SERVER, CALL_TOOL, arguments)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_a_task_is_done_and_its_receipt_is_kept(program: Program, instance: Instance) -> None:
    working = Working(program)

    offers = run(program, instance, working.next)

    called = working.calls[-1]
    assert "# Tide" in str(offers[-1].results[called.id])
    receipt = called.arguments["receipt"]
    statement = (
        "select r.goal, o.name, c.outcome from selection.receipt as r"
        " join calls.call as c on c.receipt_id = r.id"
        " join catalog.origin as o on o.id = c.origin_id where r.id = %s"
    )
    assert instance.rows(statement, receipt) == [(GOAL, REAL.name, "ok")]


@pytest.mark.parametrize(
    "program", [*PROGRAMS, CODEX_WRITING], ids=["claude-code", "codex", "gemini", "codex-writing"]
)
def test_every_model_sees_the_search(program: Program, instance: Instance) -> None:
    first, *_ = run(program, instance, silent)

    assert first.sees(SEARCH_TOOLS) in {"loaded", "named"}, first.text
