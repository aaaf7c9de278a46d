"""The kind is taken away and put back: what happens meanwhile to tables of users is not lost."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, LiteralString

import pytest

from quartermaster.core.errors import QmError
from quartermaster.install import apply, discover, kind_removal
from tests.support.database import Database, Server, run_script

pytestmark = pytest.mark.install

_FILLED = """
select t.make_lookups();
create table public.port (id integer primary key, name text);
insert into public.port values (1, 'Luleå');
grant select, trigger on public.port to qm_owner;
select api.create_lookup_over('port', 'public.port', 'id', 'name', follow => true);
"""
_PORTS = "select r.value from lookup.lookup_row as r where r.table_id = 3 order by r.key"
_PORT_IS_LAST = "select t.name from lookup.lookup_table as t where t.id = 3"
_JOBS = "select j.name from jobs.job as j where j.folder = 'lookup' order by j.name"
_INDEX = "select to_regclass('search.card_lookup_label_idx') is not null"
_UNFOLLOWED = """
drop trigger qm_lookup_3_insert on public.port;
drop trigger qm_lookup_3_update on public.port;
drop trigger qm_lookup_3_delete on public.port;
drop trigger qm_lookup_3_truncate on public.port;
"""


@pytest.fixture
def database(server: Server) -> Generator[Database]:
    with server.clone() as database:
        with database.connect() as connection:
            run_script(connection, _FILLED)
        assert rows(database, _PORT_IS_LAST) == [("port",)]
        yield database


def rows(database: Database, statement: LiteralString) -> list[tuple[Any, ...]]:
    with database.connect() as connection:
        done = connection.execute(statement)
        return done.fetchall() if done.description else []


@contextmanager
def taken_away(database: Database) -> Generator[None]:
    """As if the Python packages of kinds were not installed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(discover, "packaged_folders", list)
        apply.install(database.dsn)
        yield
    apply.install(database.dsn)


def test_what_changes_meanwhile_in_a_table_of_users_is_read_when_it_comes_back(database: Database):
    with taken_away(database):
        rows(database, "insert into public.port values (2, 'Piteå')")
    assert rows(database, _PORTS) == [("Luleå",)]
    rows(database, "select lookup.refresh_all()")
    assert rows(database, _PORTS) == [("Luleå",), ("Piteå",)]


def test_it_is_removed_when_no_table_of_users_reports_to_it_and_comes_again(database: Database):
    with taken_away(database):
        with pytest.raises(QmError, match=r"trigger qm_lookup_3_insert on table public\.port"):
            kind_removal.remove(database.dsn, "lookup", [])
        with database.connect() as connection:
            run_script(connection, _UNFOLLOWED)
        removal = kind_removal.remove(database.dsn, "lookup", [])
        assert removal.jobs == ["evaluate_lookups", "refresh_lookups"]
        assert (rows(database, _JOBS), rows(database, _INDEX)) == ([], [(False,)])
    assert rows(database, _JOBS) == [("evaluate_lookups",), ("refresh_lookups",)]
    assert rows(database, _INDEX) == [(True,)]
