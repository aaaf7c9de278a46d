"""Error slugs are an interface: statuses stay, and CHANGELOG.md names each removed slug."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.error_files import registered
from tests.support.sql_files import ROOT

pytestmark = pytest.mark.lint

_SLUGS_FILE = Path(__file__).with_name("error_slugs.txt")


def registry() -> dict[str, str]:
    """Returns each slug with its status and whether a retry can help."""
    return {slug: f"{error.status} {error.retryable}" for slug, error in registered().items()}


def released_slugs() -> dict[str, str]:
    lines = _SLUGS_FILE.read_text(encoding="utf-8").splitlines()
    return {slug: rest for slug, _, rest in (line.partition(" ") for line in lines)}


def test_no_slug_changes_its_status():
    now = registry()
    changed = {
        slug: (rest, now[slug])
        for slug, rest in released_slugs().items()
        if slug in now and now[slug] != rest
    }
    assert not changed


def test_a_removed_slug_is_named_in_the_changelog():
    removed = released_slugs().keys() - registry().keys()
    if removed:
        changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
        assert not {slug for slug in removed if f"`{slug}`" not in changelog}


def test_a_new_slug_is_kept_from_now_on():
    assert registry().keys() <= released_slugs().keys(), f"add the new slugs to {_SLUGS_FILE.name}"
