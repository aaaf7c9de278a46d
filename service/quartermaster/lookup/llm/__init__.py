"""A language model that chooses among candidates; used only if the settings name one."""
