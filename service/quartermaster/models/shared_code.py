"""Lets the service import the Python package that PL/Python functions use."""

from __future__ import annotations

import sys
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]


def shared_code_dir() -> Path:
    """Finds the folder that contains `quartermaster_db`: in the installed package or, if it is not
    there, in the checkout.
    """
    inside_wheel = _PACKAGE / "database" / "extensions" / "plpy"
    return inside_wheel if inside_wheel.is_dir() else _PACKAGE.parents[1] / "extensions" / "plpy"


def make_shared_code_importable() -> None:
    """Puts the folder of `quartermaster_db` on `sys.path`. A second call changes nothing."""
    folder = str(shared_code_dir())
    if folder not in sys.path:
        sys.path.append(folder)
