"""The list of components names what is pinned, nothing else."""

from __future__ import annotations

import json
import re
import subprocess

from quartermaster import DISTRIBUTION
from tests.support.sql_files import ROOT


def test_the_list_of_components_is_that_of_the_pinned_packages() -> None:
    subprocess.run([ROOT / "scripts" / "audit.sh", "sbom"], check=True)
    listed = json.loads((ROOT / "dist" / "quartermaster.cdx.json").read_text(encoding="utf-8"))
    assert listed["bomFormat"] == "CycloneDX"
    assert listed["metadata"]["component"]["name"] == DISTRIBUTION
    pins = (ROOT / "requirements" / "runtime.txt").read_text(encoding="utf-8")
    pinned = set(re.findall(r"^([a-z0-9._-]+)==([^ ;]+)", pins, re.MULTILINE))
    assert {(one["name"], one["version"]) for one in listed["components"]} == pinned
    for component in listed["components"]:
        (source,) = component["externalReferences"]
        assert {kind["alg"] for kind in source["hashes"]} == {"SHA-256"}
