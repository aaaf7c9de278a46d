"""No process ends by itself meanwhile, as in the attacks on the core."""

from __future__ import annotations

from tests.attack.conftest import process_ends as process_ends  # noqa: PLC0414 - a fixture
