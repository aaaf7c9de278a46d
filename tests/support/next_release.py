"""A release after this one, made up: it has a migration, and changes or lacks what this one has."""

from __future__ import annotations

import shutil
from pathlib import Path

from quartermaster.install import discover

# It moves data, and gives a function another signature and a view other columns.
_NAME = "9998_later"
_MIGRATION = """
alter table policy.organisation add column motto text not null default 'none';
comment on column policy.organisation.motto is 'For a test.';
reset role;
update policy.organisation set motto = upper(name);
set role qm_owner;
"""


def write_next_release(folder: Path) -> None:
    """Writes the SQL folders of the release.

    Args:
        folder: an existing, empty one.
    """
    source = discover.database_folder()
    for name in ("extensions", "migrations", "functions", "sql"):
        shutil.copytree(source / name, folder / name)
    (folder / "migrations" / f"{_NAME}.sql").write_text(_MIGRATION)
    function = folder / "functions" / "api" / "search" / "feature_names.sql"
    text = function.read_text()
    signed = text.replace("(kind text)", "(kind text, reversed boolean default false)")
    function.write_text(signed.replace("feature_names(text)", "feature_names(text, boolean)"))
    (folder / "functions" / "api" / "core" / "list_capabilities.sql").unlink()
    (folder / "sql" / "views" / "selection.sql").unlink()
    (folder / "sql" / "views" / "api" / "snapshots.sql").unlink()
    view = folder / "sql" / "views" / "api" / "tools.sql"
    columns = ("    t.name,\n    t.origin,", "    t.origin,\n    t.name,")
    view.write_text(view.read_text().replace(*columns))
    triggers = folder / "sql" / "triggers" / "policy.sql"
    triggers.write_text(triggers.read_text().partition("create or replace trigger")[0])
