"""Origins of tests, which an administrator adds."""

from __future__ import annotations

from typing import Any

from quartermaster import api
from quartermaster.catalog.importers.proposed_sandbox import propose_sandbox
from quartermaster.db import LOCAL_PRINCIPAL
from quartermaster.service import Service

LOOPBACK = "127.0.0.0/8"


async def add_origin(service: Service, name: str, **definition: Any) -> int:
    """Adds an origin as the local administrator, who confirms what is proposed; returns its id.

    An origin with a URL may be on this machine.
    """
    database = service.database
    local = await database.find_principal(LOCAL_PRINCIPAL)
    if "url" in definition:
        await database.call(api.allow(kind="network", value=LOOPBACK, origin=name), local)
    sandbox = propose_sandbox(definition.get("command") or [], definition.get("cwd"))
    return await database.call_value(
        api.add_origin(name=name, **{"sandbox": sandbox} | definition), local
    )
