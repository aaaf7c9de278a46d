"""``qm key`` and ``qm principal`` against a running service: who gets in, and who no longer."""

from __future__ import annotations

from typing import Any

import httpx2

from tests.support.instance import Instance


def knock(instance: Instance, key: str) -> int:
    with httpx2.Client(trust_env=False) as http:
        headers = {"authorization": f"Bearer {key}"}
        return http.get(f"{instance.run_file.url}/status", headers=headers).status_code


def listed(instance: Instance, *filters: str) -> list[dict[str, Any]]:
    return instance.qm_json("key", "list", *filters)


def test_a_key_from_its_making_to_its_end(instance: Instance):
    assert instance.qm("principal", "create", "alice", "--kind", "person").returncode == 0
    made = instance.qm("key", "create", "alice", "--label", "laptop", "--expires", "90d")
    assert made.returncode == 0, made.stderr
    key = made.stdout.strip()
    assert key.startswith("qm_")
    assert "not be shown again" in made.stderr
    assert knock(instance, key) == 200
    [row] = listed(instance, "alice")
    assert (row["label"], row["state"], row["prefix"]) == ("laptop", "live", key[:11])
    assert row["last_used_at"]
    assert key not in instance.qm("key", "list").stdout

    taken = instance.qm("key", "create", "alice", "--label", "laptop")
    assert (taken.returncode, "key_label_taken" in taken.stderr) == (1, True)
    newer = instance.qm_json("key", "create", "alice", "--label", "laptop", "--replace")
    assert (knock(instance, key), knock(instance, newer["key"])) == (401, 200)

    asked = instance.qm("key", "revoke", newer["prefix"], stdin="n\n")
    assert (asked.returncode, "laptop of alice" in asked.stdout) == (1, True)
    assert not instance.qm_json("key", "revoke", str(newer["id"]), "--dry-run")["revoked"]
    assert knock(instance, newer["key"]) == 200
    assert instance.qm("key", "revoke", newer["key"], "--yes").returncode == 0
    assert knock(instance, newer["key"]) == 401
    assert {row["state"] for row in listed(instance, "alice")} == {"revoked"}


def test_a_key_that_cannot_be_is_explained(instance: Instance):
    for wrong, slug in (
        (("create", "nobody"), "principal_not_found"),
        (("create", "local", "--expires", "2020-01-01"), "argument_invalid"),
        (("revoke", "qm_none", "--yes"), "key_not_found"),
    ):
        refused = instance.qm("key", *wrong)
        assert (refused.returncode, slug in refused.stderr) == (1, True), refused.stderr
    assert "qm principal create" in instance.qm("key", "create", "nobody").stderr
    assert instance.qm("key", "create", "local", "--expires", "soon").returncode == 2


def test_a_principal_is_kept_out_and_let_in_again(instance: Instance):
    assert instance.qm_json("principal", "create", "carol", "--role", "operator")["id"]
    key = instance.qm("key", "create", "carol").stdout.strip()
    twice = instance.qm("principal", "create", "carol")
    assert (twice.returncode, "principal_exists" in twice.stderr) == (1, True)
    asked = instance.qm("principal", "disable", "carol", stdin="n\n")
    assert (asked.returncode, "1 live key" in asked.stdout) == (1, True)
    assert knock(instance, key) == 200
    assert instance.qm("principal", "disable", "carol", "--yes").returncode == 0
    assert knock(instance, key) == 401
    assert instance.qm("principal", "enable", "carol").returncode == 0
    assert knock(instance, key) == 200
    rows = {row["name"]: row for row in instance.qm_json("principal", "list")}
    assert (rows["carol"]["role"], rows["carol"]["live_keys"]) == ("operator", 1)


def test_doors_of_a_principal_are_opened_by_name(instance: Instance):
    instance.qm("principal", "create", "dora")
    unknown = instance.qm("principal", "map-role", "dora", "no_such_login")
    assert (unknown.returncode, "database_role_not_found" in unknown.stderr) == (1, True)
    assert instance.qm("principal", "map-role", "dora").returncode == 2
    issuer = ("--issuer", "https://issuer.example")
    assert instance.qm("principal", "bind", "dora", "sub-1", *issuer).returncode == 0
    rows = {row["name"]: row for row in instance.qm_json("principal", "list")}
    assert (rows["dora"]["issuer"], rows["dora"]["subject"]) == ("https://issuer.example", "sub-1")
    assert instance.qm("principal", "bind", "dora", "--none").returncode == 0
    missing = instance.qm("principal", "bind", "dora", "sub-1")
    assert (missing.returncode, "issuer_missing" in missing.stderr) == (1, True)


def test_a_stream_ends_when_its_key_is_revoked(instance: Instance):
    made = instance.qm_json("key", "create", "local", "--label", "stream")
    headers = {
        "authorization": f"Bearer {made['key']}",
        "accept": "application/json, text/event-stream",
    }
    hello = {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "tests", "version": "0"},
    }
    begin = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}
    with httpx2.Client(trust_env=False, timeout=60, headers=headers) as http:
        url = f"{instance.run_file.url}/mcp"
        begun = http.post(url, json=begin)
        session = {"mcp-session-id": begun.headers["mcp-session-id"]}
        ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        http.post(url, json=ready, headers=session)
        with http.stream("GET", url, headers=session) as stream:
            assert stream.status_code == 200
            assert instance.qm("key", "revoke", str(made["id"]), "--yes").returncode == 0
            # Reading ends because the stream does, long before the time limit.
            assert b"".join(stream.iter_bytes()) is not None
