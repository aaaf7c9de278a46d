"""What `qm connect` writes into the configuration of a client, in the hands of an attacker."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.attack.conftest import Hostile


@pytest.fixture
def stolen(hostile: Hostile) -> dict[str, Any]:
    """The configuration of a connected client."""
    done = hostile.instance.qm("connect", "cursor", "--yes")
    assert done.returncode == 0, done.stderr
    path = hostile.home / ".cursor" / "mcp.json"
    return json.loads(path.read_text())["mcpServers"]["qm"]


def key_in(entry: dict[str, Any]) -> str:
    return entry["headers"]["Authorization"].removeprefix("Bearer ")


def test_it_contains_no_secret_of_the_service(hostile: Hostile, stolen: dict[str, Any]) -> None:
    data_dir = hostile.instance.data_dir
    credentials = json.loads((data_dir / "credentials.json").read_text())
    secrets = [*credentials.values(), (data_dir / "signing_key").read_text().strip()]
    assert all(len(secret) > 20 for secret in secrets)
    text = json.dumps(stolen)
    assert not [secret for secret in secrets if secret in text]
    assert "postgresql" not in text


@pytest.mark.parametrize("path", ["/v1/origins/hostile/log", "/metrics"])
def test_its_key_does_not_open_what_operators_see(
    hostile: Hostile, stolen: dict[str, Any], path: str
) -> None:
    with hostile.instance.http(key_in(stolen)) as http:
        assert http.get(path).status_code == 403
        assert http.get("/status").status_code == 200, "the key is valid"
    with hostile.instance.http() as http:
        assert http.get(path).status_code == 200, "the path exists"


def test_its_key_is_worth_nothing_after_the_undo(hostile: Hostile, stolen: dict[str, Any]) -> None:
    assert hostile.instance.qm("connect", "cursor", "--undo", "--yes").returncode == 0
    assert not (hostile.home / ".cursor" / "mcp.json").exists()
    assert not list(Path(hostile.home).rglob("*.before-qm"))
    with hostile.instance.http(key_in(stolen)) as http:
        assert http.get("/status").status_code == 401
