"""The PyPI package `reconciler`, a client that is not ours, runs a table through the service."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from kinds.lookup.tests.reconciliation import Served
from tests.support.node_tools import cache, install

# It breaks with NumPy 2, which we have: it gets a folder of its own.
PACKAGES = ("reconciler==0.2.2", "numpy==1.26.4", "pandas==2.2.3")
SCRIPT = """
import json, sys
import pandas as pd
from reconciler import reconcile

names, families = json.loads(sys.argv[2])
table = pd.DataFrame({"name": names, "family": families})
found = reconcile(
    table["name"], type_id="plant", top_res=1, reconciliation_endpoint=sys.argv[1],
    property_mapping={"family": table["family"]},
)
print(found[["input_value", "id", "match", "name", "type_id"]].to_json(orient="records"))
"""


@pytest.fixture(scope="session")
def packages() -> Path:
    """A folder with the package and what it needs, installed once for all test runs."""
    folder = cache() / "reconciler-0.2.2"
    if not (folder / "reconciler").is_dir():
        command = [sys.executable, "-m", "pip", "install", "-q", "--target", folder]
        install([*command, *PACKAGES])
    return folder


def test_a_table_is_reconciled(served: Served, packages: Path):
    # Twelve distinct rows are two batches; one of them is not in the table.
    names = ["Betula pendula", "Betula nana", "vårtbjörk", "B. pendula", "Xyzzy quux"]
    names += ["Salix repens", "BETULA NANA", "Betula pendula Roth", "salix  repens", "betula nana"]
    names += ["Bromus pendula", "Betula pendola"]
    families = ["Betulaceae" if name.startswith("B. ") else "" for name in names]
    done = subprocess.run(
        [
            sys.executable,
            "-W",
            "ignore",
            "-c",
            SCRIPT,
            f"{served.keyed}/plant",
            json.dumps([names, families]),
        ],
        env={**os.environ, "PYTHONPATH": str(packages), "NO_PROXY": "127.0.0.1"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    found = {row["input_value"]: row for row in json.loads(done.stdout)}
    expected = dict(
        zip(names, ["1", "2", "1", "1", None, "6", "2", "1", "6", "2", "3", "1"], strict=True)
    )
    assert {name: row["id"] for name, row in found.items()} == expected
    assert found["Betula pendula"]["match"] is True
    assert found["Betula pendula"]["type_id"] == "plant"
