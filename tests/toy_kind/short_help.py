"""What ``qm --help`` says about the command of the toy kind."""

from __future__ import annotations

from typing import Final

from quartermaster.core.kind_packages import ShortHelp

SHORT_HELP: Final = {"recipe": ShortHelp("Recipes.", heading="Kitchen", after="call")}
