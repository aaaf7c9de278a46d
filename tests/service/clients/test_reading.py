"""Files of clients that are odd or hostile are read, or refused with an error."""

from __future__ import annotations

from pathlib import Path

import pytest

from quartermaster.clients.known import CLIENTS
from quartermaster.clients.reading import read_servers
from quartermaster.core.errors import QmError


def doubled(levels: int) -> str:
    """Returns a YAML text in which each anchor stands for the one before it, nine times."""
    lines = ["v0: &v0 {command: x}"]
    lines += [
        f"v{n}: &v{n} {{{', '.join(f'k{k}: *v{n - 1}' for k in range(9))}}}"
        for n in range(1, levels)
    ]
    return "\n".join([*lines, f"mcpServers: *v{levels - 1}"])


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x.yaml", doubled(12)),
        ("x.yaml", "mcpServers: &a\n  x: {command: y}\n  b: *a\n"),
        ("x.yaml", "a: " + "[" * 2_000),
        ("x.yaml", "mcpServers: !!python/object/apply:os.getcwd []"),
        ("x.yaml", "mcpServers: {a: {command: x, args: [2020-13-45]}}"),
        ("x.toml", "a = " + "[" * 5_000),
        ("x.toml", "a = " + "{a=" * 5_000),
        ("x.json", '{"mcpServers":' * 50_000),
        ("x.json", '{"mcpServers": {"a": {"args": [' + "9" * 5_000 + "]}}}"),
    ],
)
def test_a_hostile_file_is_refused(name: str, text: str) -> None:
    with pytest.raises(QmError) as raised:
        read_servers(text, Path(name))
    assert raised.value.slug == "config_invalid"


def test_anchors_are_read() -> None:
    assert len(read_servers(doubled(2), Path("x.yaml")).servers) == 9


def test_a_list_of_what_is_off_may_hold_anything(tmp_path: Path) -> None:
    client, (name, keys) = next((one, one.off_file) for one in CLIENTS.values() if one.off_file)
    inner = '[["a"], {}, null, "a"]'
    for key in reversed(keys):
        inner = f'{{"{key}": {inner}}}'
    (tmp_path / name).write_text(inner)
    text = '{"mcpServers": {"a": {"command": "x"}, "b": {"command": "y"}}}'
    found = read_servers(text, tmp_path / "mcp.json", client).servers
    assert {one.name: one.is_off for one in found} == {"a": True, "b": False}
