"""``qm bundle``: the installation as one psql script."""

from __future__ import annotations

import sys

from quartermaster.cli.noun import Noun

noun = Noun()


@noun.verb()
def bundle_command() -> None:
    """Print the installation as one psql script."""
    from quartermaster.install.bundle import bundle

    sys.stdout.write(bundle())
