"""The section ``recipes`` of the settings file."""

from __future__ import annotations

from quartermaster.settings.sections import Name, Section


class Recipes(Section):
    """What the kitchen is made of."""

    sink: Name = "steel"
