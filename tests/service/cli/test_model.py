"""``qm model`` against a running service: a second model comes, takes over, and goes again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from quartermaster.models.graph import build_encoder
from tests.support.instance import Instance
from tests.support.model import TINY, tiny_tokenizer, tiny_weights
from tests.support.waiting import wait_until


def test_a_model_from_its_addition_to_its_removal(instance: Instance, tmp_path: Path) -> None:
    [first] = instance.qm_json("model", "list")
    assert (first["active"], first["missing"]) == (True, 0)

    folder = tmp_path / "tiny"
    folder.mkdir()
    (folder / "model.onnx").write_bytes(build_encoder(tiny_weights(), TINY).SerializeToString())
    tiny_tokenizer().save(str(folder / "tokenizer.json"))
    added = instance.qm("model", "add", folder)
    assert added.returncode == 0, added.stderr
    assert "qm model use tiny" in added.stdout
    assert wait_until(lambda: _listed(instance)["tiny"]["missing"] == 0)
    assert instance.qm("model", "use", "tiny").returncode == 0
    assert _listed(instance)["tiny"]["active"]
    assert wait_until(lambda: "embedding_model_switched" in instance.stderr)

    refused = instance.qm("model", "drop", "tiny", "--yes")
    assert (refused.returncode, "model_active" in refused.stderr) == (1, True)
    assert instance.qm("model", "use", first["name"]).returncode == 0
    assert not instance.qm_json("model", "drop", "tiny", "--dry-run")["dropped"]
    assert "tiny" in instance.qm("model", "list").stdout
    asked = instance.qm("model", "drop", "tiny", stdin="n\n")
    assert (asked.returncode, "vectors" in asked.stdout) == (1, True)
    assert instance.qm("model", "drop", "tiny", "--yes").returncode == 0
    assert [row["name"] for row in instance.qm_json("model", "list")] == [first["name"]]

    unknown = instance.qm("model", "use", "none")
    assert (unknown.returncode, "model_not_found" in unknown.stderr) == (1, True)


def _listed(instance: Instance) -> dict[str, dict[str, Any]]:
    return {row["name"]: row for row in instance.qm_json("model", "list")}
