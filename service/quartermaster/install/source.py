"""Finds the commit from which this code comes."""

from __future__ import annotations

import os
import subprocess

from quartermaster.install.discover import database_folder


def git_sha() -> str | None:
    """The short commit hash of a source checkout, or the value of QM_GIT_SHA in an image."""
    folder = database_folder()
    if not (folder / ".git").exists():
        return os.environ.get("QM_GIT_SHA") or None
    result = subprocess.run(
        ["git", "-C", str(folder), "rev-parse", "--short=12", "HEAD"],
        capture_output=True,
        text=True,
    )
    return result.stdout.strip() or None
