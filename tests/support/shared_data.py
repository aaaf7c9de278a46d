"""Real tool catalogs that lie beside the repository, on machines that have them."""

from __future__ import annotations

import pytest

from tests.support.upstreams import REPOSITORY

SHARED = REPOSITORY.parent / "shared" / "data"

needs_shared = pytest.mark.skipif(
    not SHARED.is_dir(), reason="the real catalogs of ../shared/data are not here"
)
