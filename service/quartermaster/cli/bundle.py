"""``qm bundle``: prints the installation as one psql script."""

from __future__ import annotations

import sys

from quartermaster.cli.noun import Noun
from quartermaster.cli.options import DataDir

noun = Noun()


@noun.verb()
def bundle_command(data_dir: DataDir = None) -> None:
    """Print a psql script that installs Quartermaster in a database. The script also installs your
    own kinds of cards, if the setting kinds.folders names their folders."""
    from quartermaster.install.bundle import bundle
    from quartermaster.install.kind_folders import configured_folders

    sys.stdout.write(bundle(configured_folders(data_dir)))
