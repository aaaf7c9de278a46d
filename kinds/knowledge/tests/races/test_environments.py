"""Folders of packages that are read and forgotten at the same time."""

from __future__ import annotations

from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.support.acting import act, scalar
from tests.support.database import Database
from tests.support.waiting import wait_until_blocked

pytestmark = pytest.mark.sql

_PUT = "select api.put_environment(%s, array[%s]::bytea[], %s)"
_REMOVE = "select r.removed from api.remove_environment('/srv/shop', 'shop') as r"


@pytest.fixture
def content(database: Database) -> Generator[object]:
    """Alice's projects shop, whose environment holds a library, and desk, which has none."""
    with database.connect() as arranging:
        arranging.execute("select t.make_project('shop', 'alice'), t.make_project('desk', 'alice')")
        arranging.execute("update policy.principal set role = 'operator' where name = 'alice'")
        yield scalar(arranging, "select t.make_library('shop', 'acme')")


def test_a_library_stays_if_another_folder_is_read_while_it_is_forgotten(
    database: Database, content: object
):
    with (
        database.connect() as reading,
        database.connect() as forgetting,
        database.connect() as observer,
        ThreadPoolExecutor(1) as thread,
    ):
        act(reading, "alice")
        act(forgetting, "alice")
        reading.autocommit = False
        scalar(reading, _PUT, "/srv/desk", content, "desk")
        late = thread.submit(scalar, forgetting, _REMOVE)
        wait_until_blocked(observer, forgetting.info.backend_pid)
        reading.commit()
        late.result(20)
        assert scalar(observer, "select count(*) from knowledge.distribution") == 1
        assert scalar(observer, "select count(*) from search.card where kind = 'symbol'") == 1
