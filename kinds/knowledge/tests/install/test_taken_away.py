"""The kind is taken away and put back: nothing is lost, and nothing is shown meanwhile."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, LiteralString

import psycopg
import pytest

from quartermaster.core.errors import QmError
from quartermaster.install import apply, discover, kind_removal
from quartermaster.install.doctor import diagnose
from quartermaster.install.installed import is_installed
from tests.support.database import Database, Server, run_script

pytestmark = pytest.mark.install

_FILLED = """
select api.create_principal('ada'), api.create_principal('bob');
select api.add_project('barn', '/srv/barn'), api.add_project('shed', '/srv/shed');
select api.put_project_member('ada', 'member', 'barn');
select api.put_project_member('bob', 'member', 'shed');
select t.make_library('barn', 'parcels'), t.make_library('shed', 'parcels');
select t.make_library('shed', 'sheds');
select api.put_notes(jsonb_build_array(t.note('hay', 'The hay is dry in July.')), 'barn');
"""
_STORED_ROWS_QUERY = """
select 'card', jsonb_agg(to_jsonb(c) - 'rights_class' order by c.id) from search.card as c
union all
select 'distribution', jsonb_agg(to_jsonb(d) order by d.id) from knowledge.distribution as d
union all
select 'symbol', jsonb_agg(to_jsonb(s) order by s.id) from knowledge.symbol as s
union all
select 'note', jsonb_agg(to_jsonb(n) order by n.id) from knowledge.note as n
union all
select 'passage', jsonb_agg(to_jsonb(p) order by p.id) from knowledge.passage as p
union all
select 'setting', jsonb_agg(to_jsonb(s) order by s.name) from core.setting as s
union all
select 'ledger', jsonb_agg(to_jsonb(m) order by m.folder, m.name) from core.migration as m
"""
_ASKED: dict[str, LiteralString] = {
    "look up": "select from api.lookup_symbols('parcels', 'send')",
    "ask": "select from api.ask_expert('When is the hay dry?') where not no_answer",
    "search": "select name from api.search_cards('hay', '{passage}')",
    "notes": "select from api.list_notes()",
    "task": "select part from api.start_task('dry the hay') where part in ('note', 'symbol')",
}


@contextmanager
def taken_away() -> Generator[None]:
    """As if the Python package of the kind were not installed."""
    others = [folder for folder in discover.packaged_folders() if folder.name != "knowledge"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(discover, "packaged_folders", lambda: others)
        yield


@pytest.fixture
def database(server: Server) -> Generator[Database]:
    with server.clone() as database:
        with database.connect() as connection:
            run_script(connection, _FILLED)
        yield database


def retained(database: Database) -> dict[str, Any]:
    with database.connect() as connection:
        return {str(name): rows for name, rows in connection.execute(_STORED_ROWS_QUERY).fetchall()}


def report(database: Database, who: str) -> dict[str, int | str]:
    """Returns how many rows somebody is told, or the slug of the error."""
    found: dict[str, int | str] = {}
    with database.connect() as connection:
        for name, statement in _ASKED.items():
            with connection.transaction(force_rollback=True):
                connection.execute("select t.act_as(%s)", [who])
                try:
                    found[name] = len(connection.execute(statement).fetchall())
                except psycopg.Error as error:
                    found[name] = error.diag.constraint_name or type(error).__name__
    return found


def problems(database: Database) -> list[str]:
    """Returns what the doctor says, but for the clock of the tests."""
    return [problem for problem in diagnose(database.dsn).problems if "core.now()" not in problem]


def test_nothing_is_shown_meanwhile_and_nothing_is_lost(database: Database):
    before = retained(database)
    shown = {who: report(database, who) for who in ("ada", "bob")}
    assert set(shown["ada"].values()) == {1}
    with taken_away():
        assert not is_installed(database.dsn)
        apply.install(database.dsn)
        assert is_installed(database.dsn)
        for who in shown:
            assert report(database, who) == {
                "look up": "UndefinedFunction",
                "ask": "UndefinedFunction",
                "search": "kind_not_found",
                "notes": "UndefinedFunction",
                "task": 0,
            }
        assert retained(database) == before
        [problem] = problems(database)
        assert "pgquartermaster-knowledge is not installed, so its 5 cards are hidden" in problem
        apply.install(database.dsn)
        assert retained(database) == before
    apply.install(database.dsn)
    assert retained(database) == before
    assert {who: report(database, who) for who in shown} == shown
    assert problems(database) == []


def test_projects_and_members_that_go_meanwhile_are_gone_when_it_comes_back(database: Database):
    with taken_away():
        apply.install(database.dsn)
        with database.connect() as connection:
            connection.execute("select api.remove_project('shed')")
            connection.execute("select api.remove_project_member('ada', 'barn')")
            connection.execute("select api.put_project_member('bob', 'member', 'barn')")
    apply.install(database.dsn)
    assert report(database, "ada")["look up"] == "library_not_found"
    assert report(database, "bob")["look up"] == 1
    with database.connect() as connection:
        left = connection.execute("select name from knowledge.distribution").fetchall()
    assert left == [("parcels",)]
    assert problems(database) == []


def test_it_is_removed_with_its_data_and_comes_again(database: Database):
    with pytest.raises(QmError, match="names the kind folder knowledge"):
        kind_removal.remove(database.dsn, "knowledge", [])
    with taken_away():
        apply.install(database.dsn)
        removal = kind_removal.remove(database.dsn, "knowledge", [])
        assert removal.kinds
        assert problems(database) == []
        apply.install(database.dsn)
        with database.connect() as connection:
            found = connection.execute("select to_regnamespace('knowledge')").fetchone()
        assert found == (None,)
    apply.install(database.dsn)
    assert report(database, "ada")["notes"] == 0
    assert problems(database) == []
