"""The line about the command of this kind in ``qm --help``."""

from __future__ import annotations

from typing import Final

from quartermaster.core.kind_packages import ShortHelp

SHORT_HELP: Final = {
    "lookup": ShortHelp(
        "Match messy strings to the rows of lookup tables.",
        heading="Lookup tables",
        after="project",
    ),
}
