"""Tests of what kinds do together, which an installation with one of them cannot show."""

from __future__ import annotations

from importlib.util import find_spec

import pytest


def with_kind(name: str) -> pytest.MarkDecorator:
    """Marks a test that needs another kind of kinds/."""
    is_missing = find_spec(f"quartermaster_{name}") is None
    return pytest.mark.skipif(is_missing, reason=f"the kind {name} is not installed")
