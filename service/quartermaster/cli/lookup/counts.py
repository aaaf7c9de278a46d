"""What reading the rows of a lookup table has changed."""

from __future__ import annotations

from quartermaster.cli.command import Command
from quartermaster.cli.session import Row


def say_counts(qm: Command, table: str, counts: Row) -> None:
    """A sentence with each number of rows, such as ``plant: 3 added, 1 removed.``"""
    told = ", ".join(f"{count:,} {what}" for what, count in counts.items())
    qm.say(f"{table}: {told}{qm.preview}.")
