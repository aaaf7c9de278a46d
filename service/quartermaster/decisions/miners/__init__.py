"""The miners: each module finds decisions of one sort. `MINERS` lists them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from quartermaster.decisions.candidates import Candidate
from quartermaster.decisions.miners import (
    bases,
    choices,
    contracts,
    decorators,
    documents,
    errors,
    factories,
    imported,
    keywords,
    layers,
    members,
    replaced,
    style,
    trailers,
    wrappers,
    written,
)
from quartermaster.decisions.signals import Signals

Miner = Callable[[Signals], Iterable[Candidate]]
MINERS: Final[dict[str, Miner]] = {
    "bases": bases.mine,
    "choices": choices.mine,
    "contracts": contracts.mine,
    "decorators": decorators.mine,
    "documents": documents.mine,
    "errors": errors.mine,
    "factories": factories.mine,
    "imported": imported.mine,
    "keywords": keywords.mine,
    "layers": layers.mine,
    "members": members.mine,
    "replaced": replaced.mine,
    "style": style.mine,
    "trailers": trailers.mine,
    "wrappers": wrappers.mine,
    "written": written.mine,
}
