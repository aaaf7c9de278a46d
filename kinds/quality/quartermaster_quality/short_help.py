"""The texts that ``qm --help`` shows for the commands of this kind."""

from __future__ import annotations

from typing import Final

from quartermaster.core.kind_packages import ShortHelp

SHORT_HELP: Final = {
    "quality": ShortHelp("Check the quality of code: scores, security scans, gates."),
}
