"""What a person sees at the first start, whatever works on their machine."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

import anyio
import pytest
from mcp_types import CallToolResult

from quartermaster.cli.welcome import EXAMPLES, HINTS
from quartermaster.doors.mcp.bridge_tools import SEARCH_TOOLS
from quartermaster.doors.mcp.own_client import connect
from quartermaster.starter.catalog import load_starters
from quartermaster.upstream.confinement import confinement
from tests.support.instance import QM, START_S, Instance, new_instance
from tests.support.waiting import wait_until

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

_STYLE = re.compile(r"\x1b\[[0-9;]*m")
_CLOSED = "http://127.0.0.1:9/"
_COMMANDS = ("Next: ", "psql  ", "Log  ", "Call: ", "QM_DATA_DIR=", "alias qm=")
_GOAL = "book a flight to the moon"


def registries(folder: Path, url: str) -> dict[str, str]:
    """Returns the environment in which both registries are at this address, and nothing is kept
    from before.
    """
    return {
        "PIP_INDEX_URL": url,
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_NO_CACHE_DIR": "1",
        "PIP_DEFAULT_TIMEOUT": "300",
        "npm_config_registry": url,
        "npm_config_cache": str(folder / "npm"),
        "npm_config_fetch_timeout": "300000",
    }


def check(instance: Instance, **environment: str) -> subprocess.CompletedProcess[str]:
    """``qm up --check`` as a person enters it, to its end."""
    return subprocess.run(
        [QM, "up", "--port", "0", "--check"],
        env=instance.environment | environment,
        capture_output=True,
        text=True,
        timeout=START_S,
        cwd="/",
    )


@contextmanager
def silent_registry() -> Generator[str]:
    """Takes connections and answers nothing, until the block ends."""
    taken: list[socket.socket] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def take() -> None:
            with suppress(OSError):
                while True:
                    taken.append(server.accept()[0])

        thread = threading.Thread(target=take)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.getsockname()[1]}/"
        finally:
            server.shutdown(socket.SHUT_RDWR)
            thread.join()
            for connection in taken:
                connection.close()


def search(instance: Instance) -> CallToolResult:
    """As an agent."""

    async def ask() -> CallToolResult:
        async with connect(instance.run_file) as client:
            return await client.call_tool(SEARCH_TOOLS, {"query": _GOAL})

    return anyio.run(ask)


def hints(instance: Instance) -> list[bool]:
    """Returns whether a search without a result says that servers are on their way: over MCP, of
    `qm`, and in SQL.
    """
    found = search(instance)
    shown = instance.qm("search", _GOAL)
    select = f"select name from select_tools('{_GOAL}')"
    asked = instance.qm("psql", "--admin", "-c", select)
    report = "More tools will be available soon"
    over_mcp = "onTheirWay" in (found.structured_content or {})
    assert over_mcp == (report in found.model_dump_json())
    return [over_mcp, report in shown.stdout + shown.stderr, report in asked.stderr]


def test_a_search_says_that_servers_are_on_their_way_until_they_cannot_come(
    installed: Instance, tmp_path: Path
) -> None:
    with silent_registry() as url:
        installed.environment |= registries(tmp_path, url)
        installed.options.remove("--no-starter")
        installed.launch()
        assert wait_until((installed.data_dir / "run.json").exists, START_S)
        assert wait_until(lambda: "installing the starter servers" in installed.stdout)
        assert hints(installed) == [True, True, True]
        report = installed.qm("status").stdout
        assert f"servers being installed: {len(load_starters())}" in report
    assert wait_until(lambda: "No server works" in installed.stdout, START_S), installed.stdout
    assert hints(installed) == [False, False, False]


def test_a_search_says_so_no_more_once_they_are_there(instance: Instance) -> None:
    assert hints(instance) == [False, False, False]


def test_each_starter_has_one_line_and_the_screen_fits_into_80_columns() -> None:
    with new_instance(with_starters=True) as instance:
        shown = check(instance, COLUMNS="80", FORCE_COLOR="1")
        log = (instance.data_dir / "log" / "service.log").read_text().splitlines()
    lines = _STYLE.sub("", shown.stdout).splitlines()
    assert shown.returncode == 0, shown.stdout
    for starter in load_starters():
        report = [line for line in lines if f"  {starter.name}: " in line]
        assert len(report) == 1, shown.stdout
        is_here = starter.network == "none" or confinement().has_own_network
        assert re.search(r": ready, \d+ tools?$" if is_here else ": left out: ", report[0])
    assert f"Goal: {EXAMPLES[0].goal}" in lines
    too_long = [line for line in lines if len(line) > 80]
    assert not [line for line in too_long if not any(each in line for each in _COMMANDS)], too_long
    # What is logged stands in the file, and not between the steps.
    assert "refresh_done" in {json.loads(line)["event"] for line in log}
    assert "{" not in shown.stdout.partition("Goal:")[0]
    assert shown.stderr == ""


def test_the_example_and_the_suggestions_are_about_what_works(
    stopped_data_dir: Path, tmp_path: Path
) -> None:
    environment = registries(tmp_path, _CLOSED)
    with new_instance(
        with_starters=True, environment=environment, copy_of=stopped_data_dir
    ) as instance:
        starters = instance.data_dir / "upstreams"
        cache = starters.resolve()
        starters.unlink()
        starters.mkdir()
        for name in ("filesystem", "memory"):
            (starters / name).symlink_to(cache / name)
        report = instance.start().stdout
    assert "time: left out: no network: PyPI cannot be reached. Next: " in report
    assert report.count("cannot be reached") == 1, "the reason is not repeated"
    assert "  git: left out, too\n" in report
    [example] = [each for each in EXAMPLES if each.server == "filesystem"]
    assert f"Goal: {example.goal}\n" in report
    assert "Result: Welcome to Quartermaster." in report
    suggested = [tool for goal, tool in HINTS.items() if f"'{goal}'" in report]
    assert suggested == ["filesystem__list_directory", "memory__search_nodes"]


def test_if_nothing_works_it_says_so_with_the_remedy_and_the_check_fails(
    installed: Instance, tmp_path: Path
) -> None:
    shown = check(installed, **registries(tmp_path, _CLOSED))
    again = check(installed, **registries(tmp_path, _CLOSED))
    assert shown.returncode == again.returncode == 1
    report = shown.stdout.splitlines()
    assert re.search(r"No server works, so there is no example\. Next: \S*.*qm up$", report[-1])
    assert "Traceback" not in shown.stdout
    assert "{" not in shown.stdout
    assert shown.stderr == ""


@pytest.mark.parametrize("is_found", [True, False])
def test_the_screen_says_what_qm_is_where_the_shell_does_not_find_it(
    installed: Instance, *, is_found: bool
) -> None:
    folders = [os.defpath, str(Path(QM).parent)][: 1 + is_found]
    installed.environment["PATH"] = os.pathsep.join(folders)
    report = installed.start().stdout
    assert (f"Command  alias qm={QM}\n" in report) is not is_found, report


def test_a_server_that_fails_is_told_with_where_to_look(installed: Instance) -> None:
    installed.start()
    added = installed.qm("origin", "add", "broken", "--command", "no-such-program", "--yes")
    assert added.returncode == 1
    assert installed.stop() == 0
    installed.start()
    report = installed.stdout.splitlines()
    assert [line for line in report if "  broken: failing: " in line and "Next: " in line]


def test_the_goals_of_all_examples_and_suggestions_are_served_rightly(instance: Instance) -> None:
    right = {**{each.goal: each.tool for each in EXAMPLES}, **HINTS}
    found = {goal: instance.qm_json("search", goal)["tools"][0] for goal in right}
    assert {goal: tool["name"] for goal, tool in found.items()} == right
    assert not [goal for goal, tool in found.items() if tool["weak"]]
