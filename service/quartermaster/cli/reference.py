"""``qm reference``: prints the reference for the api functions."""

from __future__ import annotations

import sys

from quartermaster.cli.command import PlainCommand
from quartermaster.cli.noun import Noun

noun = Noun()


@noun.verb()
def reference_command(qm: PlainCommand) -> None:
    """Print the reference for the api functions as Markdown."""
    from quartermaster.install.reference import reference

    sys.stdout.write(reference(qm.target))
