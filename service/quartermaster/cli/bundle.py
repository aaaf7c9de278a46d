"""``qm bundle``: prints the installation as one psql script."""

from __future__ import annotations

import sys

from quartermaster.cli.noun import Noun
from quartermaster.cli.options import DataDir

noun = Noun()


@noun.verb()
def bundle_command(data_dir: DataDir = None) -> None:
    """Print the installation as one psql script, including your own kinds if the settings name
    their folders."""
    from quartermaster.install.bundle import bundle
    from quartermaster.install.kind_folders import configured_folders

    sys.stdout.write(bundle(configured_folders(data_dir)))
