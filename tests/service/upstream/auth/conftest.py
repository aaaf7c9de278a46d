from __future__ import annotations

from collections.abc import AsyncGenerator, Generator
from pathlib import Path

import pytest

from quartermaster.secrets.store import SecretStore
from quartermaster.upstream.supervisor import Supervisor
from tests.support.guarded_upstream import GuardedUpstream, guarded_upstream


@pytest.fixture
def upstream() -> Generator[GuardedUpstream]:
    with guarded_upstream() as running:
        yield running


@pytest.fixture
def store(tmp_path: Path) -> SecretStore:
    return SecretStore(tmp_path)


@pytest.fixture
async def supervisor(anyio_backend: str) -> AsyncGenerator[Supervisor]:
    async with Supervisor() as running:
        yield running
