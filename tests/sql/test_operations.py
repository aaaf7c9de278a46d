"""Role x operation x object, at psql: what is refused, and what is told of things that are hidden.

operations.toml has a row for each function of the schemas api and service. One without a row
fails.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping
from contextlib import ExitStack
from typing import Any, cast

import psycopg
import pytest

from tests.support.database import Database, Server
from tests.support.psql_login import psql_login
from tests.support.sql_files import FUNCTION_FILES, FunctionFile, toml_members

pytestmark = pytest.mark.sql

Connection = psycopg.Connection[tuple[Any, ...]]

OPERATIONS: dict[str, dict[str, Any]] = toml_members("tests/sql/operations.toml")
_SCHEMA_OF = {
    file.parts[-1]: file.parts[0] for file in map(FunctionFile, FUNCTION_FILES) if file.is_operation
}
ROLES = ("nobody", "user", "curator", "operator", "admin", "service")
LOGINS = {
    "nobody": ("qm_user", None),
    "user": ("qm_user", "mallory"),
    "curator": ("qm_user", "cora"),
    "operator": ("qm_operator", "oscar"),
    "admin": ("qm_admin", "boss"),
}
REFUSALS = {"permission denied", "principal_unknown", "curator_required", "service_required"}
THERE, HIDDEN, ABSENT = range(3)
# Names of arguments, and of what they name.
NAMES = {
    "lookup": "table",
    "of_origin": "origin",
    "origin": "origin",
    "origin_id": "origin_id",
    "receipt": "receipt",
    "receipts": "receipt",
    "call_id": "call",
    "handle": "page",
    "project": "project",
}
# The origin bravo and the table place are hidden from everybody; the project secret is somebody's.
ARRANGED = """
select t.make_principal('mallory'), t.make_principal('cora'), t.make_principal('oscar', 'operator');
select t.make_principal('boss', 'admin'), t.make_principal('somebody');
update policy.principal set is_curator = true where name = 'cora';
select t.make_origin('alpha'), t.make_origin('bravo');
select t.make_tools('alpha', 'open', 'close'), t.make_tools('bravo', 'open', 'quarrel');
select t.make_lookups();
select t.make_project('shop', 'somebody', 'mallory', 'cora', 'oscar', 'boss');
select t.make_project('secret', 'somebody');
"""
HIDING = """
select t.make_rules('{"rules": [
    {"effect": "deny", "subject": "everyone", "origins": "bravo"},
    {"effect": "deny", "subject": "everyone", "kinds": "lookup_table", "names": "place"},
    {"effect": "deny", "subject": "everyone", "kinds": "lookup", "origins": "place"}
]}');
"""
# What somebody else has done.
DONE = """
select t.act_as('somebody');
select * from api.search_cards('a secret goal', session => 'theirs');
select
    b.call_id as call,
    service.keep_page(b.call_id, now(), 'a long text', 'text/plain') as page,
    api.last_receipt('a secret goal') as receipt
from service.call_begin('alpha__open', 1, 'a request', gen_random_uuid(), started_at => now()) as b;
"""


class Objects:
    """What the calls of operations.toml name: something there, something hidden, and nothing.

    Args:
        hidden: numbers and handles of what somebody else has done.
        origins: ids of origins by name.
    """

    def __init__(self, hidden: Mapping[str, Any], origins: Mapping[str, int]) -> None:
        absent = 10 * max(hidden["call"], hidden["receipt"], *origins.values())
        self._all: dict[str, tuple[object, object, object]] = {
            "tool": ("alpha__open", "bravo__open", "brbvo__open"),
            "origin": ("alpha", "bravo", "brbvo"),
            "origin_id": (origins["alpha"], origins["bravo"], absent),
            "table": ("plant", "place", "plbce"),
            "receipt": (absent, hidden["receipt"], absent),
            "call": (absent, hidden["call"], absent),
            "project": ("shop", "secret", "secrbt"),
            "page": ("x" * len(hidden["page"]), hidden["page"], "x" * len(hidden["page"])),
            "session": ("mine", "theirs", "nobodys"),
            "goal": ("open", "a secret goal", "a secrbt goal"),
        }

    def named_in(self, call: str) -> list[str]:
        """Returns the objects that a call names."""
        return [name for name in self._all if f"{{{name}}}" in call]

    def put(self, call: str, which: int) -> str:
        """Returns the call with objects that are there (0), hidden (1) or absent (2)."""
        for name in self.named_in(call):
            call = call.replace(f"{{{name}}}", str(self._all[name][which]))
        return call

    def mask(self, call: str, report: str) -> str:
        """Returns what was told, with one word for the hidden and the absent."""
        for name in self.named_in(call):
            for word in self._all[name][1:]:
                report = re.sub(rf"\b{re.escape(str(word))}\b", "OBJECT", report)
        return report


def selecting(call: str) -> str:
    """Returns the statement that makes a call of operations.toml."""
    return f"select * from {_SCHEMA_OF[call.partition('(')[0]]}.{call}"


def report(connection: Connection, call: str) -> tuple[str, str]:
    """Returns how a call ends (the word of its error, or nothing), and all that it tells."""
    said: list[str] = []

    def note(notice: psycopg.errors.Diagnostic) -> None:
        said.append(f"{notice.message_primary} {notice.message_detail} {notice.message_hint}")

    connection.add_notice_handler(note)
    slug = ""
    try:
        rows = connection.execute(selecting(call).encode()).fetchall()
        said.extend(str(row) for row in rows if any(value is not None for value in row))
    except psycopg.Error as error:
        d = error.diag
        is_denied = isinstance(error, psycopg.errors.InsufficientPrivilege)
        slug = "permission denied" if is_denied else d.constraint_name or error.sqlstate or "error"
        said.append(f"{d.sqlstate} {d.message_primary} {d.message_detail} {d.message_hint}")
    finally:
        connection.rollback()
        connection.remove_notice_handler(note)
    return slug, "\n".join(said)


def pages(connection: Connection, call: str) -> int:
    """Returns how many pages a plan counts when everything is cached; 0 if the statement fails."""
    counted: list[int] = []
    for _ in range(8):
        explained = f"explain (analyze, buffers, format json) {selecting(call)}"
        try:
            row = connection.execute(explained.encode()).fetchone()
            assert row
            plan = row[0][0]["Plan"]
            counted.append(plan["Shared Hit Blocks"] + plan["Shared Read Blocks"])
        except psycopg.Error:
            counted.append(0)
        finally:
            connection.rollback()
    return min(counted)


def arrange(database: Database) -> Objects:
    """Returns principals, things that they see, and things that are hidden."""
    with database.connect() as connection:
        connection.execute(ARRANGED.encode())
        done = connection.execute(DONE.encode())
        while done.nextset():
            pass
        names, hidden = [c.name for c in done.description or []], done.fetchone()
        assert hidden
        connection.execute("select t.act_as_superuser()")
        connection.execute(HIDING.encode())
        origins = cast(
            list[tuple[str, int]],
            connection.execute("select name, id from catalog.origin").fetchall(),
        )
    return Objects(dict(zip(names, hidden, strict=True)), dict(origins))


@pytest.fixture(scope="module")
def arranged(sql_server: Server) -> Generator[tuple[Database, Objects]]:
    with sql_server.clone() as database:
        yield database, arrange(database)


@pytest.fixture(scope="module")
def objects(arranged: tuple[Database, Objects]) -> Objects:
    return arranged[1]


@pytest.fixture(scope="module")
def logins(arranged: tuple[Database, Objects]) -> Generator[dict[str, Connection]]:
    """A psql session of each role."""
    with ExitStack() as stack:
        yield {
            who: stack.enter_context(
                psycopg.connect(stack.enter_context(psql_login(arranged[0], role, principal)))
            )
            for who, (role, principal) in LOGINS.items()
        }


def test_every_operation_has_a_row(arranged: tuple[Database, Objects], objects: Objects):
    with arranged[0].connect() as connection:
        found = connection.execute(
            "select p.proname, coalesce(p.proargnames[:p.pronargs], '{}') from pg_proc as p"
            " where p.pronamespace in ('api'::regnamespace, 'service'::regnamespace)"
        ).fetchall()
    assert OPERATIONS.keys() == {name for name, _ in found}
    for name, arguments in found:
        call = OPERATIONS[str(name)]["call"]
        assert call.startswith(f"{name}("), name
        for argument in cast(list[str], arguments):
            # What can be another's or hidden is named, so that it is tried.
            placeholder = NAMES.get(argument)
            if placeholder and OPERATIONS[str(name)]["lowest"] != "service":
                assert placeholder in objects.named_in(call), f"{name}: {argument}"


# What users may run, and what tells operators more: which rule hides something.
TELLS_OPERATORS = {"explain_absence"}


@pytest.mark.parametrize("operation", OPERATIONS)
def test_who_may_run_it(logins: dict[str, Connection], objects: Objects, operation: str):
    row = OPERATIONS[operation]
    call = objects.put(row["call"], THERE)
    for who in LOGINS:
        refusal, said = report(logins[who], call)
        if ROLES.index(who) >= ROLES.index(row["lowest"]):
            assert refusal not in REFUSALS, f"{who}: {said}"
        elif who == "nobody" and "nobody" in row:
            everybodys = report(logins["user"], call)[1] if row["nobody"] == "same" else ""
            assert (refusal, said) == ("", everybodys)
        else:
            assert refusal in REFUSALS, f"{who}: {said}"


@pytest.mark.parametrize(
    "operation", [name for name, row in OPERATIONS.items() if "{" in row["call"]]
)
def test_something_hidden_is_told_like_something_absent(
    logins: dict[str, Connection], objects: Objects, operation: str
):
    row = OPERATIONS[operation]
    call, last = row["call"], row.get("hidden_from", ROLES[-1])
    # Nothing is told to users; who manages origins and tables sees all of them.
    least = "curator" if operation in TELLS_OPERATORS else "operator"
    assert max(ROLES.index(last), ROLES.index(row["lowest"])) >= ROLES.index(least)
    for who in LOGINS:
        if ROLES.index(who) <= ROLES.index(last):
            hidden, absent = (
                objects.mask(call, "\n".join(report(logins[who], objects.put(call, which))))
                for which in (HIDDEN, ABSENT)
            )
            if row.get("varies"):
                hidden, absent = (re.sub(r"\d+(\.\d+)?", "0", text) for text in (hidden, absent))
            assert hidden == absent, who


@pytest.mark.parametrize(
    "operation",
    [
        name
        for name, row in OPERATIONS.items()
        if "{" in row["call"] and row["lowest"] == "user" and not row.get("pages")
    ],
)
def test_plans_count_the_same_pages(
    logins: dict[str, Connection], objects: Objects, operation: str
):
    """EXPLAIN counts them for its caller, without noise, if the statement does not fail."""
    row = OPERATIONS[operation]
    hidden, absent = (
        pages(logins["user"], objects.put(row["call"], which)) for which in (HIDDEN, ABSENT)
    )
    assert hidden == absent
