"""Reports what changed when the rows of a lookup table were read."""

from __future__ import annotations

from quartermaster.cli.command import Command
from quartermaster.cli.session import Row


def say_counts(qm: Command, table: str, counts: Row) -> None:
    """Prints a sentence with the number of rows, such as ``plant: 3 added, 1 removed.``"""
    told = ", ".join(f"{count:,} {what}" for what, count in counts.items())
    qm.say(f"{table}: {told}{qm.preview}.")
