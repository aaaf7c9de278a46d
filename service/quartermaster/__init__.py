"""Quartermaster: finds the few right tools among many, with one PostgreSQL database."""

from __future__ import annotations

__version__ = "0.2.0"
