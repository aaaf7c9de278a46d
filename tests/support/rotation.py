"""Which of the slow test files a run includes: all, or a third that the commit chooses.

Most of the time of all tests goes into files that install, start or attack whole systems. A landing
runs a third of these files; another commit chooses another third. `slow_files.tsv` lists them:

    python -m tests.support.rotation RESULTS.xml

writes it from the results of a run of all tests (``make test-all ARGS=--junitxml=RESULTS.xml``).
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

import pytest

from tests.support.hooks import TOGETHER_BY_FILE
from tests.support.sql_files import ROOT

THIRDS: Final = 3
# Files that take longer are in the list, except those that are about the change itself.
_SLOW_S: Final = 20.0
_ALWAYS: Final = re.compile(r"(kinds/\w+/)?tests/(lint|sql)/|.*/test_own_gate\.py")
_LIST: Final = Path(__file__).with_name("slow_files.tsv")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the option that says which slow files are run."""
    parser.addoption(
        "--slow-files",
        choices=("all", "rotating"),
        default="all",
        help="rotating: run only the third of the slow test files that the commit chooses",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out the slow files that other commits choose."""
    if files := left_out(config):
        others = [item for item in items if item.nodeid.partition("::")[0] in files]
        items[:] = [item for item in items if item.nodeid.partition("::")[0] not in files]
        config.hook.pytest_deselected(items=others)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Counts and names the files that were left out."""
    if files := left_out(config):
        terminalreporter.section(f"{len(files)} slow test files wait for other commits")
        terminalreporter.write_line(f"to run them now: make test-all\n{' '.join(sorted(files))}")


def slow_files() -> dict[str, float]:
    """Returns the seconds that each slow file took, by its path, the slowest first."""
    lines = (line.split("\t") for line in _LIST.read_text(encoding="utf-8").splitlines())
    return {path: float(seconds) for seconds, path in lines}


def thirds(seconds: dict[str, float]) -> list[set[str]]:
    """Returns three sets of files that take about equally long. Files that share something stay
    together.

    Args:
        seconds: the seconds that each file takes, by its path.
    """
    groups: dict[str, set[str]] = {}
    for path in seconds:
        groups.setdefault(TOGETHER_BY_FILE.get(path, path), set()).add(path)
    taken = [0.0] * THIRDS
    found: list[set[str]] = [set() for _ in taken]
    for paths in sorted(groups.values(), key=lambda each: -sum(map(seconds.__getitem__, each))):
        least = taken.index(min(taken))
        found[least] |= paths
        taken[least] += sum(map(seconds.__getitem__, paths))
    return found


def third_of(commit: str) -> int:
    """Returns the third that a commit chooses, from 0. Without a commit, it is the first."""
    return int(commit[:8] or "0", 16) % THIRDS


def left_out(config: pytest.Config) -> set[str]:
    """Returns the paths of the files that a run with this configuration leaves out."""
    if config.getoption("--slow-files") == "all":
        return set()
    done = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    found = thirds(slow_files())
    found.pop(third_of(done.stdout.strip()))
    return set[str]().union(*found)


def written(results: Path) -> str:
    """Returns the list of the slow files in the results of a run, in the format JUnit XML."""
    seconds: defaultdict[str, float] = defaultdict(float)
    for case in ElementTree.parse(results).getroot().iter("testcase"):
        path = str(case.get("classname")).replace(".", "/")
        while path and not (ROOT / f"{path}.py").is_file():
            path = path.rpartition("/")[0]
        seconds[f"{path}.py"] += float(str(case.get("time")))
    return "".join(
        f"{took:.0f}\t{path}\n"
        for path, took in sorted(seconds.items(), key=lambda each: (-each[1], each[0]))
        if took > _SLOW_S and not _ALWAYS.match(path)
    )


if __name__ == "__main__":
    _LIST.write_text(written(Path(sys.argv[1])), encoding="utf-8")
