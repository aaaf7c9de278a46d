"""IBM's ContextForge gateway (PyPI), with SQLite and its rate limits off."""

from __future__ import annotations

import os
import secrets
import subprocess
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import httpx2

from lab.bench.overhead.doors import ArmEndpoint, Transport
from lab.bench.overhead.rivals import CONTEXTFORGE, environment_of, listening
from lab.bench.overhead.upstreams import UpstreamAddress
from tests.support.ports import free_port
from tests.support.waiting import wait_until

_USER = "admin@example.org"
_UPSTREAM = "up"


@contextmanager
def opened(
    upstream: UpstreamAddress, _client: Transport, _behind: Transport
) -> Generator[ArmEndpoint]:
    """Provides a virtual server that has the upstream's `echo`; see `Arm.opened`."""
    programs = environment_of(CONTEXTFORGE) / "bin"
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="qm-bench-") as folder:
        settings = _settings(Path(folder))
        command = [str(programs / "mcpgateway"), "--host", "127.0.0.1", "--port", str(port)]
        with listening(command, port, settings, folder) as pid:
            headers = {"authorization": f"Bearer {_token(programs, settings)}"}
            url = f"http://127.0.0.1:{port}"
            with httpx2.Client(
                base_url=url, headers=headers, timeout=60, trust_env=False
            ) as client:
                tool, server = _publish(client, upstream.url)
            yield ArmEndpoint(
                tool=tool,
                url=f"{url}/servers/{server}/mcp/",
                headers=headers,
                roots=frozenset({pid}),
            )


def _settings(folder: Path) -> dict[str, str]:
    return {
        "JWT_SECRET_KEY": secrets.token_hex(32),
        "AUTH_ENCRYPTION_SECRET": secrets.token_hex(32),
        "PLATFORM_ADMIN_EMAIL": _USER,
        "PLATFORM_ADMIN_PASSWORD": f"A-{secrets.token_hex(16)}!",
        "DATABASE_URL": f"sqlite:///{folder}/gateway.db",
        "CACHE_TYPE": "memory",
        "SSRF_ALLOW_LOCALHOST": "true",
        "SSRF_ALLOW_PRIVATE_NETWORKS": "true",
        "RATE_LIMITING_ENABLED": "false",
        "TOOL_RATE_LIMIT": "1000000000",
        "MCPGATEWAY_UI_ENABLED": "false",
        "LOG_LEVEL": "ERROR",
    }


def _token(programs: Path, settings: dict[str, str]) -> str:
    command = [programs / "python", "-m", "mcpgateway.utils.create_jwt_token"]
    options = ["--username", _USER, "--exp", "600", "--secret", settings["JWT_SECRET_KEY"]]
    made = subprocess.run(
        [*command, *options],
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        check=True,
    )
    return made.stdout.splitlines()[-1]


def _publish(client: httpx2.Client, url: str) -> tuple[str, str]:
    """Registers the upstream; returns the name of its `echo` and the id of the virtual server."""
    assert wait_until(lambda: client.get("/health").is_success, 60)
    origin = {"name": _UPSTREAM, "url": url, "transport": "STREAMABLEHTTP"}
    client.post("/gateways", json=origin).raise_for_status()
    [tool] = [t for t in client.get("/tools").json() if t["originalName"] == "echo"]
    server = {"server": {"name": "bench", "associated_tools": [tool["id"]]}}
    made = client.post("/servers", json=server).raise_for_status()
    return tool["name"], made.json()["id"]
