"""What lookup tables add to the service: their answers, and the work that records them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NoReturn

from quartermaster.core.kind_packages import KindPackage, KindWork
from quartermaster.lookup.answers import LookupAnswers
from quartermaster.lookup.finaliser import Finaliser, open_finaliser
from quartermaster.secrets.store import SecretStore
from quartermaster.service import Service


@dataclass(frozen=True)
class Lookups:
    """What a service keeps for lookup tables.

    Attributes:
        answers: object that answers queries for all doors.
        finaliser: object that chooses among these answers; None if no language model is configured.
    """

    answers: LookupAnswers
    finaliser: Finaliser | None


async def _start(service: Service) -> Lookups:
    settings = service.settings
    secrets = SecretStore(service.data_dir)
    finaliser = open_finaliser(settings.reconcile.llm, secrets)
    return Lookups(
        LookupAnswers(
            service.database,
            settings.lookup,
            settings.limits,
            service.meters,
            service.retriever.embedder,
        ),
        await service.closing.enter_async_context(finaliser),
    )


async def _record(service: Service) -> NoReturn:
    await service.parts[Lookups].answers.run()


# The work goes on until it is cancelled.
PACKAGE: Final = KindPackage(start=_start, work=(KindWork("lookups", 1.0, _record),))
