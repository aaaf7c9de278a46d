"""Fixtures and hooks for the tests of the core, of kinds/ and of lab/."""

from __future__ import annotations

pytest_plugins = [
    "tests.support.hooks",
    "tests.support.leak_hooks",
    "tests.support.null_hooks",
    "tests.support.progress",
    "tests.support.rotation",
    "tests.support.skips",
    "tests.support.fixtures",
    "tests.support.service_fixtures",
    "tests.support.sql_fixtures",
]
