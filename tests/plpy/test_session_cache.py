"""What a session loads once, and what it may not load."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import quartermaster_db
from quartermaster_db.session_cache import load_once

_LIMITED = """
import resource, sys
from quartermaster_db.session_cache import LEAST_BYTES, load_once
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]) * LEAST_BYTES, -1))
try:
    print(load_once({}, "key", lambda: "loaded"))
except MemoryError as error:
    print(error)
"""


def test_a_value_is_loaded_once() -> None:
    gd: dict[object, object] = {}
    assert load_once(gd, "key", lambda: 1) == 1
    assert load_once(gd, "key", lambda: 2) == 1


def test_nothing_is_loaded_where_the_process_has_little_memory_left() -> None:
    package = Path(quartermaster_db.__file__).parents[1]

    def said(times: int) -> str:
        command = [sys.executable, "-c", _LIMITED, str(times)]
        env = {"PYTHONPATH": str(package)}
        return subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout

    assert "too much memory" in said(1)
    assert said(4) == "loaded\n"
