"""A supervisor for each test, and one running leaf server per transport and protocol era."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator

import pytest

from quartermaster.upstream.spec import OriginSpec
from quartermaster.upstream.supervisor import Supervisor
from tests.support.upstreams import leaf_server, leaf_stdio_spec


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def supervisor(anyio_backend: str) -> AsyncGenerator[Supervisor]:
    async with Supervisor() as running:
        yield running


@pytest.fixture(
    scope="module",
    params=[
        (transport, era) for transport in ("stdio", "http", "sse") for era in ("modern", "legacy")
    ],
    ids="-".join,
)
def leaf(request: pytest.FixtureRequest) -> Generator[OriginSpec]:
    """The well-behaved server over each transport in each protocol era."""
    transport, era = request.param
    modes = ["legacy"] if era == "legacy" else []
    if transport == "stdio":
        yield leaf_stdio_spec(*modes)
    else:
        with leaf_server(transport, *modes) as server:
            yield server.spec()
