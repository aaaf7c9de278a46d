"""The section ``decisions`` of the settings."""

from __future__ import annotations

from typing import Literal

from quartermaster.settings.sections import LanguageModelSettings, Name, Section


class Decisions(Section):
    """Who proposes decisions besides the miners, and what of a repository may leave this machine.

    ``propose``: nobody, the agent that calls, or the model in ``llm``. ``may_leave``: counts and
    names only, also excerpts of files and messages of commits, or also diffs. ``prompt`` is a file
    with the placeholders {scope}, {known} and {evidence}; null means the shipped one.
    """

    propose: Literal["none", "agent", "model"] = "agent"
    may_leave: Literal["structure", "excerpts", "diffs"] = "excerpts"
    prompt: Name | None = None
    llm: LanguageModelSettings = LanguageModelSettings()
