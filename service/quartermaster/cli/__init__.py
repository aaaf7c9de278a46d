"""The command line: ``qm`` and ``quartermaster``."""

from __future__ import annotations

from quartermaster.cli.app import main

__all__ = ["main"]
