"""``qm docs``: the reference of the api functions."""

from __future__ import annotations

import sys

from quartermaster.cli.command import Plain
from quartermaster.cli.noun import Noun

noun = Noun()


@noun.verb()
def docs_command(qm: Plain) -> None:
    """Print the reference of the api functions (Markdown)."""
    from quartermaster.install.reference import reference

    sys.stdout.write(reference(qm.target))
