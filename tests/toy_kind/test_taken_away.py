"""A folder that the settings name no more: nobody sees anything of it, and nothing is lost."""

from __future__ import annotations

import json
from collections.abc import Generator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.types.json import Jsonb
from typer.testing import CliRunner, Result

from quartermaster.cli import app as cli
from quartermaster.install import apply
from quartermaster.install.doctor import diagnose
from quartermaster.install.installed import is_installed
from quartermaster.install.kind_folder import KindFolder
from tests.support.database import Database, Server
from tests.toy_kind.test_recipes import COOKBOOK, HERE, Kitchen, fill

FOLDER = KindFolder(HERE)
# All that is kept of a kind. The numbers of rights classes are given out anew.
_ROWS_QUERY = """
select 'card', jsonb_agg(to_jsonb(c) - 'rights_class' order by c.id) from search.card as c
union all
select 'item', jsonb_agg(to_jsonb(i) - 'rights_class' order by i.id) from catalog.item as i
union all
select 'version', jsonb_agg(to_jsonb(v) order by v.item_id, v.version)
from catalog.item_version as v
union all
select 'offer', jsonb_agg(to_jsonb(o) order by o.id) from catalog.offer as o
union all
select 'lexical', jsonb_agg(to_jsonb(l) order by l.card_id) from search.lexical as l
union all
select 'vector', jsonb_agg(to_jsonb(e) order by e.kind, e.text_hash) from search.embedding as e
union all
select 'receipt', jsonb_agg(to_jsonb(r) order by r.id) from selection.receipt as r
union all
select 'call', jsonb_agg(to_jsonb(c) order by c.id) from calls.call as c
union all
select 'utility', jsonb_agg(to_jsonb(u) order by u.kind, u.ref) from selection.utility as u
union all
select 'rule', jsonb_agg(to_jsonb(r) order by r.version_id, r.position) from policy.rule as r
union all
select 'snapshot', jsonb_agg(to_jsonb(m) order by m.*) from snapshots.member as m
union all
select 'recipe', jsonb_agg(to_jsonb(r) order by r.item_id) from recipes.recipe as r
union all
select 'kind', jsonb_agg(to_jsonb(k) - 'audience_id' order by k.name) from search.kind as k
union all
select 'audience', jsonb_agg(to_jsonb(a) order by a.id) from policy.audience as a
"""


def install(database: Database, *folders: KindFolder) -> None:
    """An installation, after which the clock of the tests is there again."""
    apply.install(database.dsn, folders=folders)
    with database.connect() as connection:
        helpers = (HERE.parent / "sql/_setup/10_helpers.sql").read_text()
        start = helpers.index("create or replace function core.now")
        connection.execute(helpers[start : helpers.index("create function t.at")].encode())


@pytest.fixture(scope="module")
def database(sql_server: Server) -> Generator[Database]:
    """The cookbook, with vectors, a searched and rated recipe, and a snapshot."""
    with sql_server.clone() as database:
        install(database, FOLDER)
        with database.connect() as connection:
            fill(connection)
            connection.execute("select search.put_model('toy', 4, true)")
            connection.execute("select t.embed_cards('recipe', 'toy')")
            with connection.transaction():
                kitchen = Kitchen(connection).at("09:00").act("alice")
                asked = "select receipt from api.search_cards('rice', '{recipe}') limit 1"
                [[receipt]] = kitchen.rows(asked)
                rated = "select api.report_outcome(%s, 'recipe', 'cookbook__pilaf', 'ok', 12)"
                kitchen.rows(rated, receipt)
                kitchen.act().at("09:30").rows("select selection.learn_all()")
                kitchen.act("boss", "qm_admin").rows("select api.create_snapshot('before')")
        yield database


def retained(database: Database) -> dict[str, Any]:
    with database.connect() as connection:
        return {str(name): rows for name, rows in connection.execute(_ROWS_QUERY).fetchall()}


def problems(database: Database, *folders: KindFolder) -> list[str]:
    """Returns what the doctor says, but for the clock of the tests."""
    found = diagnose(database.dsn, folders).problems
    return [problem for problem in found if "core.now()" not in problem]


def _name(error: psycopg.Error) -> str:
    return psycopg.errors.lookup(error.sqlstate or "").__name__


def report(connection: psycopg.Connection[Any], who: str, role: str) -> dict[str, Any]:
    """Returns what somebody is told of recipes: the rows, or the slug of the error."""
    statements = {
        "search": "select name from api.search_cards('rice', '{recipe}')",
        "describe": "select api.describe_card('recipe', 'cookbook__pilaf')",
        "describe as of": "select api.describe_card('recipe', 'cookbook__pilaf',"
        " '2026-01-01 08:30+00')",
        "list": "select name from api.list_items('recipe')",
        "cards": "select name from search.card where kind = 'recipe'",
        "items": "select name from catalog.item where kind = 'recipe'",
        "versions": "select from catalog.item_version as v"
        " inner join catalog.item as i on i.id = v.item_id where i.kind = 'recipe'",
        "kinds": "select name from search.kind where name = 'recipe'",
        "counted": "select api.status() -> 'cards' -> 'recipe' as n"
        " where api.status() -> 'cards' ? 'recipe'",
        "statistics": "select name from api.list_call_statistics(since => '2026-01-01')"
        " where name ~ 'cookbook'",
        "recipes": "select from recipes.recipe",
    }
    if role == "qm_admin":
        statements |= {
            "review": "select name from api.review_items() where kind = 'recipe'",
            "review the kind": "select name from api.review_items('{recipe}')",
            "decide": "select api.decide_item('{recipe}', 'cookbook__pilaf', 'approved')",
            "explain": "select api.explain_rights('alice', 'cookbook__pilaf', kind => 'recipe')",
            "jobs": "select name from api.list_jobs() where name = 'stir'",
            "job": "select api.run_job('stir')",
        }
    found: dict[str, Any] = {}
    for name, statement in statements.items():
        with connection.transaction(force_rollback=True):
            kitchen = Kitchen(connection).at("10:00").act(who, role)
            try:
                found[name] = len(kitchen.rows(statement))
            except psycopg.Error as error:
                found[name] = error.diag.constraint_name or _name(error)
    return found


# As if the kind did not exist; the folder's own tables are nobody's.
_REFUSED = {
    "search": "kind_not_found",
    "describe": "kind_not_found",
    "describe as of": "kind_not_found",
    "recipes": "InsufficientPrivilege",
    "review the kind": "kind_not_found",
    "decide": "card_not_found",
    "explain": "kind_not_found",
    "job": "job_not_found",
}
PEOPLE = (("alice", "qm_user"), ("boss", "qm_admin"))


def test_nothing_is_shown_meanwhile_and_nothing_is_lost(database: Database):
    with database.connect() as connection:
        shown = {who: report(connection, who, role) for who, role in PEOPLE}
    assert shown["alice"]["search"] == 2
    assert shown["boss"]["review"] == 3
    before = retained(database)

    assert not is_installed(database.dsn)
    install(database)
    with database.connect() as connection:
        for who, role in PEOPLE:
            assert report(connection, who, role) == {
                name: _REFUSED.get(name, 0) for name in shown[who]
            }
    [problem] = problems(database)
    assert "kind folder toy_kind, so its 3 cards are hidden" in problem
    assert "qm kind remove toy_kind" in problem
    without = retained(database)
    hiding: list[dict[str, Any]] | None = without.pop("audience")
    assert [row["name"] for row in hiding or []] == ["nobody, because the kind is hidden"]
    assert without == {name: rows for name, rows in before.items() if name != "audience"}

    # Once more changes nothing.
    install(database)
    assert retained(database) == without | {"audience": hiding}

    install(database, FOLDER)
    assert retained(database) == before
    with database.connect() as connection:
        assert {who: report(connection, who, role) for who, role in PEOPLE} == shown
    assert problems(database, FOLDER) == []


def test_what_comes_meanwhile_is_hidden_too(database: Database):
    install(database)
    boss = ("boss", "qm_admin")
    with database.connect() as connection:
        with connection.transaction(force_rollback=True):
            kitchen = Kitchen(connection).at("10:00").act(*boss)
            with pytest.raises(psycopg.Error) as caught:
                kitchen.rows("select * from api.import_items('recipe', %s)", Jsonb(COOKBOOK))
            assert caught.value.diag.constraint_name == "kind_not_found"
            assert "recipe" not in (caught.value.diag.message_hint or "")
        with connection.transaction(force_rollback=True):
            # Rules that change meanwhile do not show it.
            kitchen = Kitchen(connection).at("10:00").act()
            kitchen.rows("select t.make_rules(%s)", Jsonb({"rules": []}))
            assert report(connection, *boss)["cards"] == 0
        with connection.transaction(force_rollback=True):
            kitchen = Kitchen(connection).at("10:00").act()
            [[copied]] = kitchen.rows("select service.read_outage_copy()")
            assert "recipe" not in copied["kinds"]
            ids = {card[0] for card in copied["cards"]}
            hidden = kitchen.rows("select id from search.card where kind = 'recipe'")
            assert len(hidden) == 3
            assert not ids & {id_ for (id_,) in hidden}
    install(database, FOLDER)


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data directory, whose settings name no folder."""
    monkeypatch.setenv("QM_DATA_DIR", str(tmp_path))
    return tmp_path


def qm(database: Database, *words: str, answer: str = "") -> Result:
    commands = cli.typer.Typer()
    cli.register(commands, "kind")
    cli.register(commands, "card")
    asked = ["kind", *words, "--dsn", database.dsn]
    return CliRunner().invoke(commands, asked, input=answer)


def slug(done: Result) -> str:
    return str(getattr(done.exception, "slug", done.output))


def test_the_list_names_the_folder_and_what_is_hidden(database: Database, own: Path):
    install(database)
    found = {row["kind"]: row for row in json.loads(qm(database, "list", "--json").stdout)}
    assert found["recipe"] == {
        "kind": "recipe",
        "folder": "toy_kind",
        "hidden": True,
        "cards": 3,
        "items": 3,
    }
    assert (found["tool"]["folder"], found["tool"]["hidden"]) == ("", False)
    assert "built in" in qm(database, "list").output
    install(database, FOLDER)
    found = {row["kind"]: row for row in json.loads(qm(database, "list", "--json").stdout)}
    assert not found["recipe"]["hidden"]


def test_what_is_named_built_in_or_unknown_is_not_removed(database: Database, own: Path):
    before = retained(database)
    assert "is built in" in str(qm(database, "remove", "tool", "--yes").exception)
    assert slug(qm(database, "remove", "tool", "--yes")) == "kind_folder_in_use"
    assert slug(qm(database, "remove", "nothing", "--yes")) == "kind_folder_not_found"
    by_kind = qm(database, "remove", "recipe", "--yes").exception
    assert "qm kind remove toy_kind" in str(getattr(by_kind, "hint", ""))
    (own / "quartermaster.yaml").write_text(f"kinds: {{folders: [{HERE}]}}")
    assert slug(qm(database, "remove", "toy_kind", "--yes")) == "kind_folder_in_use"
    assert retained(database) == before


@pytest.mark.parametrize("answer", ["", "y\n", "recipe\n"])
def test_another_answer_than_the_name_changes_nothing(database: Database, own: Path, answer: str):
    before = retained(database)
    assert qm(database, "remove", "toy_kind", answer=answer).exit_code == 1
    assert retained(database) == before


def test_the_preview_names_all_that_goes_and_changes_nothing(database: Database, own: Path):
    before = retained(database)
    done = qm(database, "remove", "toy_kind", "--dry-run")
    assert done.exit_code == 0, done.output
    for line in (
        "3 recipes",
        "The kind recipe, with 3 cards and 3 items",
        "Jobs that go: stir.",
        "Settings that go: recipe.stirs.",
        "toy_kind/migrations/0001_recipes.sql",
        "pg_dump --format=custom",
        "nothing was changed",
    ):
        assert line in done.output
    assert retained(database) == before


def test_what_depends_on_it_is_named_and_nothing_is_removed(database: Database, own: Path):
    with database.connect() as connection:
        connection.execute("create view public.menu as select item_id from recipes.recipe")
    before = retained(database)
    done = qm(database, "remove", "toy_kind", "--yes")
    assert slug(done) == "installation_in_use"
    assert "view public.menu" in str(done.exception)
    assert retained(database) == before
    with database.connect() as connection:
        connection.execute("drop view public.menu")


def test_it_is_removed_with_all_its_data_and_can_come_again(database: Database, own: Path):
    install(database)
    done = qm(database, "remove", "toy_kind", answer="toy_kind\n")
    assert done.exit_code == 0, (done.output, done.exception)
    assert problems(database) == []
    left = (
        "select (select count(*) from search.card where kind = 'recipe')"
        " + (select count(*) from catalog.item where kind = 'recipe')"
        " + (select count(*) from search.embedding where kind = 'recipe')"
        " + (select count(*) from core.setting where folder = 'toy_kind')"
        " + (select count(*) from jobs.job where folder = 'toy_kind')"
        " + (select count(*) from core.migration where folder = 'toy_kind')"
        " + (select count(*) from core.kind_folder where not is_shipped)"
        " + (select count(*) from policy.audience),"
        " to_regnamespace('recipes'), (select count(*) from catalog.item),"
        " (select count(*) from selection.receipt)"
    )
    with database.connect() as connection:
        assert connection.execute(left.encode()).fetchall() == [(0, None, 4, 1)]
    install(database, FOLDER)
    assert problems(database, FOLDER) == []
    with database.connect() as connection:
        assert report(connection, "boss", "qm_admin")["items"] == 0
