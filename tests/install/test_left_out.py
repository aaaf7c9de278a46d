"""Any choice of the kinds that come with Quartermaster makes a whole installation."""

from __future__ import annotations

import pytest

from quartermaster.install import apply, discover
from quartermaster.install.doctor import diagnose
from quartermaster.install.kind_folder import KindFolder
from tests.support.database import Server

pytestmark = pytest.mark.install

KINDS = {folder.name: folder for folder in discover.kinds()}
_OF_KINDS = """
select distinct n.nspname::text collate "C"
from pg_namespace as n
where n.nspname = any(%s)
union
select distinct k.folder collate "C" from search.kind as k where k.folder <> ''
union
select distinct s.folder collate "C" from core.setting as s where s.folder <> ''
union
select distinct m.folder collate "C" from core.migration as m where m.folder <> ''
order by 1
"""


@pytest.mark.parametrize("name", ["", *KINDS])
def test_the_core_alone_and_with_each_kind_alone(
    name: str, server: Server, monkeypatch: pytest.MonkeyPatch
):
    chosen: list[KindFolder] = [KINDS[name]] if name else []
    monkeypatch.setattr(discover, "packaged_folders", lambda: chosen)
    with server.empty() as empty:
        apply.install(empty.dsn)
        assert diagnose(empty.dsn).problems == []
        with empty.connect() as connection:
            found = connection.execute(_OF_KINDS, [list(KINDS)]).fetchall()
        assert found == [(folder.name,) for folder in chosen]
