"""The base rates: how common a property is in Python packages in general.

`base_rates.json` contains only numbers. `qm eval base-rates FOLDER` computes the file from a folder
of source distributions.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Final

DEFAULT_RATE: Final = 0.3


@cache
def _table() -> dict[str, float]:
    text = files("quartermaster_decisions").joinpath("base_rates.json").read_text(encoding="utf-8")
    rates: dict[str, float] = json.loads(text)["rates"]
    return rates


def base_rate(key: str, default: float = DEFAULT_RATE) -> float:
    """Returns how common a property is, from 0 to 1. Returns the default for an unknown key."""
    return _table().get(key, default)
