"""The miners: each module finds decisions of one sort. `MINERS` lists them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from quartermaster.decisions.candidates import Candidate
from quartermaster.decisions.miners import (
    bases,
    calls,
    choices,
    contracts,
    decorators,
    documents,
    errors,
    factories,
    gateways,
    helpers,
    imported,
    keywords,
    layers,
    members,
    mirrors,
    overrides,
    replaced,
    resources,
    style,
    substitutes,
    together,
    trailers,
    wrappers,
    written,
)
from quartermaster.decisions.signals import Signals

Miner = Callable[[Signals], Iterable[Candidate]]
MINERS: Final[dict[str, Miner]] = {
    "bases": bases.mine,
    "calls": calls.mine,
    "choices": choices.mine,
    "contracts": contracts.mine,
    "decorators": decorators.mine,
    "documents": documents.mine,
    "errors": errors.mine,
    "factories": factories.mine,
    "gateways": gateways.mine,
    "helpers": helpers.mine,
    "imported": imported.mine,
    "keywords": keywords.mine,
    "layers": layers.mine,
    "members": members.mine,
    "mirrors": mirrors.mine,
    "overrides": overrides.mine,
    "replaced": replaced.mine,
    "resources": resources.mine,
    "style": style.mine,
    "substitutes": substitutes.mine,
    "together": together.mine,
    "trailers": trailers.mine,
    "wrappers": wrappers.mine,
    "written": written.mine,
}
