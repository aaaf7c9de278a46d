"""How pytest runs our tests: their order, which process runs which, and what a run shares."""

from __future__ import annotations

import gc
import os
import re
from collections.abc import Generator
from contextlib import ExitStack
from typing import Any

import pytest
from xdist.scheduler import LoadFileScheduling

from tests.support import authorities
from tests.support.place import new_place
from tests.support.rewriting import rewrite_share

SHARED = "QM_TEST_SHARED"
# Their files take a minute or more each: begun last, one would go on when all else is done.
# In front of the folder is that of a kind, or of the lab, or nothing.
LONG = re.compile(
    r"(kinds/\w+/|lab/)?tests/(first_minute/|e2e/|bench/|sql/|service/workers/"
    r"|service/test_own_gate\.py|install/test_wheel\.py)"
)
# Files that share something, by what it is, mostly a running Quartermaster: each process that ran
# one of them would make its own, which then goes on to the end.
TOGETHER = {
    "with starters": {
        "tests/e2e": ("clients", "first_screen", "first_trial", "inspector", "psql", "up")
    },
    "hostile": {
        "tests/attack": (
            "answer_with_rubbish",
            "become_admin_with_a_clients_key",
            "outlive_the_service",
            "reach_the_database_and_the_door",
            "reach_the_service_by_its_process",
            "read_the_files_of_others",
        ),
    },
    "crowd": {
        "tests/attack": (
            "act_after_a_revocation",
            "confuse_the_parsers",
            "hold_the_interpreter",
            "stop_a_server_for_others",
            "take_all_project_work",
            "take_all_sessions",
            "take_the_places_of_others",
        ),
    },
    "mallory": {
        "tests/attack": (
            "bomb_objects_further",
            "break_by_content_further",
            "hold_the_interpreter_further",
            "quiet_a_gate_further",
            "read_the_history_of_others_further",
            "read_through_a_git_folder_further",
            "wait_at_a_special_file_further",
        ),
    },
    "commands": {
        "tests/service/cli": (
            *("audit", "connect", "import", "job", "key", "model", "origin", "printed_commands"),
            *("repair", "secret", "service_client", "snapshot", "teachings", "terminal", "tool"),
        ),
        "kinds/quality/tests/service": ("commands",),
    },
    "a house": {"kinds/quality/tests/service": ("degradation", "tools", "upstream_bugs")},
    "a shop": {"clients/tests": ("python", "typescript")},
    "an installed wheel": {"tests/install": ("non_root", "own_user", "wheel")},
}
TOGETHER_BY_FILE = {
    f"{folder}/test_{name}.py": instance
    for instance, folders in TOGETHER.items()
    for folder, names in folders.items()
    for name in names
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest files come first, so that processes that share the work end together."""
    items.sort(key=lambda item: not LONG.match(item.nodeid))


class _ByFile(LoadFileScheduling):
    """The tests of a file are run by one process, and so are those of `TOGETHER`."""

    def _split_scope(self, nodeid: str) -> str:
        file = super()._split_scope(nodeid)
        return TOGETHER_BY_FILE.get(file, file)


def pytest_configure(config: pytest.Config) -> None:
    """The first process of a run makes a folder for all of them, also for those of a test.

    Tables have the width that they have in forks, so that tests find texts in one line.
    """
    os.environ["COLUMNS"] = "200"
    authorities.read_once()
    if SHARED not in os.environ:
        stack = ExitStack()
        os.environ[SHARED] = str(stack.enter_context(new_place("qm-shared-")))
        stack.callback(os.environ.pop, SHARED)
        config.add_cleanup(stack.close)
    if worker := getattr(config, "workerinput", None):
        rewrite_share(config, int(worker["workerid"].removeprefix("gw")), worker["workercount"])


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Yields what is collected lives as long as the process: the garbage collector need not look at
    it.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        # Tests leave little garbage in cycles: looking for it after each 700 objects takes long.
        gc.set_threshold(50_000)
        gc.enable()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadFileScheduling | None:
    return _ByFile(config, log) if config.getoption("dist") == "loadfile" else None
