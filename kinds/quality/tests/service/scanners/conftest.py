"""Loads bandit, one of whose libraries warns on being loaded."""

from __future__ import annotations

import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    import bandit.core.extension_loader  # noqa: F401  # pyright: ignore[reportUnusedImport]
