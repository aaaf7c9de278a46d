"""``qm bundle``: prints the installation as one psql script."""

from __future__ import annotations

import sys
from typing import Annotated

from quartermaster.cli.noun import Noun
from quartermaster.cli.options import DataDir

noun = Noun()


@noun.verb()
def bundle_command(
    data_dir: DataDir = None,
    roles: Annotated[
        bool, "Only create the roles, which a dump of the database does not contain."
    ] = False,
) -> None:
    """Print a psql script that installs Quartermaster in a database. The script also installs your
    own kinds of cards, if the setting kinds.folders names their folders.
    """
    from quartermaster.install import discover
    from quartermaster.install.bundle import bundle
    from quartermaster.install.kind_folders import configured_folders

    if roles:
        # The owner of a database decides what names mean in it.
        sys.stdout.write(f"set search_path = pg_catalog, pg_temp;\n{discover.roles().sql}")
        return
    sys.stdout.write(bundle(configured_folders(data_dir)))
