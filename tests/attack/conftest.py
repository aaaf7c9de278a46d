"""A running Quartermaster with a hostile upstream, and the table of what was tried."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest
from _pytest.terminal import TerminalReporter

from tests.support import slow_server
from tests.support.instance import Instance, new_instance
from tests.support.member import Member
from tests.support.process_ends import ends

KEY = "cnryQm7x-private-key"
# After the folder of a kind, too.
FOLDER = "tests/attack/"
_WATCHED, _ENDED = "watched", "ended by itself"


@pytest.fixture(autouse=True)
def process_ends(record_property: Callable[[str, object], None]) -> Generator[None]:
    """Fails if a process of a service or of PostgreSQL ends by itself meanwhile, for the table."""
    before = ends()
    yield
    after = ends()
    new = [line for name, lines in after.items() for line in lines[len(before.get(name, ())) :]]
    for name in after:
        record_property(_WATCHED, name)
    for line in new:
        record_property(_ENDED, line)
    assert not new


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


class Crowd:
    """A running service with a slow origin, an origin whose server dies, and several principals.

    Attributes:
        instance: the service.
        url: its address.
    """

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.url = instance.run_file.url

    def key(self, name: str) -> str:
        """Returns a key of a new principal with the role user."""
        self.succeed("principal", "create", name)
        return self.succeed("key", "create", name).split()[0]

    def succeed(self, *command: str) -> str:
        """Returns what a command prints."""
        done = self.instance.qm(*command)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@pytest.fixture(scope="session")
def crowd(stopped_data_dir: Path) -> Generator[Crowd]:
    with slow_server.running() as url, new_instance(copy_of=stopped_data_dir) as instance:
        instance.start()
        crowd = Crowd(instance)
        crowd.succeed("origin", "add", "slow", "--url", url, "--yes")
        instance.add_upstream("rude", "rude_server.py")
        yield crowd
        assert instance.stop() == 0


class Village:
    """A running service with members of projects.

    Attributes:
        instance: the service.
        mallory: writes in the folder of her project what she likes.
        alice: works in a project of her own.
    """

    def __init__(self, instance: Instance, place: Path) -> None:
        self.instance = instance
        self.mallory = Member(instance, "mallory", place / "village" / "mallory")
        self.alice = Member(instance, "alice", place / "village" / "alice")
        self.alice.commit()


@pytest.fixture(scope="session")
def village(stopped_data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Generator[Village]:
    with new_instance(copy_of=stopped_data_dir) as instance:
        yield Village(instance.start(), tmp_path_factory.mktemp("place"))
        assert instance.stop() == 0


@pytest.fixture
def mallory(village: Village) -> Generator[Member]:
    """An attacker with an empty project. What the service logs meanwhile is no stack trace."""
    village.mallory.clear()
    before = len(village.instance.stderr)
    yield village.mallory
    said = village.instance.stderr[before:]
    assert "Traceback" not in said, said


def pytest_terminal_summary(terminalreporter: TerminalReporter) -> None:
    """What the attacker wanted, how many attempts were made, how many of them were held, and which
    processes ended by themselves.
    """
    counts = Counter[tuple[str, str]]()
    for outcome in ("passed", "failed", "error", "skipped"):
        for report in terminalreporter.stats.get(outcome, []):
            name = getattr(report, "nodeid", "").partition("::")[0]
            if FOLDER in name:
                counts[name, outcome] += 1
    if not counts:
        return
    terminalreporter.section("attacks")
    terminalreporter.line(f"{'what the attacker wants':50} tried   held  not tried")
    for name in sorted({name for name, _ in counts}):
        wish = Path(name).stem.removeprefix("test_").replace("_", " ")
        held, skipped = counts[name, "passed"], counts[name, "skipped"]
        tried = held + counts[name, "failed"] + counts[name, "error"]
        terminalreporter.line(f"{wish:50} {tried:5} {held:6} {skipped:10}")
    summary = [
        each
        for reports in terminalreporter.stats.values()
        for report in reports
        if getattr(report, "when", None) == "teardown"
        for each in report.user_properties
    ]
    lines = [line for what, line in summary if what == _ENDED]
    watched = {name for what, name in summary if what == _WATCHED}
    terminalreporter.line(
        f"process ends: {len(lines)} (of {len(watched)} services and servers of PostgreSQL)"
    )
    for line in lines:
        terminalreporter.line(f"  {line}")
