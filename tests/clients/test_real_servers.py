"""Real servers lose nothing on their way to real clients, alone and through Quartermaster."""

from __future__ import annotations

import shlex
from collections.abc import Generator
from typing import Any

import pytest

from tests.clients.real_servers import SERVERS, UVX, RealServer
from tests.clients.sdks import ENVIRONMENT, SDKS, Address, Program, Seen
from tests.support.instance import Instance, new_instance

pytestmark = [pytest.mark.anyio, pytest.mark.clients, pytest.mark.slow]

# What a client shows to a model or a person.
_SHOWN = ("title", "description", "inputSchema", "outputSchema", "annotations")


@pytest.fixture(scope="module")
def instance() -> Generator[Instance]:
    # Packages need gigabytes.
    with new_instance(environment=ENVIRONMENT, forked=False, on_disk=True) as instance:
        yield instance.start()


@pytest.fixture(scope="module", params=SERVERS, ids=lambda server: server.name)
def server(request: pytest.FixtureRequest, instance: Instance) -> Generator[RealServer]:
    """A server that is an origin of the instance."""
    real: RealServer = request.param
    add(instance, real.name, real.command)
    yield real
    instance.qm("origin", "remove", real.name, "--yes")


def add(instance: Instance, name: str, command: tuple[str, ...]) -> None:
    """Adds an origin and approves what is withheld, as its user does."""
    done = instance.qm("origin", "add", name, "--command", shlex.join(command), "--yes")
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{name}\tdone\t" in done.stdout, done.stdout + done.stderr
    cards = instance.qm_json("card", "list", "--origin", name)
    if withheld := [card["name"] for card in cards if card["status"] == "quarantined"]:
        approved = instance.qm("card", "approve", *withheld, "--yes")
        assert approved.returncode == 0, approved.stdout + approved.stderr


def through(instance: Instance, name: str) -> Address:
    """Returns the door that shows this origin alone."""
    run = instance.run_file
    return Address(f"{run.url}/mcp/transparent/{name}", run.token)


def shown(seen: Seen) -> dict[str, dict[str, Any]]:
    """Returns what is shown of each tool."""
    return {
        name: {member: tool[member] for member in _SHOWN if tool.get(member) is not None}
        for name, tool in seen.tools.items()
    }


def said(seen: Seen) -> dict[str, Any]:
    """Returns the result, without what concerns the connection."""
    return {
        "content": seen.result.get("content"),
        "structuredContent": seen.result.get("structuredContent"),
        "isError": seen.result.get("isError", False),
        "refused": seen.result.get("refused"),
    }


@pytest.mark.parametrize("sdk", SDKS)
async def test_nothing_is_lost(server: RealServer, sdk: str, instance: Instance) -> None:
    ask = SDKS[sdk]
    alone = await ask(Program(server.command), server.call)
    ours = await ask(through(instance, server.name), server.call)
    assert shown(ours) == shown(alone)
    assert said(ours) == said(alone)


async def test_a_call_after_a_restart_answers(server: RealServer, instance: Instance) -> None:
    before = await SDKS["python"](through(instance, server.name), server.call)
    done = instance.qm("origin", "restart", server.name)
    assert done.returncode == 0, done.stdout + done.stderr
    after = await SDKS["python"](through(instance, server.name), server.call)
    assert (shown(after), said(after)) == (shown(before), said(before))


def test_a_first_start_may_take_a_minute(instance: Instance) -> None:
    """Ten at once, each as slow as a download."""
    slow = {f"slow-{real.name}": real for real in SERVERS[::2]}
    for name, real in slow.items():
        command = ("sh", "-c", 'echo downloading >&2; sleep 60; exec "$@"', "sh", *real.command)
        line = ("--command", shlex.join(command), "--read", UVX.parent)
        done = instance.qm("origin", "add", name, *line, "--yes", "--no-wait")
        assert done.returncode in {0, 4}, done.stdout + done.stderr
    for name in slow:
        done = instance.qm("origin", "refresh", name)
        assert f"{name}\tdone\t" in done.stdout, done.stdout + done.stderr
