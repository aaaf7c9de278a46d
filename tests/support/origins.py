"""Origins of tests, which an administrator adds."""

from __future__ import annotations

from typing import Any

from quartermaster.db import LOCAL
from quartermaster.service import Service

LOOPBACK = "127.0.0.0/8"


async def add_origin(service: Service, name: str, **definition: Any) -> None:
    """Adds an origin as the local administrator; one with a URL may be on this machine."""
    call = service.database.call
    local = await service.database.find_principal(LOCAL)
    if "url" in definition:
        await call("allow", local, kind="network", value=LOOPBACK, origin=name)
    await call("add_origin", local, name=name, **definition)
