"""Measures each client on each desk in each way; one file each, so that a run can go on later."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, Final

import anyio

from lab.clients import others
from lab.clients.conversations import Found, Way, bare, hold
from lab.clients.desks import Desk, read_desk, serving
from quartermaster.clients.own_entry import SERVER
from quartermaster.doors.mcp.bridge_tools import SEARCH_TOOLS
from tests.clients.programs import PROGRAMS, Address, Program
from tests.support.instance import Instance, new_instance
from tests.support.waiting import wait_until

RESTATED_CLIENTS: Final = ("fastmcp", "vs-code")
CLIENTS: Final = (*(program.name for program in PROGRAMS), *RESTATED_CLIENTS)
CHARACTERS_OF_A_TOKEN: Final = 4
# Our three tools, and what a search may have added.
_FEW: Final = 20
_EMBEDDED_S: Final = 300.0


@dataclass(frozen=True)
class Key:
    """What one file is about: a client, a way and a desk."""

    client: str
    way: Way
    desk: str

    def file(self, folder: Path) -> Path:
        """Returns the path of the file."""
        return folder / f"{self.client}.{self.way}.{self.desk}.jsonl"


@dataclass(frozen=True)
class Measured:
    """What was measured.

    Attributes:
        tokens: in the first request of the client to its model, beyond those without any server;
            None where nobody knows.
        sees: whether the model sees our search; see `Offer.sees`.
        found: what was found for each goal and wording.
    """

    tokens: int | None
    sees: str
    found: dict[tuple[str, str], Found] = field(default_factory=dict[tuple[str, str], Found])

    def write(self, path: Path) -> None:
        """Writes JSON lines."""
        lines: list[dict[str, Any]] = [{"tokens": self.tokens, "sees": self.sees}]
        lines += [
            {"goal": goal, "wording": wording, **asdict(one)}
            for (goal, wording), one in self.found.items()
        ]
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")

    @classmethod
    def read(cls, path: Path) -> Measured:
        """Reads what `write` has written."""
        first, *rest = map(json.loads, path.read_text(encoding="utf-8").splitlines())
        found = {
            (row["goal"], row["wording"]): Found(tuple(row["ids"]), row["says_nothing"])
            for row in rest
        }
        return cls(first["tokens"], first["sees"], found)


def measure(
    folder: Path,
    desks: tuple[str, ...],
    clients: tuple[str, ...],
    ways: tuple[Way, ...],
    qm: Path | None = None,
) -> Iterator[str]:
    """Measures what the folder lacks; yields a line about each.

    Args:
        folder: of the files.
        desks: names of the desks.
        clients: names of the clients.
        ways: how the servers are connected.
        qm: the program of another checkout that is measured; None: this one.
    """
    for name in desks:
        keys = [Key(client, way, name) for way, client in product(ways, clients)]
        lacking = [key for key in keys if not key.file(folder).exists()]
        if not lacking:
            continue
        desk = read_desk(name)
        with serving(desk.servers) as urls:
            direct = {server: Address(url) for server, url in urls.items()}
            yield from _measure_each(folder, desk, lacking, {"direct": direct})
            if any(key.way != "direct" for key in lacking):
                with quartermaster(urls, qm) as instance:
                    yield from _measure_each(folder, desk, lacking, _doors(instance))


def _measure_each(
    folder: Path, desk: Desk, keys: list[Key], ways: Mapping[Way, Mapping[str, Address]]
) -> Iterator[str]:
    for key in keys:
        servers = ways.get(key.way)
        if servers is None:
            continue
        if key.way == "list" and not has_all(servers):
            yield f"{key.client} {key.way} {key.desk}: skipped, no /mcp?list=all in this version"
            continue
        found = _measured(key.client, desk, key.way, servers)
        found.write(key.file(folder))
        yield f"{key.client} {key.way} {key.desk}: {len(found.found)} searches"


def _measured(client: str, desk: Desk, way: Way, servers: Mapping[str, Address]) -> Measured:
    for program in PROGRAMS:
        if program.name == client:
            return _of_program(program, desk, way, servers)
    if way == "search":
        [ours] = servers.values()
        listed, found = anyio.run(others.search_ours, desk, ours)
        tokens = listed.characters // CHARACTERS_OF_A_TOKEN
        return Measured(tokens, "loaded", found)
    tools = anyio.run(others.list_all, servers).tools
    if client == "vs-code":
        return Measured(None, "hidden", others.restated_vs_code(desk, tools))
    listed, found = anyio.run(partial(others.search_fastmcp, desk, tools))
    return Measured(listed.characters // CHARACTERS_OF_A_TOKEN, "hidden", found)


def _of_program(program: Program, desk: Desk, way: Way, servers: Mapping[str, Address]) -> Measured:
    session = hold(program, desk, way, servers)
    tokens = (session.first.characters - bare(program)) // CHARACTERS_OF_A_TOKEN
    found = session.found
    if way != "search" and program.search is None:
        of_servers = [
            {**tool, "name": name}
            for name, tool in session.first.tools.items()
            if name.startswith("mcp_")
        ]
        found = others.picked(desk, of_servers)
    return Measured(tokens, session.first.sees(SEARCH_TOOLS), found)


def has_all(servers: Mapping[str, Address]) -> bool:
    """Returns whether our list has all tools."""
    return len(anyio.run(others.list_all, servers).tools) > _FEW


def _doors(instance: Instance) -> dict[Way, dict[str, Address]]:
    run = instance.run_file
    headers = {"Authorization": f"Bearer {run.token}"}
    return {
        # A client that searches by itself must not load all that it finds there.
        "list": {SERVER: Address(f"{run.url}/mcp?list=all", headers)},
        "search": {SERVER: Address(f"{run.url}/mcp", headers, is_ours=True)},
    }


@contextmanager
def quartermaster(urls: Mapping[str, str], qm: Path | None = None) -> Generator[Instance]:
    """Provides a Quartermaster with servers, as its user has imported and approved them.

    Args:
        urls: the address of each server.
        qm: the program of another checkout; None: that of this one.
    """
    with new_instance(qm=None if qm is None else [qm]) as instance:
        instance.start()
        entries = {name: {"type": "http", "url": url} for name, url in urls.items()}
        file = instance.data_dir.parent / "servers.json"
        file.write_text(json.dumps({"mcpServers": entries}), encoding="utf-8")
        done = instance.qm("import", file, "--yes")
        if done.returncode != 0:
            raise AssertionError(done.stdout + done.stderr)
        cards = instance.qm_json("card", "list", "--status", "quarantined", "--limit", "1000")
        if withheld := [card["name"] for card in cards]:
            approved = instance.qm("card", "approve", *withheld, "--yes")
            if approved.returncode != 0:
                raise AssertionError(approved.stdout + approved.stderr)
        if not wait_until(lambda: _unembedded(instance) == 0, _EMBEDDED_S):
            raise AssertionError("some tools have no vector yet")
        yield instance


def _unembedded(instance: Instance) -> int:
    with instance.http() as http:
        return http.get("/status").json()["unembedded"]


def read_all(
    folder: Path, desks: tuple[str, ...], client: str, way: Way
) -> list[tuple[str, Measured]]:
    """Returns what was measured on each desk; nothing if a desk lacks."""
    files = [(desk, Key(client, way, desk).file(folder)) for desk in desks]
    if not all(file.exists() for _, file in files):
        return []
    return [(desk, Measured.read(file)) for desk, file in files]
