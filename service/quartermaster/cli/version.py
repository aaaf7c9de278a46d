"""``qm version``: shows the versions of this program and of the running Quartermaster."""

from __future__ import annotations

from typing import Any

from quartermaster import __version__, api
from quartermaster.cli.command import Qm
from quartermaster.cli.noun import Noun
from quartermaster.cli.session import Row

noun = Noun()


@noun.verb()
def version_command(qm: Qm) -> Row:
    """Show the version; also those of the schema and of PostgreSQL if Quartermaster runs."""
    from quartermaster.install.apply import git_sha

    status: dict[str, Any] = qm.read_value(api.status()) if qm.dsn or qm.is_served else {}
    versions = {
        "version": __version__,
        "revision": git_sha(),
        "schema": status.get("version"),
        "schema_revision": status.get("git_sha"),
        "postgresql": status.get("postgresql"),
    }
    qm.facts("Quartermaster", __version__, versions | {"version": None})
    return versions
