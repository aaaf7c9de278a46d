"""What commands about documentation show."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from quartermaster.knowledge.docs_commands import root_of_project, status_columns


def test_a_narrow_status_has_room_for_what_could_not_be_read():
    read: dict[str, object] = {"waiting": 0, "unread": []}
    waits, unread = read | {"waiting": 3}, read | {"unread": ["_fast: compiled, without stubs"]}

    assert headings([read], 100) == ["name", "version", "objects", "cards"]
    whole = ["name", "version", "objects", "cards", "waiting", "unread"]
    assert headings([waits, unread], 100) == whole
    assert headings([waits, unread], 60) == ["name", "version", "waiting", "unread"]


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


def headings(rows: list[dict[str, object]], width: int) -> list[str]:
    return [each if isinstance(each, str) else each[0] for each in status_columns(rows, width)]
