"""The committed reference is what the database's own comments say."""

from __future__ import annotations

from pathlib import Path

from quartermaster.install.reference import reference
from tests.support.database import Database

REFERENCE = Path(__file__).parents[2] / "docs" / "reference.md"


def test_the_committed_reference_is_rendered_from_the_installed_comments(database: Database):
    assert REFERENCE.read_text(encoding="utf-8") == reference(database.dsn), "run: make docs"


def test_a_changed_comment_changes_the_reference(database: Database):
    with database.connect() as connection:
        connection.execute("comment on function api.status() is 'something else'")
    assert "something else" in reference(database.dsn)
