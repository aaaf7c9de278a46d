"""A language model that chooses among candidates; used only if the settings name one."""

from __future__ import annotations

from quartermaster.lookup.llm.finaliser import Choice, Chosen, Finaliser
from quartermaster.lookup.llm.registry import open_finaliser

__all__ = ["Choice", "Chosen", "Finaliser", "open_finaliser"]
