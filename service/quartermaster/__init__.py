"""Quartermaster: finds the few right tools among many, with one PostgreSQL database."""

from __future__ import annotations

from typing import Final

__version__ = "0.2.0"
DISTRIBUTION: Final = "pgquartermaster"
"""The name of the installed distribution. A wheel of kinds is called ``pgquartermaster-NAME``."""
