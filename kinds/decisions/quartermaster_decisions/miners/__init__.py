"""The miners. The function `mine` of each module in this package finds one sort of decisions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from pkgutil import iter_modules
from typing import Final

from quartermaster_decisions.candidates import DecisionCandidate
from quartermaster_decisions.signals import Signals

Miner = Callable[[Signals], Iterable[DecisionCandidate]]
MINERS: Final[dict[str, Miner]] = {
    each.name: import_module(f"{__name__}.{each.name}").mine for each in iter_modules(__path__)
}
