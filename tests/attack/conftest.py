"""A running Quartermaster with a hostile upstream, and the table of what was tried."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from _pytest.terminal import TerminalReporter

from tests.support.instance import Instance, new_instance

KEY = "cnryQm7x-private-key"
FOLDER = "tests/attack/"


class Hostile:
    """The hostile upstream of a running service.

    Attributes:
        instance: the service.
        home: home of the person who runs it, with an SSH key.
    """

    def __init__(self, instance: Instance, home: Path) -> None:
        self.instance = instance
        self.home = home

    def attempt(self, code: str, **names: Any) -> dict[str, Any]:
        """Has it run Python source with some names; returns ``{found}`` or ``{error, text}``."""
        given = "".join(f"{name} = {value!r}\n" for name, value in names.items())
        answer = self.instance.qm_json(
            "call", "hostile__attempt", json.dumps({"code": given + code})
        )
        return json.loads(answer["content"][0]["text"])


@pytest.fixture(scope="session")
def hostile(stopped_data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Generator[Hostile]:
    home = tmp_path_factory.mktemp("home")
    (home / ".ssh").mkdir()
    (home / ".ssh" / "id_ed25519").write_text(KEY)
    with new_instance(copy_of=stopped_data_dir, environment={"HOME": str(home)}) as instance:
        instance.start()
        instance.add_upstream("hostile", "trespassing_server.py")
        yield Hostile(instance, home)
        assert instance.stop() == 0


def pytest_terminal_summary(terminalreporter: TerminalReporter) -> None:
    """What the attacker wanted, how many attempts were made, and how many of them were held."""
    counts = Counter[tuple[str, str]]()
    for outcome in ("passed", "failed", "error", "skipped"):
        for report in terminalreporter.stats.get(outcome, []):
            name = getattr(report, "nodeid", "").partition("::")[0]
            if name.startswith(FOLDER):
                counts[name, outcome] += 1
    if not counts:
        return
    terminalreporter.section("attacks")
    terminalreporter.line(f"{'what the attacker wants':50} tried   held  not tried")
    for name in sorted({name for name, _ in counts}):
        wish = name.removeprefix(f"{FOLDER}test_").removesuffix(".py").replace("_", " ")
        held, skipped = counts[name, "passed"], counts[name, "skipped"]
        tried = held + counts[name, "failed"] + counts[name, "error"]
        terminalreporter.line(f"{wish:50} {tried:5} {held:6} {skipped:10}")
