"""The lines about the commands of this kind in ``qm --help``."""

from __future__ import annotations

from typing import Final

from quartermaster.core.kind_packages import ShortHelp

SHORT_HELP: Final = {
    "ask": ShortHelp("Answer a question with cited passages, or say that no note answers it."),
    "docs": ShortHelp(
        "Look up the documentation of libraries, in the versions that are installed."
    ),
    "knowledge": ShortHelp("Ask experts, who cite their notes, and add notes of your projects."),
    "task": ShortHelp(
        "Show what you need to start a task: the project, decisions, results of quality gates, "
        "tools, notes and library symbols."
    ),
}
