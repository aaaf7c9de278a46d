"""An operator tries to show a program what only an administrator may show."""

from __future__ import annotations

from typing import Any

import pytest

from quartermaster import api
from quartermaster.core.errors import QmError
from quartermaster.db import LOCAL_PRINCIPAL, WORKER
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
            await asked.call(api.add_origin(**origin), operator)
    assert (refused.value.status, refused.value.slug) == (403, "not_allowed")


@pytest.mark.anyio
async def test_by_taking_over_what_another_program_may_see(database: Database) -> None:
    async with connected(database.service_dsn) as asked:
        operator = await asked.find_principal(WORKER)
        administrator = await asked.find_principal(LOCAL_PRINCIPAL)
        origin = {"name": "files", "transport": "stdio", "sandbox": {"folders": FOLDERS}}
        await asked.call(api.add_origin(command=["files"], **origin), administrator)
        with pytest.raises(QmError) as refused:
            await asked.call(api.add_origin(command=["cat"], replace=True, **origin), operator)
        assert refused.value.slug == "not_allowed"
        with pytest.raises(QmError) as refused:
            await asked.call(api.set_sandbox(origin="files", sandbox={}), operator)
        assert refused.value.slug == "not_permitted"
