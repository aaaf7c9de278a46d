"""What people do to a database later: qm doctor names it, and qm install mends it."""

from __future__ import annotations

from collections.abc import Generator

import psycopg
import pytest
from psycopg import sql

from quartermaster.core.errors import QmError
from quartermaster.install import apply
from quartermaster.install.changes import is_changed
from quartermaster.install.doctor import diagnose
from quartermaster.install.installed import is_installed
from tests.conftest import on_each_server
from tests.support.catalogue import snapshot
from tests.support.database import Database, Server, run_script

pytestmark = pytest.mark.install

# What somebody does, and the words with which qm doctor names it.
MENDED = {
    "alter function core.now() owner to postgres": "function core.now()",
    "alter table catalog.item owner to postgres": "table catalog.item",
    "alter schema catalog owner to postgres": "schema catalog",
    "reassign owned by qm_owner to postgres": "schema api",
    "alter extension unaccent set schema public": "extension unaccent",
    "alter extension vector set schema public": "extension vector",
    "alter role qm_owner superuser": "role qm_owner",
    "alter role qm_user bypassrls": "role qm_user",
    "revoke qm_user from qm_operator": "membership qm_operator in qm_user",
    "revoke select on policy.rule from qm_reader": "rights on policy.rule",
    "revoke usage on schema api from qm_user": "rights on api",
    "grant execute on function api.status() to public": "function api.status()",
    "grant select (name) on core.setting to qm_user": "rights on core.setting.name",
    "alter table catalog.item disable trigger audited": "trigger audited on catalog.item",
    "drop trigger audited on catalog.item": "trigger audited on catalog.item",
    "alter table catalog.item disable trigger all": "foreign keys of catalog.item",
    "alter table catalog.item disable row level security": "row security of catalog.item",
    "drop policy owner_all on catalog.item": "policy owner_all on catalog.item",
    "drop function api.status()": "function api.status()",
    "create or replace function core.now() returns timestamptz language sql volatile"
    " as 'select clock_timestamp()'": "function core.now()",
    "drop index policy.api_key_principal_idx": "index policy.api_key_principal_idx",
    "drop index search.card_tool_label_idx": "search.card_tool_label_idx",
    "alter table catalog.item_version drop constraint item_version_pkey cascade":
    "constraint item_version_pkey on catalog.item_version",
    "alter table search.posting set unlogged": "storage of search.posting",
    "alter table core.setting alter column value drop not null": "default of core.setting.value",
    "alter table core.release alter column installed_at drop default":
    "default of core.release.installed_at",
    "alter database {name} reset search_path": "database search_path",
    "revoke connect on database {name} from qm_user": "database rights",
    "grant connect on database {name} to public": "database rights",
    "drop function core.changed_objects()": "cannot be checked",
    "drop function api.list_capabilities()": "function api.list_capabilities()",
}
# What somebody adds to our schemas, and its remedy.
FOREIGN = {
    "create table catalog.mine (id bigint)": "alter table catalog.mine set schema public",
    "create view catalog.mine as select 1 as one": "alter view catalog.mine set schema public",
    "create function core.mine() returns int language sql as 'select 1'":
    "alter function core.mine() set schema public",
    "alter table catalog.item add column mine text": "column catalog.item.mine",
    "alter table catalog.item add constraint mine check (id < 1000)":
    "constraint mine on catalog.item",
    "grant qm_reader to qm_user": "membership qm_user in qm_reader",
}


@pytest.fixture(scope="module")
def original(server: Server) -> Generator[Database]:
    with server.empty() as database:
        apply.install(database.dsn)
        yield database


@pytest.fixture
def installed(server: Server, original: Database) -> Generator[Database]:
    with server.clone(original) as database:
        yield database


def do(database: Database, statement: str) -> None:
    """Runs what somebody does to the database."""
    with database.connect() as connection:
        name = sql.Identifier(database.name).as_string(connection)
        run_script(connection, statement.format(name=name))


@on_each_server
@pytest.mark.parametrize("statement", MENDED)
def test_doctor_names_a_change_and_an_installation_brings_it_back(
    installed: Database, statement: str
):
    first = snapshot(installed.dsn)
    assert diagnose(installed.dsn).problems == []
    do(installed, statement)
    problems = diagnose(installed.dsn).problems
    assert any(MENDED[statement] in told and "qm install" in told for told in problems), problems
    apply.install(installed.dsn)
    assert diagnose(installed.dsn).problems == []
    assert snapshot(installed.dsn) == first


@pytest.mark.parametrize("statement", FOREIGN)
def test_what_somebody_adds_is_named_and_not_taken_for_ours(installed: Database, statement: str):
    do(installed, statement)
    try:
        assert any(FOREIGN[statement] in told for told in diagnose(installed.dsn).problems)
        with pytest.raises(QmError) as refused:
            apply.install(installed.dsn)
        assert refused.value.slug == "object_foreign"
    finally:
        with installed.connect() as connection:
            connection.execute("revoke qm_reader from qm_user")


@pytest.mark.parametrize(
    "statement",
    ["drop table quality.finding cascade", "alter table core.setting drop column description",
        "alter table core.setting alter column value type text",
    ],
)
def test_dropped_data_is_not_made_again_as_if_nothing_were_lost(
    installed: Database, statement: str
):
    do(installed, statement)
    assert any("Restore a backup" in told for told in diagnose(installed.dsn).problems)
    with pytest.raises(QmError) as refused:
        apply.install(installed.dsn)
    assert refused.value.slug == "objects_lost"
    assert "backup" in refused.value.hint
