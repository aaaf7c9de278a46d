"""An operator tries to show a program what only an administrator may show."""

from __future__ import annotations

from typing import Any

import pytest

from quartermaster.core.errors import QmError
from quartermaster.db import LOCAL, WORKER
from tests.support.connected import connected
from tests.support.database import Database

FOLDERS: list[dict[str, Any]] = [{"path": "/home", "write": True}]


@pytest.mark.anyio
@pytest.mark.parametrize("sandbox", [{"folders": FOLDERS}, {"network": "host"}])
async def test_by_a_definition_of_his_own(database: Database, sandbox: dict[str, Any]) -> None:
    async with connected(database.service_dsn) as asked:
        operator = await asked.find_principal(WORKER)
        assert operator.role == "operator"
        origin = {"name": "mine", "transport": "stdio", "command": ["cat"], "sandbox": sandbox}
        with pytest.raises(QmError) as refused:
            await asked.call("add_origin", operator, **origin)
    assert (refused.value.status, refused.value.slug) == (403, "not_allowed")


@pytest.mark.anyio
async def test_by_taking_over_what_another_program_may_see(database: Database) -> None:
    async with connected(database.service_dsn) as asked:
        operator = await asked.find_principal(WORKER)
        administrator = await asked.find_principal(LOCAL)
        origin = {"name": "files", "transport": "stdio", "sandbox": {"folders": FOLDERS}}
        await asked.call("add_origin", administrator, command=["files"], **origin)
        with pytest.raises(QmError) as refused:
            await asked.call("add_origin", operator, command=["cat"], replace=True, **origin)
        assert refused.value.slug == "not_allowed"
        with pytest.raises(QmError) as refused:
            await asked.call("set_sandbox", operator, origin="files", sandbox={})
        assert refused.value.slug == "not_permitted"
