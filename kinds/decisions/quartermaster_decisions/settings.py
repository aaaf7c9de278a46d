"""The section ``decisions`` of the settings."""

from __future__ import annotations

from typing import Literal

from quartermaster.settings.sections import LanguageModelSettings, Name, Section


class Decisions(Section):
    """Settings that say who proposes decisions in addition to the miners, and which evidence may
    leave this machine.

    ``propose`` says who proposes decisions: nobody, the calling agent, or the model in ``llm``.
    ``may_leave`` says which evidence may leave this machine:

    - ``structure``: counts and names only.
    - ``excerpts``: also excerpts of files and commit messages.
    - ``diffs``: also diffs.

    ``prompt`` names a file with the placeholders {scope}, {known} and {evidence}. If it is null,
    the default prompt is used.
    """

    propose: Literal["none", "agent", "model"] = "agent"
    may_leave: Literal["structure", "excerpts", "diffs"] = "excerpts"
    prompt: Name | None = None
    llm: LanguageModelSettings = LanguageModelSettings()
