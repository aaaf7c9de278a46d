"""``qm audit`` against a running service: what was changed is told, signed, and proven."""

from __future__ import annotations

import json
from pathlib import Path

import psycopg

from tests.support.instance import Instance
from tests.support.waiting import wait_until


def test_changes_are_listed_signed_exported_and_verified(instance: Instance, tmp_path: Path):
    instance.qm("principal", "create", "erik")
    instance.qm("principal", "disable", "erik", "--yes")
    [last, first] = instance.qm_json("audit", "list", "--name", "erik")
    assert (first["action"], last["action"]) == ("insert", "update")
    assert (last["before"], last["after"]) == ({"enabled": True}, {"enabled": False})
    assert "enabled: true → false" in " ".join(instance.qm("audit", "list").stdout.split())

    # The service has signed what was there when it started.
    assert wait_until(lambda: instance.qm_json("audit", "verify")["signed_to"])
    assert (instance.data_dir / "signing_key").stat().st_mode & 0o777 == 0o600
    verdict = instance.qm("audit", "verify")
    assert (verdict.returncode, "All records are unchanged" in verdict.stdout) == (0, True)

    target = tmp_path / "audit.jsonl"
    assert instance.qm("audit", "export", target).returncode == 0
    records = [json.loads(line)["record"] for line in target.read_text().splitlines()]
    assert [record["id"] for record in records] == [*range(1, len(records) + 1)]
    assert instance.qm("audit", "export", "-").stdout == target.read_text()
    assert instance.qm("audit", "verify", "--file", target).returncode == 0
    target.write_text(target.read_text().replace('"erik"', '"anna"'))
    assert instance.qm("audit", "verify", "--file", target).returncode == 1


def test_a_tampered_chain_is_told_and_fails(instance: Instance):
    instance.qm("principal", "create", "felix")
    with psycopg.connect(instance.admin_dsn, autocommit=True) as connection:
        connection.execute("set session_replication_role = replica")
        tamper = "update audit.record set object = %s where object = %s"
        connection.execute(tamper, ["nobody", "felix"])
        [(record,)] = connection.execute(
            "select id from audit.record where object = 'nobody'"
        ).fetchall()
        try:
            found = instance.qm("audit", "verify")
            assert (found.returncode, f"changed {record}:" in found.stdout) == (1, True)
        finally:
            connection.execute(tamper, ["felix", "nobody"])
    assert instance.qm("audit", "verify").returncode == 0


def test_how_long_records_are_kept_is_asked_and_kept(instance: Instance):
    preview = instance.qm("audit", "keep", "24", "--dry-run")
    assert (preview.returncode, "deletes 0 records from 0 months" in preview.stdout) == (0, True)
    assert instance.qm("audit", "keep", "24", stdin="n\n").returncode == 1
    assert instance.qm_json("audit", "keep", "24", "--yes")["done"]
    [row, *_] = instance.qm_json("audit", "list", "--name", "audit.keep_months")
    assert row["after"] == {"value": 24}
