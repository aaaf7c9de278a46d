"""How usual something is in Python packages at large; `base_rates.json` holds numbers only.

`qm eval base-rates FOLDER` computes the file from a folder of unpacked source distributions.
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
    """Returns the usual share of a property, by its key; the default if it is not known."""
    return _table().get(key, default)
