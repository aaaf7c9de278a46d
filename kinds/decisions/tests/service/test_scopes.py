"""Scopes as people write them."""

from __future__ import annotations

import pytest

from quartermaster_decisions.scopes import read_scope, write_scope


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("global", "global", ""),
        ("", "global", ""),
        ("**", "global", ""),
        ("Python", "language", "python"),
        ("src/api/**", "path", "src/api/**"),
        ("./src/api/users.py", "path", "src/api/users.py"),
        ("setup.py", "path", "setup.py"),
        ("app.api", "module", "app.api"),
        ("module go", "module", "go"),
        ("path app.api", "path", "app.api"),
    ],
)
def test_a_scope_is_read_and_written_again(text: str, kind: str, value: str):
    scope = read_scope(text)
    assert scope == {"kind": kind, "value": value}
    assert read_scope(write_scope(scope)) == scope
