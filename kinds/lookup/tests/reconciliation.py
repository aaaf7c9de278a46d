"""The reconciliation API, served over HTTP from a small set of lookup tables."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import uuid4

import anyio
import httpx2
import uvicorn

from quartermaster import api as core_api
from quartermaster.core import logs
from quartermaster.db import LOCAL_PRINCIPAL
from quartermaster.doors.http.app import create_app
from quartermaster.service import Service, open_service
from quartermaster.settings.settings import schema
from tests.support.database import Database
from tests.support.model import cached_model_dir
from tests.support.waiting import until

KEYS = {
    "curator": "qm_key-of-a-curator",
    "narrow": "qm_key-of-few-rights",
    LOCAL_PRINCIPAL: "qm_key-of-all",
}
ODD = json.dumps(
    [
        {
            "id": "a/b&c?#%",
            "value": '<script>document.title = "owned"</script>',
            "properties": {"note": "<img src=x onerror=alert(1)>", "link": "javascript:alert(1)"},
        }
    ]
)
RULES = '{"rules": [{"effect": "deny", "subject": "principal:narrow", "origins": ["place"]}]}'


@dataclass(frozen=True)
class Served:
    """A running service.

    Attributes:
        base: URL without a path.
    """

    base: str

    @property
    def keyed(self) -> str:
        """Root of the API with the curator's key in it, as OpenRefine has it."""
        return f"{self.base}/reconcile/~{KEYS['curator']}"

    def http(self, who: str | None = "curator", **headers: str) -> httpx2.Client:
        """Returns a client with the key of a principal in its headers; None: a stranger's."""
        if who is not None:
            headers["authorization"] = f"Bearer {KEYS[who]}"
        return httpx2.Client(base_url=self.base, headers=headers, timeout=60, trust_env=False)


@contextmanager
def serving(database: Database, folder: Path, **settings: Any) -> Generator[Served]:
    """Serves a database with the lookup tables of ``t.make_lookups`` from a thread.

    Args:
        database: with the helpers of SQL tests.
        folder: data directory.
        settings: sections that differ.
    """
    logs.configure("info")
    logging.getLogger("uvicorn").setLevel(logging.WARNING)
    with database.connect() as connection:
        for statement in (
            "select t.make_lookups()",
            f"select lookup.put_rows(lookup.put_table('odd', 'Markup', null), '{ODD}', true)",
            "select t.make_principal('curator')",
            "select t.make_principal('narrow')",
            f"select t.make_rules('{RULES}')",
        ):
            connection.execute(statement)  # pyright: ignore[reportCallIssue, reportArgumentType]
    started, ended = threading.Event(), threading.Event()
    port: list[int] = []

    async def serve() -> None:
        runtime_dir = cached_model_dir().parents[1]
        async with open_service(
            schema()(**settings), folder, runtime_dir, database.service_dsn, "up", uuid4()
        ) as service:
            for principal, key in KEYS.items():
                await _add_key(service, principal, key)
            config = uvicorn.Config(
                create_app(service), port=0, log_config=None, timeout_graceful_shutdown=1
            )
            server = uvicorn.Server(config)
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(server._serve)  # without its own handling of signals
                await until(lambda: server.started)
                port.append(server.servers[0].sockets[0].getsockname()[1])
                started.set()
                await anyio.to_thread.run_sync(ended.wait)
                server.should_exit = True

    thread = threading.Thread(target=anyio.run, args=[serve], daemon=True)
    thread.start()
    try:
        assert started.wait(60), "it did not start"
        yield Served(f"http://127.0.0.1:{port[0]}")
    finally:
        ended.set()
        thread.join(20)


async def _add_key(service: Service, principal: str, key: str) -> None:
    admin = await service.database.find_principal(LOCAL_PRINCIPAL)
    await service.database.call(
        core_api.put_key(
            principal=principal,
            label="tests",
            prefix=key[:4],
            key_hash=sha256(key.encode()).digest(),
        ),
        admin,
    )
