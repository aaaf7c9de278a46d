"""The lines about the commands of this kind in ``qm --help``."""

from __future__ import annotations

from typing import Final

from quartermaster.core.kind_packages import ShortHelp

SHORT_HELP: Final = {
    "candidates": ShortHelp(
        "List, approve and reject candidates: decisions that nobody has approved or rejected yet."
    ),
    "decisions": ShortHelp("Find, review and show the decisions of your code bases."),
}
