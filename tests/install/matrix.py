"""A database of its own and a shared one, with and without superuser rights, on both servers, from
the installation to the removal, with the commands that a person enters:
`python -m tests.install.matrix`, as a table.

In each cell, the shop's reader connects and asks every 100 ms, before, during and after. Each step
works or is refused in one sentence.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from time import perf_counter
from typing import Final, LiteralString, cast

import anyio
import psycopg

from quartermaster.doors.mcp.own_client import connect
from quartermaster.install.bundle import bundle
from quartermaster.substrate import binaries
from tests.install.test_managed import of_owner, restore_as_owner
from tests.install.test_shared import rights_of_others
from tests.support import landings
from tests.support.database import Database, Server, runtime_dir, with_parts
from tests.support.filled import counted
from tests.support.instance import QM, Instance, new_instance
from tests.support.look_alikes import (
    LOOK_ALIKES,
    PASSWORD,
    LookAlike,
    another_database,
    new_server,
)
from tests.support.next_release import write_next_release
from tests.support.place import new_place
from tests.support.shop import Reader, as_reader, open_shop, reading

SUPERUSER: Final = "superuser"
_GOAL: Final = "echo a text"
_FILLED: Final = """
select api.put_organisation('zoo', 'Animals');
select api.import_items('tool', '[{"origin": "o", "name": "count_zebras"}]');
select api.create_principal('zoe');
"""
# The program of the next release.
_NEXT: Final = """
import sys
from pathlib import Path
from quartermaster.cli import main
from quartermaster.install import discover
folder = Path(sys.argv.pop(1))
discover.database_folder = lambda: folder
main()
"""
_OURS: LiteralString = """
select 'role ' || r.rolname from pg_roles as r where r.rolname ~ '^qm_'
union all
select 'schema ' || n.nspname from pg_namespace as n
where n.nspname in ('core', 'api', 'service', 'ext')
union all
select 'extension ' || e.extname from pg_extension as e where e.extname <> 'plpgsql'
"""


# What differs each time in a sentence, and what stands for it.
_DIFFERS: Final = (
    (r"qm_test_\d+_\d+", "NAME"),
    (r"port=\d+ ?", ""),
    (r"(sslrootcert=)[^\s']+", r"\1FILE"),
    (", sessions of shop_reader", ""),
)


class MismatchError(Exception):
    """A step did something else than it should."""


@dataclass(frozen=True)
class Cell:
    """A database, who installs into it, and the server.

    Attributes:
        is_shared: whether the tables of the shop are in it; else they are in another one.
        administrator: ``superuser``, or the name of a look-alike.
        server: postgresql-17 or postgresql-18.
    """

    is_shared: bool
    administrator: str
    server: str

    def __str__(self) -> str:
        database = "shared" if self.is_shared else "own"
        return f"{database}, {self.administrator}, {self.server}"


CELLS: Final = [
    Cell(*chosen)
    for chosen in product(
        (False, True), (SUPERUSER, *LOOK_ALIKES), ("postgresql-17", "postgresql-18")
    )
]


STEPS: Final = (
    "install",
    "qm up",
    "psql",
    "MCP",
    "call",
    "upgrade",
    "next release",
    "restore",
    "uninstall",
)


@dataclass
class Outcome:
    """What became of a cell.

    Attributes:
        seconds: of each step.
        sentences: of the steps that were refused or left something.
        wrong: what a step did otherwise than it should.
        reader: what the shop's reader was told.
    """

    seconds: dict[str, float] = field(default_factory=dict[str, float])
    sentences: dict[str, str] = field(default_factory=dict[str, str])
    wrong: str = ""
    reader: Reader = field(default_factory=Reader)

    @property
    def is_right(self) -> bool:
        """Whether every step did what it should, and the reader noticed nothing."""
        return not self.wrong and not self.reader.refusals and set(self.reader.answers) == {2}


@contextmanager
def handed_over(cell: Cell, server: Server) -> Generator[LookAlike]:
    """Provides the database of the cell, empty."""
    if cell.administrator == SUPERUSER:
        with server.empty() as database:
            yield LookAlike(server, database, database.dsn)
    else:
        with LOOK_ALIKES[cell.administrator](server) as made:
            yield made


def trial(cell: Cell, instance: Instance, folder: Path) -> Outcome:
    """Tries everything in a cell, on a server of its own.

    Args:
        cell: which one.
        instance: not started yet.
        folder: for files.
    """
    with (
        new_server(cell.server) as server,
        handed_over(cell, server) as made,
        server.empty() as other,
    ):
        of_provider = Database(made.database.name, made.provider_dsn, made.database.service_dsn)
        of_shop = of_provider if cell.is_shared else other
        open_shop(of_shop)
        with reading(of_shop) as reader:
            outcome = _Trial(cell, made, instance, folder).outcome()
        outcome.reader = reader
    return outcome


class _Trial:
    """The steps in one cell."""

    def __init__(self, cell: Cell, made: LookAlike, instance: Instance, folder: Path) -> None:
        self._cell, self._made, self._instance, self._folder = cell, made, instance, folder
        instance.options += ["--dsn", made.dsn]
        self._rights = rights_of_others(self._of_provider(made))
        self._there = set(self._ours())

    def outcome(self) -> Outcome:
        """Returns all steps, in order; after one that went wrong, the others would say little."""
        outcome = Outcome()
        steps: list[Callable[[], str]] = [
            self._install,
            self._serve,
            self._search_in_psql,
            lambda: anyio.run(self._search_over_mcp),
            lambda: anyio.run(self._call),
            self._upgrade,
            self._upgrade_to_next,
            self._restore,
            self._uninstall,
        ]
        for name, step in zip(STEPS, steps, strict=True):
            began = perf_counter()
            try:
                report = step()
            except (MismatchError, AssertionError, psycopg.Error) as error:
                outcome.wrong = f"{name}: {self._plain(str(error))}"
                break
            outcome.seconds[name] = perf_counter() - began
            if report:
                outcome.sentences[name] = self._plain(report)
        return outcome

    def _install(self) -> str:
        self._prepare(self._made)
        if not self._cell.is_shared:
            self._qm("install", "--dsn", self._made.dsn)
            return ""
        report = self._refused("database_shared", "install", "--dsn", self._made.dsn)
        self._qm("install", "--shared", "--dsn", self._made.dsn)
        return f"without `--shared`: {report}"

    def _serve(self) -> str:
        self._instance.start()
        self._instance.add_upstream("leaf", "leaf_server.py", "stdio")
        self._qm("doctor")
        return ""

    def _search_in_psql(self) -> str:
        """Returns the administrator, and a colleague with a login of her own."""
        self._qm("principal", "create", "ada", "--kind", "person")
        self._psql(self._made.dsn, "create role ada login password 'x'")
        report = json.loads(self._qm("principal", "map-role", "ada", "ada", "--json"))
        for statement in report["next_steps"]:
            self._psql(self._made.dsn, statement)
        database = self._made.database.name
        of_ada = with_parts(self._made.dsn, database=database, user="ada", password="x")
        # What map-role prints sets her path in a shared database; that of the administrator stays.
        api = "api." if self._cell.is_shared else ""
        for dsn, schema in ((self._made.dsn, api), (of_ada, "")):
            found = self._psql(dsn, f"select name from {schema}select_tools('{_GOAL}')")
            self._require("leaf__echo" in found, f"psql finds {found}")
        return ""

    async def _search_over_mcp(self) -> str:
        async with connect(self._instance.run_file) as client:
            found = await client.call_tool("search_tools", {"query": _GOAL})
        offered = cast("dict[str, list[dict[str, str]]]", found.structured_content or {})
        names = [tool["name"] for tool in offered.get("tools", [])]
        self._require("leaf__echo" in names, f"MCP finds {names}")
        return ""

    async def _call(self) -> str:
        async with connect(self._instance.run_file) as client:
            call = {"name": "leaf__echo", "arguments": {"text": "hello"}}
            answer = await client.call_tool("call_tool", call)
        self._require(not answer.is_error, str(answer.content))
        return ""

    def _upgrade(self) -> str:
        """From the landing before, in a second database: some of them lock the reader out."""
        before, script = landing_before()
        with self._another() as older:
            self._prepare(older)
            sharing = {"PGOPTIONS": "-c qm.shared=on"} if self._cell.is_shared else {}
            if self._cell.administrator != SUPERUSER:
                # As the installer does it, without the extensions that only a superuser may create.
                script = script.replace("count(*) > 0 as offered", "count(*) < 0 as offered")
            done = self._run_psql(older.dsn, script, sharing)
            if done.returncode:
                self._qm("install", "--dsn", older.dsn, *["--shared"] * self._cell.is_shared)
                return f"{before} cannot be installed: {_errors(done.stderr)}"
            self._fill_and_update(older, self._instance)
            if not self._cell.is_shared or "qm.shared" in script:
                return f"from {before}"
            report = self._refused("database_not_shared", "install", "--shared", "--dsn", older.dsn)
            self._remove(older)
            self._qm("install", "--shared", "--dsn", older.dsn)
            with psycopg.connect(as_reader(self._of_provider(older))):
                return f"from {before}, as it was. To share: {report}"

    def _upgrade_to_next(self) -> str:
        with self._another() as older, new_place("qm-next-") as folder:
            write_next_release(folder)
            self._prepare(older)
            self._qm("install", "--dsn", older.dsn, *["--shared"] * self._cell.is_shared)
            program = [sys.executable, "-c", _NEXT, folder]
            later = Instance(self._folder, environment={}, qm=program)
            self._fill_and_update(older, later)
            with psycopg.connect(older.provider_dsn) as connection:
                motto = "select count(*) > 0 from policy.organisation where motto = upper(name)"
                self._require(connection.execute(motto).fetchone() == (True,), "no data moved")
        return ""

    def _fill_and_update(self, older: LookAlike, program: Instance) -> None:
        done = self._run_psql(older.dsn, _FILLED)
        self._require(done.returncode == 0, done.stderr)
        before = self._counted(older)
        # Migration 0029 keeps it elsewhere.
        before.pop("core.prior_state", None)
        updated = program.qm("install", "--dsn", older.dsn)
        self._require(updated.returncode == 0, updated.stderr)
        after = self._counted(older)
        # It counts the objects of the installation.
        after["core.installed_object"] = before.get("core.installed_object", 0)
        lost = [table for table, rows in before.items() if rows > after.get(table, 0)]
        self._require(not lost, f"lost: {lost}")
        found = self._psql(older.dsn, "select name from api.select_tools('count the zebras')")
        self._require("o__count_zebras" in found, f"psql finds {found}")

    def _restore(self) -> str:
        """Into another database of the same server, as docs/runbooks.md and docs/managed.md say."""
        self._instance.stop()
        dump = self._folder / "qm.dump"
        is_superuser = self._cell.administrator == SUPERUSER
        options = [] if is_superuser else of_owner(self._made.dsn)
        self._run_program("pg_dump", "--format=custom", f"--file={dump}", *options, self._made.dsn)
        with self._another(with_shop=False) as copy:
            if is_superuser:
                self._run_program("pg_restore", "--exit-on-error", f"--dbname={copy.dsn}", dump)
            else:
                self._prepare(copy)
                restore_as_owner(dump, copy)
            self._qm("install", "--dsn", copy.dsn)
            self._qm("doctor", "--dsn", copy.dsn)
            self._require(self._counted(copy) == self._counted(self._made), "rows differ")
            found = self._psql(copy.dsn, f"select name from api.select_tools('{_GOAL}')")
            self._require("leaf__echo" in found, f"psql finds {found}")
        return ""

    def _uninstall(self) -> str:
        report = self._remove(self._made)
        self._psql(self._made.dsn, "drop role ada")
        left = sorted(set(self._ours()) - self._there)
        rights = rights_of_others(self._of_provider(self._made))
        self._require(rights == self._rights, "rights of others differ")
        return " ".join([*report, *[f"Left: {', '.join(left)}."] * bool(left)])

    def _remove(self, place: LookAlike) -> list[str]:
        """Removes an installation, with the name typed; what stays."""
        done = self._instance.qm("uninstall", "--dsn", place.dsn, stdin=f"{place.database.name}\n")
        self._require(done.returncode == 0, done.stderr)
        return [line for line in done.stdout.splitlines() if " stays: " in line]

    def _prepare(self, place: LookAlike) -> None:
        """What an administrator of the server has to run once."""
        if self._cell.administrator != SUPERUSER:
            script = self._qm("install", "--print-admin-sql", "--dsn", place.dsn)
            done = self._run_psql(place.provider_dsn, script)
            self._require(done.returncode == 0, done.stderr)

    @contextmanager
    def _another(self, *, with_shop: bool = True) -> Generator[LookAlike]:
        """Provides a second database like that of the cell."""
        server = self._made.server
        if self._cell.administrator == SUPERUSER:
            with server.empty() as database:
                yield self._with_shop(LookAlike(server, database, database.dsn), with_shop)
        else:
            with another_database(self._cell.administrator, self._made) as another:
                yield self._with_shop(another, with_shop)

    def _with_shop(self, place: LookAlike, with_shop: bool) -> LookAlike:
        if self._cell.is_shared and with_shop:
            open_shop(self._of_provider(place))
        return place

    def _of_provider(self, place: LookAlike) -> Database:
        return Database(place.database.name, place.provider_dsn, place.database.service_dsn)

    def _counted(self, place: LookAlike) -> dict[str, int]:
        return counted(self._of_provider(place))

    def _ours(self) -> list[str]:
        with psycopg.connect(self._made.provider_dsn) as connection:
            return [str(row[0]) for row in connection.execute(_OURS)]

    def _qm(self, *arguments: str) -> str:
        """Returns what a command prints that has to succeed."""
        done = self._instance.qm(*arguments)
        self._require(done.returncode == 0, f"qm {arguments[0]}: {done.stdout}{done.stderr}")
        return done.stdout

    def _refused(self, slug: str, *arguments: str) -> str:
        """Returns the sentence with which a command is refused."""
        done = self._instance.qm(*arguments, "--json")
        self._require(done.returncode != 0, f"qm {arguments[0]} is not refused")
        error = json.loads(done.stderr.splitlines()[-1])["error"]
        self._require(error["slug"] == slug, str(error))
        return f"{error['message']}. {error['hint']}"

    def _psql(self, dsn: str, statement: str) -> str:
        done = self._run_psql(dsn, statement)
        self._require(done.returncode == 0, done.stderr)
        return done.stdout

    def _run_psql(
        self, dsn: str, script: str, environment: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        options = ["--no-psqlrc", "--quiet", "--tuples-only", "-v", "ON_ERROR_STOP=1"]
        return _program("psql", *options, "--dbname", dsn, script=script, more=environment)

    def _run_program(self, *command: str | Path) -> None:
        done = _program(*command)
        self._require(done.returncode == 0, f"{command[0]}: {done.stderr}")

    def _require(self, holds: bool, otherwise: str) -> None:
        if not holds:
            raise MismatchError(otherwise)

    def _plain(self, text: str) -> str:
        """Without line breaks, secrets, and names that differ each time."""
        assert PASSWORD not in text
        for pattern, plain in _DIFFERS:
            text = re.sub(pattern, plain, text)
        return " ".join(text.split())


def landing_before() -> tuple[str, str]:
    """Returns the name and the script of the last landing that differs from what is here."""
    now = _without_commit(bundle())
    return next(
        (name, script)
        for name, script in reversed(landings.scripts().items())
        if _without_commit(script) != now
    )


def _without_commit(script: str) -> str:
    return re.sub(r"'[0-9a-f]{12,40}'", "null", script)


def _errors(stderr: str) -> str:
    """Returns what PostgreSQL says of the first error."""
    return stderr.partition("ERROR:")[2].partition("\n")[0].strip() or stderr


def _program(
    name: str | Path, *options: str | Path, script: str = "", more: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs a client program of PostgreSQL 18, which is for older servers, too."""
    programs = binaries.installed_at(runtime_dir())
    return subprocess.run(
        [programs / "bin" / name, *options],
        env={**os.environ, "LD_LIBRARY_PATH": str(programs / "lib"), **(more or {})},
        input=script,
        capture_output=True,
        text=True,
    )


def tried(cell: Cell, qm: Sequence[Path] | None = None) -> Outcome:
    """Returns what became of a cell.

    Args:
        cell: which one.
        qm: the program; None: the one of the checkout, in forks.
    """
    with new_place("qm-matrix-") as folder, new_instance(qm=qm) as instance:
        return trial(cell, instance, folder)


def markdown(outcomes: Mapping[Cell, Outcome]) -> str:
    """Returns the table, with the sentences below it."""
    notes: list[str] = []
    lines = ["| database | who | server |" + "".join(f" {name} |" for name in (*STEPS, "reader"))]
    lines.append("|---" * (len(STEPS) + 4) + "|")
    for cell, outcome in outcomes.items():
        fields = str(cell).split(", ")
        for step in STEPS:
            report = outcome.sentences.get(step)
            if report and report not in notes:
                notes.append(report)
            mark = f" ({notes.index(report) + 1})" if report else ""
            taken = outcome.seconds.get(step)
            fields.append("not tried" if taken is None else f"{taken:.1f} s{mark}")
        reader = outcome.reader
        counted = f"{len(reader.answers)} answers, {len(reader.refusals)} refused"
        fields.append(f"{counted}, slowest {reader.longest_s:.2f} s")
        lines.append(f"| {' | '.join(fields)} |")
    lines += ["", *(f"{i}. {note}" for i, note in enumerate(notes, 1))]
    lines += [
        f"WRONG in {cell}: {outcome.wrong}" for cell, outcome in outcomes.items() if outcome.wrong
    ]
    return "\n".join(lines)


def main() -> int:
    """Prints the table; 1 if a step did something else, or the reader was refused."""
    parser = argparse.ArgumentParser(prog="make test-install-matrix", description=__doc__)
    parser.add_argument("--only", default="", help="cells whose names contain this")
    chosen = parser.parse_args()
    outcomes: dict[Cell, Outcome] = {}
    for cell in CELLS:
        if chosen.only in str(cell):
            sys.stderr.write(f"{cell}\n")
            outcomes[cell] = tried(cell, [QM])
    sys.stdout.write(f"{markdown(outcomes)}\n")
    return int(not all(outcome.is_right for outcome in outcomes.values()))


if __name__ == "__main__":
    sys.exit(main())
