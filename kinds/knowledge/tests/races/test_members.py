"""Members who come and go while other projects and folders with the same library change, too."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from tests.support.acting import act, scalar
from tests.support.database import Database, run_script
from tests.support.waiting import wait_until_blocked

pytestmark = pytest.mark.sql

_LEAVE_SHOP = "select api.remove_project_member('mona', 'shop')"
_LEAVE_DESK = "select api.remove_project_member('mona', 'desk')"
_JOIN_DESK = "select api.put_project_member('nora', project => 'desk')"
_END_SHOP = "select project_id from api.remove_project('shop')"
_CREATED = """
update policy.principal as p set created_by = c.id
from policy.principal as c
where p.name = 'nora' and c.name = 'alice'
"""
_FORGET = "select distributions from api.remove_environment('/srv/open')"
_MAKE_OPEN = """
insert into knowledge.environment (folder, indexed_at) values ('/srv/open', core.now());
insert into knowledge.environment_distribution (environment_id, distribution_id)
select e.id, d.id
from knowledge.environment as e cross join knowledge.distribution as d
where e.folder = '/srv/open';
select knowledge.share(array(select id from knowledge.distribution))
"""


@pytest.fixture
def shared(database: Database) -> Database:
    """Projects shop and desk, of which Mona is a member, with the same library; Nora, whom the
    owner created, has none.
    """
    with database.connect() as arranging:
        arranging.execute("select policy.put_principal('nora', 'person', 'user')")
        for project in ("shop", "desk"):
            arranging.execute("select t.make_project(%s, 'alice', 'mona')", [project])
        arranging.execute("update policy.principal set role = 'admin' where name = 'alice'")
        arranging.execute(_CREATED)
        arranging.execute("select t.make_library('shop', 'acme'), t.make_library('desk', 'acme')")
    return database


def _found_by(database: Database, name: str) -> list[str]:
    """Returns the symbols that a principal finds."""
    with database.connect() as reading:
        act(reading, name, "qm_user")
        query = "select name from api.search_cards('send a parcel', array['symbol'])"
        return [str(row[0]) for row in reading.execute(query)]


def _one_after_the_other(database: Database, first: str, second: str) -> None:
    """Begins both; the second has to wait until the first commits."""
    with (
        database.connect() as early,
        database.connect() as late,
        database.connect() as observer,
        ThreadPoolExecutor(1) as thread,
    ):
        for connection in (early, late):
            act(connection, "alice", "qm_admin")
        early.autocommit = False
        scalar(early, first)
        waiting = thread.submit(scalar, late, second)
        wait_until_blocked(observer, late.info.backend_pid)
        early.commit()
        waiting.result(20)


@pytest.mark.parametrize(
    ("first", "second"),
    [(_LEAVE_SHOP, _LEAVE_DESK), (_END_SHOP, _LEAVE_DESK), (_LEAVE_DESK, _END_SHOP)],
)
def test_who_leaves_two_projects_at_once_finds_nothing_of_them(
    shared: Database, first: str, second: str
):
    assert _found_by(shared, "mona") == ["acme.send"]
    _one_after_the_other(shared, first, second)
    assert _found_by(shared, "mona") == []


@pytest.mark.parametrize(("first", "second"), [(_FORGET, _JOIN_DESK), (_JOIN_DESK, _FORGET)])
def test_who_joins_while_an_open_folder_is_forgotten_finds_the_library(
    shared: Database, first: str, second: str
):
    with shared.connect() as arranging:
        run_script(arranging, _MAKE_OPEN)
    _one_after_the_other(shared, first, second)
    assert _found_by(shared, "nora") == ["acme.send"]


def test_an_invitation_that_is_withdrawn_is_not_accepted(shared: Database):
    with (
        shared.connect() as owner,
        shared.connect() as invited,
        shared.connect() as observer,
        ThreadPoolExecutor(1) as thread,
    ):
        owner.execute("update policy.principal set created_by = null where name = 'nora'")
        act(owner, "alice", "qm_admin")
        act(invited, "nora", "qm_user")
        scalar(owner, _JOIN_DESK)
        owner.autocommit = False
        scalar(owner, "select api.remove_project_member('nora', 'desk')")
        accepting = thread.submit(scalar, invited, "select role from api.accept_project('desk')")
        wait_until_blocked(observer, invited.info.backend_pid)
        owner.commit()
        with pytest.raises(psycopg.Error) as raised:
            accepting.result(20)
    assert raised.value.diag.constraint_name == "invitation_not_found"
