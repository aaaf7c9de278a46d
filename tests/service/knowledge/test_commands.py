"""What commands about documentation show."""

from __future__ import annotations

from quartermaster.knowledge.docs_commands import status_columns


def test_a_narrow_status_has_room_for_what_could_not_be_read():
    read: dict[str, object] = {"waiting": 0, "unread": []}
    waits, unread = read | {"waiting": 3}, read | {"unread": ["_fast: compiled, without stubs"]}

    assert headings([read], 100) == ["name", "version", "objects", "cards"]
    whole = ["name", "version", "objects", "cards", "waiting", "unread"]
    assert headings([waits, unread], 100) == whole
    assert headings([waits, unread], 60) == ["name", "version", "waiting", "unread"]


def headings(rows: list[dict[str, object]], width: int) -> list[str]:
    return [each if isinstance(each, str) else each[0] for each in status_columns(rows, width)]
