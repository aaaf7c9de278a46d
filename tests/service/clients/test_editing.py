"""One entry of a file changes, and everything else stays as it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from quartermaster.clients.client import Format
from quartermaster.clients.editing import replace_text, value_in, with_entry, without_entry
from quartermaster.core.errors import QmError

ENTRY = {"url": "http://x/mcp", "headers": {"Authorization": "Bearer k"}}
FILE = Path("file")


@pytest.mark.parametrize(
    ("format_", "text"),
    [
        (
            "json",
            '{\n  // mine\n  "mcpServers": {\n    "a": {"n": 1}, // note\n    /* b */\n  }\n}\n',
        ),
        ("json", '{\r\n\t"mcpServers": {\r\n\t\t// only\r\n\t}\r\n}\r\n'),
        ("json", '{"a": 1 /* why */, "mcpServers": {"b": {}}}'),
        ("json", '{"mcpServers": {\n  "a": {"command": "// no comment"},\n}, }'),
        ("toml", '# mine\nmodel = "x" # why\n\n[mcpServers.a]\ncommand = "x"\n\n[other]\nb = 1\n'),
        ("toml", 'mcpServers = {a = {command = "x"}} # why\n[z]\nb = 1\n'),
        (
            "yaml",
            "a: 1\nmcpServers:\n    # mine\n    dev: # why\n        b: c\n    # tail\nz: 2\n",
        ),
        ("yaml", "mcpServers: {}\n"),
        ("yaml", "x: {a: 1}\nmcpServers: {a: {cmd: x}} # why"),
    ],
)
def test_comments_and_all_other_bytes_stay(format_: Format, text: str) -> None:
    place = ("mcpServers", "qm")
    added = with_entry(text, format_, place, ENTRY, FILE)

    assert value_in(added, format_, FILE)["mcpServers"]["qm"] == ENTRY
    for comment in ("mine", "why", "note", "/* b */", "only", "tail"):
        assert (comment in added) == (comment in text)
    # Each line of the text is still there, but for a comma or a bracket.
    lines = {line.strip(" \t\r,") for line in added.splitlines()}
    if len(text.splitlines()) > 3:
        assert all(line.strip(" \t\r,") in lines for line in text.splitlines())
    assert value_in(without_entry(added, format_, place, FILE), format_, FILE) == value_in(
        text, format_, FILE
    )


@pytest.mark.parametrize(
    ("format_", "text"),
    [
        ("json", ""),
        ("json", "{}"),
        ("json", '{"other": {"a": 1}}'),
        ("toml", ""),
        ("toml", "a = 1"),
        ("yaml", ""),
        ("yaml", "a: 1"),
        ("yaml", "# only a comment\n"),
        ("yaml", "mcpServers:\n# nothing yet\n"),
    ],
)
def test_what_is_missing_is_added(format_: Format, text: str) -> None:
    added = with_entry(text, format_, ("mcpServers", "qm"), ENTRY, FILE)
    assert value_in(added, format_, FILE)["mcpServers"] == {"qm": ENTRY}


@pytest.mark.parametrize(
    ("format_", "text"),
    [
        ("json", '{"mcpServers": {"qm": {"url": "old"}, "a": {}}}'),
        ("toml", '[mcpServers.qm]\nurl = "old"\n[mcpServers.a]\nb = 1\n'),
        ("yaml", "mcpServers:\n  qm:\n    url: old\n  # kept\n  a: {b: 1}\n"),
    ],
)
def test_an_entry_is_replaced(format_: Format, text: str) -> None:
    added = with_entry(text, format_, ("mcpServers", "qm"), ENTRY, FILE)
    servers = value_in(added, format_, FILE)["mcpServers"]
    assert servers["qm"] == ENTRY
    assert "a" in servers
    assert ("# kept" in added) == ("# kept" in text)


@pytest.mark.parametrize(
    ("format_", "text"),
    [
        ("json", '{"mcpServers": [{"name": "a"}]}'),
        ("yaml", "mcpServers:\n- name: a\n  command: x\n# after\nm: 1\n"),
        ("yaml", "mcpServers: [{name: a}]\n"),
        ("yaml", "name: mine\n"),
    ],
)
def test_a_list_gets_another_item(format_: Format, text: str) -> None:
    before = value_in(text, format_, FILE).get("mcpServers", [])
    added = with_entry(text, format_, ("mcpServers", len(before)), {"name": "qm", **ENTRY}, FILE)
    names = [server["name"] for server in value_in(added, format_, FILE)["mcpServers"]]
    assert sorted(names) == sorted([server["name"] for server in before] + ["qm"])
    gone = without_entry(added, format_, ("mcpServers", names.index("qm")), FILE)
    assert (value_in(gone, format_, FILE).get("mcpServers") or []) == before


def test_each_entry_can_be_taken_out() -> None:
    text = '{"s": {\n  "a": {"n": 1},\n  "b": {"n": 2}, // second\n  "c": {"n": 3}\n}}\n'
    for name in "abc":
        left = value_in(without_entry(text, "json", ("s", name), FILE), "json", FILE)["s"]
        assert list(left) == [other for other in "abc" if other != name]


def test_what_cannot_be_changed_alone_is_refused() -> None:
    shared = "base: &base\n  a: {cmd: x}\nmcpServers: *base\n"
    with pytest.raises(QmError, match="cannot be changed here"):
        with_entry(shared, "yaml", ("mcpServers", "qm"), ENTRY, FILE)
    with pytest.raises(QmError, match="is not a JSON object"):
        with_entry("[]", "json", ("mcpServers", "qm"), ENTRY, FILE)


@pytest.mark.parametrize(
    ("format_", "text", "place"),
    [
        ("json", '{"mcpServers": []}', ("mcpServers", "qm")),
        ("json", '{"mcpServers": {"a": {}}}', ("mcpServers", 0)),
        ("toml", f"[{'a.' * 200}b]\nc = 1\n", ("mcpServers", "qm")),
    ],
)
def test_a_file_of_another_shape_is_refused(
    format_: Format, text: str, place: tuple[str | int, ...]
) -> None:
    with pytest.raises(QmError, match="cannot be changed here"):
        with_entry(text, format_, place, ENTRY, FILE)


def test_what_a_client_has_written_meanwhile_is_not_lost(tmp_path: Path) -> None:
    file = tmp_path / "mcp.json"
    replace_text(file, None, "{}")
    replace_text(file, "{}", '{"a": 1}')
    for before in (None, "{}"):
        with pytest.raises(QmError, match="changed by another program") as raised:
            replace_text(file, before, "[]")
        assert raised.value.slug == "file_changed"
    assert file.read_text() == '{"a": 1}'
