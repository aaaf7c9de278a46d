"""Quartermaster: the right few tools out of many, out of one PostgreSQL database."""

from __future__ import annotations

__version__ = "0.2.0"
