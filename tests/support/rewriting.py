"""Assertions of test files, rewritten once for all processes of a run.

Without this, each process would rewrite every file at the same time as the others.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

import pytest
from _pytest.assertion import rewrite


def rewrite_share(config: pytest.Config, share: int, shares: int) -> None:
    """Rewrites the files of one process before it collects; it finds those of the others cached.

    Args:
        config: names the files and folders that are run.
        share: number of this process, from 0.
        shares: number of processes.
    """
    state = config.stash.get(rewrite.assertstate_key, None)
    if state is None or sys.dont_write_bytecode:
        return
    for path in _test_files(config)[share::shares]:
        folder = rewrite.get_cache_dir(path)
        cached = folder / f"{path.stem}{rewrite.PYC_TAIL}"
        if rewrite._read_pyc(path, cached) is None and rewrite.try_makedirs(folder):
            with suppress(SyntaxError):  # collecting the file says where it is
                source_hash, code = rewrite._rewrite_test(path, config)
                rewrite._write_pyc(state, code, source_hash, cached)


def _test_files(config: pytest.Config) -> list[Path]:
    """In the same order for every process."""
    asked = [config.invocation_params.dir / name.partition("::")[0] for name in config.args]
    found = {file for path in asked for file in [path, *path.rglob("test_*.py")] if file.is_file()}
    return sorted(found)
