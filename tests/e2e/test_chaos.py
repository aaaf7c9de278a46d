"""kill -9 of the service and of PostgreSQL, at the worst moments; what was committed stays."""

from __future__ import annotations

import functools
import json
import os
import signal
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest

from quartermaster.calls.call_record import PROVENANCE_KEY
from quartermaster.core.locks import exclusive
from quartermaster.core.paths import RunFile
from quartermaster.doors.mcp.own_client import call_tool, connect
from tests.support.instance import READY, START_S, Instance, descendants, strays
from tests.support.load import has_outage_copy
from tests.support.upstreams import is_running
from tests.support.waiting import wait_until

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

TOOLS = 1500


def test_an_import_goes_on_when_the_service_is_killed(
    installed: Instance, tools_file: Path
) -> None:
    installed.start()
    importing = _import(installed, tools_file)
    _await(lambda: _tools(installed) >= 500)
    reported = _tools(installed)
    installed.kill()
    out, _ = importing.communicate(timeout=START_S)
    assert reported < TOOLS, "the kill came too late to show anything"
    assert importing.returncode == 0
    assert json.loads(out)["tools"] == {"added": TOOLS}

    installed.start()
    again = installed.qm_json("import", "--no-wait", tools_file)
    assert again["tools"] == {"unchanged": TOOLS}
    assert _tools(installed) == TOOLS
    assert _duplicates(installed) == []


def test_an_import_fails_clearly_when_postgresql_is_killed_and_a_second_one_completes(
    installed: Instance, tools_file: Path
) -> None:
    installed.start()
    importing = _import(installed, tools_file)
    _await(lambda: _tools(installed) >= 500)
    seen = _names(installed)
    installed.kill_server()
    _, report = importing.communicate(timeout=START_S)
    assert len(seen) < TOOLS, "the kill came too late to show anything"
    assert importing.returncode == 1
    assert json.loads(report.splitlines()[-1])["error"]["slug"] == "database_unavailable"
    assert "Traceback" not in report

    _await(lambda: _is_ready(installed))
    retained = _names(installed)
    assert seen <= retained
    assert len(retained) % 500 == 0, "a batch is there whole or not at all"
    again = installed.qm_json("import", "--no-wait", tools_file)
    assert again["tools"] == {"added": TOOLS - len(retained), "unchanged": len(retained)}
    assert _duplicates(installed) == []


def test_calls_cut_short_by_a_kill_of_the_service_are_lost_and_no_upstream_survives(
    installed: Instance,
) -> None:
    installed.start()
    installed.add_upstream("leaf", "leaf_server.py", "stdio")
    installed.add_upstream("stubborn", "rude_server.py", "stubborn")
    assert installed.qm("call", "stubborn__spawn_strays").returncode == 0
    run = installed.run_file
    hanging = [installed.launch_qm("call", "leaf__hang") for _ in range(2)]
    _await(lambda: sorted(_outcomes(installed)) == ["ok", "pending", "pending"])
    children = descendants(run.pid) - installed.server_pids()
    assert len(strays(run.pid) & children) == 2, "what one of the upstreams has started"
    instance_id = (installed.data_dir / "instance.json").read_text()
    installed.kill()
    assert wait_until(lambda: not any(map(is_running, children)))
    for call in hanging:
        _, report = call.communicate(timeout=START_S)
        assert call.returncode == 1
        assert "Next:" in report
        assert "Traceback" not in report
    assert installed.qm("search", "anything").returncode == 1

    installed.start()
    assert (installed.data_dir / "instance.json").read_text() == instance_id
    _await(lambda: "pending" not in _outcomes(installed))
    assert sorted(_outcomes(installed)) == ["lost", "lost", "ok"]
    assert installed.qm("call", "leaf__echo", '{"text": "again"}').returncode == 0


def test_while_postgresql_is_gone_calls_are_served_and_recorded_once_also_by_who_is_killed(
    installed: Instance,
) -> None:
    installed.start()
    installed.add_upstream("leaf", "leaf_server.py", "stdio")
    run = installed.run_file
    acknowledged: list[int] = []
    while len(acknowledged) < 5:
        acknowledged.append(_call(installed, "leaf__echo"))
    hanging = installed.launch_qm("call", "leaf__hang")
    _await(lambda: sorted(_outcomes(installed)) == [*["ok"] * 5, "pending"])
    _await(lambda: has_outage_copy(installed))
    # Nobody can start it again while we hold this lock.
    with exclusive(installed.data_dir / "postgres" / "start.lock"):
        installed.kill_server()
        _await(lambda: httpx2.get(f"{run.url}/readyz").json()["status"] == "outage")
        assert "leaf__echo" in anyio.run(_search, run, "the echo tool")
        assert installed.qm("call", "leaf__echo", '{"text": "hello"}').returncode == 0
        assert httpx2.get(f"{run.url}/healthz").status_code == 200
        meanwhile = installed.launch_qm("call", "leaf__hang")
        _await(lambda: _spooled(installed).count('"begin"') == 2)

    _await(lambda: httpx2.get(f"{run.url}/readyz").json()["status"] == "ready")
    assert installed.run_file == run, "the same process at the same addresses"
    acknowledged.append(_call(installed, "leaf__echo"))
    ended = "select id from calls.call where outcome = 'ok'"
    _await(lambda: {number for (number,) in installed.rows(ended)} >= set(acknowledged))
    _await(lambda: _outcomes(installed).count("ok") == 7)
    assert _outcomes(installed).count("pending") == 2, "calls under way go on"
    hanging.kill()
    hanging.communicate()
    _await(lambda: "cancelled" in _outcomes(installed))
    assert "postgres_gone" in installed.stderr

    # Killed together, while a call is in the spool: what it was is known, and that it is lost.
    with exclusive(installed.data_dir / "postgres" / "start.lock"):
        installed.kill_server()
        _await(lambda: httpx2.get(f"{run.url}/readyz").json()["status"] == "outage")
        assert installed.qm("call", "leaf__echo", '{"text": "hello"}').returncode == 0
        lost = installed.launch_qm("call", "leaf__hang")
        _await(lambda: _spooled(installed).count('"begin"') == 2)
        installed.kill()
        for call in (meanwhile, lost):
            call.communicate(timeout=START_S)
    installed.start()
    _await(lambda: sorted(_outcomes(installed)) == ["cancelled", "lost", "lost"] + ["ok"] * 8)
    assert _spooled(installed) == ""
    assert installed.stop() == 0
    assert not installed.server_pids()


def test_a_first_start_that_is_killed_is_made_good_by_the_next(fresh: Instance) -> None:
    for step in ("initialising the database", "roles and extensions", "functions"):
        _kill_at(fresh, step)
    fresh.start()
    assert fresh.qm_json("doctor")["problems"] == []


def test_an_initialisation_that_outlives_its_start_does_not_harm_the_next(fresh: Instance) -> None:
    step = "initialising the database"
    process = fresh.launch()
    # It runs a server as its child by then.
    _await(lambda: any(map(descendants, _initdbs(process.pid))))
    (left,) = _initdbs(process.pid)
    os.kill(left, signal.SIGSTOP)
    fresh.kill()
    process = fresh.launch()
    _await(lambda: fresh.stdout.count(step) > 1 and bool(_initdbs(process.pid)))
    for pid in descendants(left):
        os.kill(pid, signal.SIGKILL)
    # It says now that its child was killed, and removes what it has created.
    os.kill(left, signal.SIGCONT)
    _await(lambda: READY in fresh.stdout or process.poll() is not None)
    assert process.poll() is None, fresh.stderr
    assert [path.name for path in (fresh.data_dir / "postgres").glob("data*")] == ["data"]


def _kill_at(instance: Instance, step: str) -> None:
    before = instance.stdout.count(step)
    instance.launch()
    _await(lambda: instance.stdout.count(step) > before)
    instance.kill()
    instance.kill_server()


def _initdbs(pid: int) -> list[int]:
    """Returns the processes of initdb that this process has started."""
    found: list[int] = []
    for child in descendants(pid):
        with suppress(OSError):
            if Path(f"/proc/{child}/comm").read_text().strip() == "initdb":
                found.append(child)
    return found


def _import(instance: Instance, file: Path) -> subprocess.Popen[str]:
    return instance.launch_qm("import", "--no-wait", "--json", file)


def _call(instance: Instance, tool: str) -> int:
    """Calls a tool and returns the number of its row, which the answer carries."""
    arguments = {"text": "hello"}
    result = anyio.run(functools.partial(call_tool, instance.run_file, tool, arguments))
    assert not result.is_error
    provenance: dict[str, Any] = (result.meta or {})[PROVENANCE_KEY]
    return provenance["id"]


async def _search(run: RunFile, query: str) -> list[str]:
    async with connect(run) as client:
        found = await client.call_tool("search_tools", {"query": query})
    tools: list[dict[str, Any]] = found.structured_content["tools"]
    return [tool["name"] for tool in tools]


def _await(condition: Callable[[], bool]) -> None:
    assert wait_until(condition, START_S)


def _is_ready(instance: Instance) -> bool:
    """With its database: without one it answers, too, and says outage."""
    answer = httpx2.get(f"{instance.run_file.url}/readyz")
    return (answer.status_code, answer.json()["status"]) == (200, "ready")


def _names(instance: Instance) -> set[str]:
    """Returns the tools that are there beside those of Quartermaster's own doors."""
    found = instance.rows(
        "select i.name from catalog.item as i inner join catalog.origin as o on o.id = i.origin_id"
        " where i.kind = 'tool' and o.transport <> 'built-in'"
    )
    return {name for (name,) in found}


def _tools(instance: Instance) -> int:
    return len(_names(instance))


def _spooled(instance: Instance) -> str:
    paths = (instance.data_dir / "spool").glob("*.jsonl")
    return "".join(path.read_text() for path in paths)


def _outcomes(instance: Instance) -> list[str]:
    return [outcome for (outcome,) in instance.rows("select outcome from calls.call")]


def _duplicates(instance: Instance) -> list[tuple[Any, ...]]:
    return instance.rows(
        "select item_id, version from catalog.item_version"
        " group by item_id, version having count(*) > 1"
        " union all select item_id, -1 from catalog.item_version"
        " where valid_to is null group by item_id having count(*) > 1"
    )


@pytest.fixture(scope="module")
def tools_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five batches of tools."""
    path = tmp_path_factory.mktemp("import") / "tools.jsonl"
    with path.open("w") as file:
        for number in range(TOOLS):
            tool = {
                "origin": f"origin {number % 20}",
                "name": f"tool_{number}",
                "description": f"Does the thing that has number {number}, as nobody else can.",
            }
            file.write(json.dumps(tool) + "\n")
    return path
