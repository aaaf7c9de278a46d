"""``qm snapshot``: kept, signed, compared, verified, brought back."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

from tests.support.instance import Instance

TOOL = "lathe__turn_wood"


def test_a_snapshot_from_its_making_to_its_end(instance: Instance, tmp_path: Path) -> None:
    tools = tmp_path / "tools.jsonl"
    tools.write_text(
        json.dumps({"origin": "lathe", "name": "turn_wood", "description": "Turns a spindle."})
    )
    assert instance.qm("import", tools).returncode == 0
    made = instance.qm_json("snapshot", "create", "first", "--note", "as it began")
    artifact = Path(made["artifact"])
    assert artifact.stat().st_mode & 0o777 == 0o600
    with closing(sqlite3.connect(artifact)) as file:
        found = file.execute(
            "select c.public_name from words join card as c on c.id = words.rowid"
            " where words match 'spindles' order by rank"
        ).fetchall()
        assert (TOOL,) in found
        assert file.execute("select count(*) from card").fetchone() == (
            sum(made["items"].values()),
        )
    taken = instance.qm("snapshot", "create", "first")
    assert (taken.returncode, "snapshot_exists" in taken.stderr) == (1, True)

    [listed] = instance.qm_json("snapshot", "list")
    assert (listed["name"], listed["sealed"], listed["note"]) == ("first", True, "as it began")
    assert "first" in instance.qm("snapshot", "list").stdout
    assert instance.qm_json("snapshot", "diff", "first") == []
    assert "no differences" in instance.qm("snapshot", "diff", "first").stderr

    whole = instance.qm("snapshot", "verify", "first")
    assert (whole.returncode, "is intact" in whole.stdout) == (0, True)
    retained = artifact.read_bytes()
    flipped = bytearray(retained)
    flipped[len(retained) // 2] ^= 1
    artifact.write_bytes(flipped)
    broken = instance.qm("snapshot", "verify", "first")
    assert (broken.returncode, "differs from the signed artifact" in broken.stdout) == (1, True)
    refused = instance.qm("snapshot", "activate", "first", "--yes")
    assert (refused.returncode, "snapshot_damaged" in refused.stderr) == (1, True)
    artifact.write_bytes(retained)

    gone = instance.qm("tool", "deprecate", TOOL, "--yes")
    assert gone.returncode == 0, gone.stderr
    [change] = instance.qm_json("snapshot", "diff", "first")
    assert (change["change"], change["name"]) == ("removed", TOOL)
    assert not instance.qm_json("snapshot", "activate", "first", "--dry-run")["activated"]
    asked = instance.qm("snapshot", "activate", "first", stdin="n\n")
    assert (asked.returncode, "brings back 1 item" in asked.stdout) == (1, True)
    done = instance.qm_json("snapshot", "activate", "first", "--yes")
    assert (done["returned"], done["activated"]) == (1, True)
    assert instance.qm_json("snapshot", "diff", "first") == []

    assert instance.qm("snapshot", "drop", done["undo"], "--yes").returncode == 0
    assert instance.qm("snapshot", "drop", "first", "--yes").returncode == 0
    assert not artifact.exists()
    assert instance.qm_json("snapshot", "list") == []
    unknown = instance.qm("snapshot", "verify", "first")
    assert (unknown.returncode, "snapshot_not_found" in unknown.stderr) == (1, True)


def test_a_copy_in_a_store_stands_in_for_the_file_and_is_looked_at_as_hard(
    instance: Instance, tmp_path: Path
) -> None:
    made = instance.qm_json("snapshot", "create", "kept", "--to", f"file://{tmp_path}/far")
    artifact, copy = Path(made["artifact"]), tmp_path / "far" / "kept.sqlite"
    assert made["artifact_url"] == f"file://{copy}"
    assert copy.read_bytes() == artifact.read_bytes()

    artifact.unlink()
    flipped = bytearray(retained := copy.read_bytes())
    flipped[len(retained) // 2] ^= 1
    copy.write_bytes(flipped)
    refused = instance.qm("snapshot", "activate", "kept", "--yes")
    assert (refused.returncode, "snapshot_damaged" in refused.stderr) == (1, True)
    artifact.unlink()
    copy.unlink()
    lost = instance.qm("snapshot", "verify", "kept")
    assert (lost.returncode, "store_failed" in lost.stderr) == (1, True)

    copy.write_bytes(retained)
    whole = instance.qm("snapshot", "verify", "kept")
    assert (whole.returncode, "is intact" in whole.stdout) == (0, True)
    assert artifact.stat().st_mode & 0o777 == 0o600
    assert instance.qm("snapshot", "drop", "kept", "--yes").returncode == 0
    assert not copy.exists()
    refused = instance.qm("snapshot", "create", "bad", "--to", "nowhere://x")
    assert (refused.returncode, "store_failed" in refused.stderr) == (1, True)
