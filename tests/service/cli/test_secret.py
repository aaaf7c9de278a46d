"""Credentials of upstreams from the command line to the wire: logins, secrets of each, rotation."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

import anyio
import httpx2
import jwt
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.support.canary import canary
from tests.support.forks import forked_qm
from tests.support.guarded_upstream import MACHINE, GuardedUpstream, guarded_upstream
from tests.support.instance import Instance, descendants, environment_of_commands


@pytest.fixture(scope="module")
def issuing() -> Generator[GuardedUpstream]:
    with guarded_upstream() as running:
        yield running


@pytest.fixture(scope="module")
def plain() -> Generator[GuardedUpstream]:
    """A server that takes everybody, and notes what it was sent."""
    with guarded_upstream(oauth=False) as running:
        yield running


def log_in(instance: Instance, *arguments: str) -> tuple[int, str]:
    """Returns what ``qm origin login`` ends with and says, while somebody opens the address it
    shows.
    """
    process = instance.launch_qm("origin", "login", *arguments, "--no-browser")
    assert process.stdout is not None
    address = process.stdout.readline().strip()
    page = httpx2.get(address, follow_redirects=True)
    assert page.text.startswith("Done"), page.text
    said, errors = process.communicate(timeout=60)
    return process.returncode, said + errors


def call(instance: Instance, tool: str, key: str | None = None) -> str:
    """Returns the text that a tool answers, called with a key over HTTP."""
    run = instance.run_file

    async def ask() -> str:
        headers = {"Authorization": f"Bearer {key or run.token}"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=30) as http,
            Client(streamable_http_client(f"{run.url}/mcp", http_client=http)) as client,
        ):
            result = await client.call_tool("call_tool", {"name": tool})
            return result.model_dump_json()

    return anyio.run(ask)


def new_key(instance: Instance, name: str) -> str:
    assert instance.qm("principal", "create", name).returncode == 0
    return instance.qm_json("key", "create", name)["key"]


def test_a_login_opens_an_origin_and_its_tokens_go_there_only(
    instance: Instance, issuing: GuardedUpstream
) -> None:
    before = instance.qm_json("secret", "list")
    added = instance.qm("origin", "add", "hub", "--url", issuing.url, "--token", "login", "--yes")
    assert (added.returncode, "qm origin login hub" in added.stderr) == (0, True), added.stdout
    refused = call(instance, "hub__ask")
    assert "answered" not in refused

    status, said = log_in(instance, "hub")
    assert status == 0, said
    key = new_key(instance, "caller")
    assert "answered" in call(instance, "hub__ask", key)

    granted = set(issuing.tokens_seen)
    assert len(granted) == 1
    sent = repr(issuing.requests)
    assert key not in sent, "a client's key went upstream"
    assert instance.run_file.token not in sent
    assert {*instance.qm_json("secret", "list")} - {*before} == {"login/hub"}
    shown = instance.qm("origin", "show", "hub").stdout
    assert "logged in; the tokens" in shown
    assert not [token for token in granted if token in shown + said + instance.stderr]

    assert instance.qm("origin", "logout", "hub").returncode == 0
    gone = call(instance, "hub__ask", key)
    assert "answered" not in gone
    assert "qm origin login hub" in gone
    assert instance.qm("origin", "remove", "hub", "--yes").returncode == 0


def test_each_principal_has_credentials_of_their_own_and_nobody_elses(
    instance: Instance, plain: GuardedUpstream
) -> None:
    shared, own = canary("shared"), canary("own")
    assert instance.qm("secret", "set", "team/X-Key", stdin=shared).returncode == 0
    added = instance.qm(
        *("origin", "add", "team", "--url", plain.url, "--per-principal", "--yes"),
        *("--header", "X-Key=secret:team/X-Key"),
    )
    assert added.returncode == 0, added.stderr
    with_own, without = new_key(instance, "with-own"), new_key(instance, "without")
    arguments = ("secret", "set", "team/X-Key", "--principal", "with-own")
    assert instance.qm(*arguments, stdin=own).returncode == 0

    plain.requests.clear()
    assert "answered" in call(instance, "team__ask", with_own)
    assert {headers.get("x-key") for headers in plain.requests} == {own}
    plain.requests.clear()
    refused = call(instance, "team__ask", without)
    assert "credential_missing" in refused
    assert "qm secret set team/X-Key --principal without" in refused
    assert plain.requests == []
    assert instance.qm("origin", "remove", "team", "--yes").returncode == 0


def test_a_rotated_secret_is_used_at_once(instance: Instance, plain: GuardedUpstream) -> None:
    old, new = canary("old"), canary("new")
    added = instance.qm(
        "origin", "add", "shop", "--url", plain.url, "--header", f"X-Key={old}", "--yes"
    )
    assert added.returncode == 0, added.stderr
    call(instance, "shop__ask")
    assert plain.requests[-1]["x-key"] == old

    rotated = instance.qm("secret", "rotate", "shop/X-Key", stdin=f"{new}\n")
    assert (rotated.returncode, "shop" in rotated.stdout) == (0, True), rotated.stderr
    plain.requests.clear()
    assert "answered" in call(instance, "shop__ask")
    assert {headers["x-key"] for headers in plain.requests} == {new}
    assert new not in rotated.stdout + rotated.stderr + instance.stderr

    missing = instance.qm("secret", "rotate", "shop/other", stdin=new)
    assert (missing.returncode, "secret_not_found" in missing.stderr) == (1, True)
    assert instance.qm("origin", "remove", "shop", "--yes").returncode == 0


def test_a_machine_logs_in_by_itself(instance: Instance, issuing: GuardedUpstream) -> None:
    retained = instance.qm("secret", "set", "robot/client", stdin=issuing.machine_secret)
    assert retained.returncode == 0
    added = instance.qm(
        *("origin", "add", "robot", "--url", issuing.url, "--token", "client", "--yes"),
        *("--client-id", MACHINE, "--client-secret", "secret:robot/client"),
        *("--issuer", issuing.url.removesuffix("/mcp")),
    )
    assert added.returncode == 0, added.stdout + added.stderr
    issuing.end_access()
    assert "answered" in call(instance, "robot__ask")
    assert instance.qm("origin", "remove", "robot", "--yes").returncode == 0


def test_signed_tokens_are_short_narrow_and_checked_with_the_published_key(
    instance: Instance, plain: GuardedUpstream
) -> None:
    added = instance.qm(
        *("origin", "add", "trusting", "--url", plain.url, "--token", "signed", "--yes"),
        *("--per-principal", "--scope", "read"),
    )
    assert added.returncode == 0, added.stderr
    key = new_key(instance, "signer")
    plain.requests.clear()
    assert "answered" in call(instance, "trusting__ask", key)
    [token] = set(plain.tokens_seen)

    keys = jwt.PyJWKClient(f"{instance.run_file.url}/.well-known/jwks.json")
    claims = jwt.decode(
        token,
        keys.get_signing_key_from_jwt(token).key,
        algorithms=["EdDSA"],
        audience=plain.url,
        issuer="quartermaster",
    )
    assert (claims["sub"], claims["scope"]) == ("signer", "read")
    assert 0 < claims["exp"] - time.time() <= 300
    assert instance.qm("origin", "remove", "trusting", "--yes").returncode == 0


def test_a_locked_vault_stops_what_needs_it_and_nothing_else(
    instance: Instance, plain: GuardedUpstream
) -> None:
    retained = canary("kept")
    assert instance.qm("secret", "set", "sealed/X-Key", stdin=retained).returncode == 0
    for name, header in (("sealed", ("--header", "X-Key=secret:sealed/X-Key")), ("open", ())):
        assert (
            instance.qm("origin", "add", name, "--url", plain.url, *header, "--yes").returncode == 0
        )
    without = instance.qm("secret", "move", "vault")
    assert (without.returncode, "QM_VAULT_PASSPHRASE" in without.stderr) == (1, True)

    # The service was started without it, and so cannot open what is made now.
    instance.environment["QM_VAULT_PASSPHRASE"] = canary("passphrase")
    assert instance.qm("secret", "move", "vault").returncode == 0
    refreshed = instance.qm("origin", "refresh", "sealed")
    assert refreshed.returncode == 1
    refused = call(instance, "sealed__ask")
    assert "vault_locked" in refused
    assert "QM_VAULT_PASSPHRASE_FILE" in refused
    assert "answered" in call(instance, "open__ask")

    assert instance.qm("secret", "move", "file", "--yes").returncode == 0
    del instance.environment["QM_VAULT_PASSPHRASE"]
    assert "answered" in call(instance, "sealed__ask")
    for name in ("sealed", "open"):
        assert instance.qm("origin", "remove", name, "--yes").returncode == 0


@pytest.mark.skipif(not Path("/proc").exists(), reason="limits are read from /proc")
def test_a_crash_writes_no_image_of_its_memory(instance: Instance) -> None:
    for pid in {instance.run_file.pid, *descendants(instance.run_file.pid)}:
        limits = Path(f"/proc/{pid}/limits").read_text()
        assert re.search(r"^Max core file size +0 ", limits, re.MULTILINE)


def test_what_happened_to_a_secret_is_json_too(tmp_path: Path):
    def report(*arguments: str) -> Any:
        asked = [*forked_qm(), "secret", *arguments, "--json", "--data-dir", str(tmp_path)]
        done = subprocess.run(
            asked, env=environment_of_commands(), input=canary(), capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    assert report("set", "hub/KEY") == {"secret": "hub/KEY", "locator": "secret:hub/KEY"}
    assert report("rotate", "hub/KEY") == {"secret": "hub/KEY", "servers": []}
    assert report("move", "file") == {"moved": 1, "from": "file", "to": "file"}
    assert report("remove", "hub/KEY", "--yes") == {"secret": "hub/KEY", "done": True}


def test_secrets_in_the_catalog_are_found_and_moved(instance: Instance) -> None:
    # The audit log keeps them, so they are no canaries.
    token, key = "S3CRETtoken77", "S3CRETkey88"
    command = ["python3", "-c", "pass", "--token", token]
    url = f"https://me:{token}@origin.invalid/mcp?api_key={key}"
    instance.rows("select api.add_origin('by-hand', 'stdio', command => %s)", command)
    instance.rows("select api.add_origin('by-url', 'http', url => %s)", url)
    doctor = instance.qm("doctor")
    assert (doctor.returncode, "of by-hand, by-url." in doctor.stdout.replace("\n", " ")) == (
        1,
        True,
    )
    preview = instance.qm("secret", "extract", "--dry-run")
    assert "S3CRET" not in doctor.stdout + preview.stdout

    moved = instance.qm("secret", "extract", "--yes", "--json")

    assert json.loads(moved.stdout) == [
        {"origin": "by-hand", "secret": "by-hand/token"},
        {"origin": "by-url", "secret": "by-url/Authorization"},
        {"origin": "by-url", "secret": "by-url/api_key"},
    ]
    shown = [instance.qm_json("origin", "show", name) for name in ("by-hand", "by-url")]
    assert "S3CRET" not in str(shown)
    assert shown[0]["command"][-1].startswith("${secret:by-hand")
    assert shown[1]["url"].startswith("https://origin.invalid/mcp?api_key=${secret:")
    [(versions,)] = instance.rows(
        "select string_agg(v.connection::text, ' ') || %s from catalog.origin_version as v", ""
    )
    assert "S3CRET" not in versions
    assert "in plain text" not in instance.qm("doctor").stdout
    assert instance.qm_json("secret", "extract", "--yes") == []
    for name in ("by-hand", "by-url"):
        assert instance.qm("origin", "remove", name, "--yes").returncode == 0


def test_secrets_in_arguments_and_urls_reach_the_server_and_nobody_else(
    instance: Instance, plain: GuardedUpstream
) -> None:
    token, password = canary("token"), canary("password")
    digest = hashlib.sha256(token.encode()).hexdigest()
    tell = "import hashlib,sys; print(hashlib.sha256(sys.argv[-1].encode()).hexdigest(), *sys.argv"
    command = shlex.join([sys.executable, "-c", f"{tell}, file=sys.stderr)", "--token", token])
    assert instance.qm("origin", "add", "argued", "--command", command, "--yes").returncode == 1
    url = plain.url.replace("://", f"://me:{password}@")
    assert instance.qm("origin", "add", "addressed", "--url", url, "--yes").returncode == 0

    log = instance.qm("origin", "log", "argued").stdout
    assert digest in log
    assert token not in log
    basic = base64.b64encode(f"me:{password}".encode()).decode()
    assert plain.requests[-1]["authorization"] == f"Basic {basic}"
    for name in ("argued", "addressed"):
        shown = instance.qm("origin", "show", name).stdout
        assert token not in shown
        assert password not in shown
        assert instance.qm("origin", "remove", name, "--yes").returncode == 0
