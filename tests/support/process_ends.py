"""Processes that ended although nobody had told them to: services, and those of PostgreSQL."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

_CRASHED = " was terminated by signal "
_CRASH = re.compile(f"^.*{_CRASHED}.*$", re.MULTILINE)
Look = Callable[[], list[str]]
_watched: dict[str, Look] = {}
_left: dict[str, list[str]] = {}


def crashes(log: Path) -> list[str]:
    """Returns the lines of a PostgreSQL log about processes that a signal has ended."""
    return _crashes(log, log.stat().st_size) if log.exists() else []


@cache
def _crashes(log: Path, _size: int) -> list[str]:
    text = log.read_text(errors="replace")
    # The pattern alone takes several times as long, and there is a look before and after each test.
    return _CRASH.findall(text) if _CRASHED in text else []


@contextmanager
def watched(name: str, look: Look) -> Generator[None]:
    """Watches something inside the block.

    Args:
        name: what is watched.
        look: returns a line for each process of it that has ended by itself so far.
    """
    _watched[name] = look
    try:
        yield
    finally:
        _left[name] = look()
        del _watched[name]


def ends() -> dict[str, list[str]]:
    """Returns what has ended by itself, for everything that is watched or was since the last
    look.
    """
    found = _left | {name: look() for name, look in _watched.items()}
    _left.clear()
    return found
