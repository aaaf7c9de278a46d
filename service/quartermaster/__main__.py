"""``python -m quartermaster`` is ``qm``."""

from __future__ import annotations

from quartermaster.cli import main

main()
