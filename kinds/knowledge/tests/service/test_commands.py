"""What commands about documentation show."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from quartermaster_knowledge.docs_commands import root_of_project


def test_the_folder_of_a_project_is_that_of_its_owner(tmp_path: Path):
    rows: list[dict[str, Any]] = [
        {"project": "shop", "owner": owner, "root": str(tmp_path / owner)}
        for owner in ("ada", "bob", "cem")
    ]
    for owner in ("ada", "bob"):
        (tmp_path / owner).mkdir()
    assert root_of_project(rows, "bob/shop") == tmp_path / "bob"
    assert root_of_project(rows, "cem/shop") is None  # its folder is on another machine
    assert root_of_project(rows[1:], "shop") == tmp_path / "bob"
