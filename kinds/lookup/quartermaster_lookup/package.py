"""Registers lookup tables in Quartermaster: the answers in the service, the reconciliation API, its
MCP server, and an endpoint for programs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final, NoReturn

from quartermaster.core.kind_packages import KindHttp, KindPackage, KindServer, KindWork
from quartermaster.secrets.store import SecretStore
from quartermaster_lookup.finaliser import open_finaliser
from quartermaster_lookup.lookup_answers import LookupAnswers
from quartermaster_lookup.meters import LookupMeters
from quartermaster_lookup.part import Lookups
from quartermaster_lookup.reconcile.http.cors import OpenToPages
from quartermaster_lookup.settings import Lookup, Reconcile

if TYPE_CHECKING:
    from prometheus_client.core import Metric
    from starlette.routing import Route
    from starlette.types import ASGIApp

    from quartermaster.doors.wire.gateway_server import GatewayServer
    from quartermaster.identity.limits import RateLimit
    from quartermaster.service import Service

# The doors are imported only by a service that opens them, because the workers of projects import
# this module, too.


async def _start(service: Service) -> Lookups:
    settings = service.settings
    finaliser = open_finaliser(settings.of(Reconcile).llm, SecretStore(service.data_dir))
    return Lookups(
        LookupAnswers(
            service.database,
            settings.of(Lookup),
            settings.limits,
            LookupMeters(service.meters),
            service.retriever.embedder,
        ),
        await service.closing.enter_async_context(finaliser),
    )


def _server(service: Service) -> GatewayServer:
    from quartermaster_lookup.reconcile.mcp.server import ReconcileFront

    return ReconcileFront(service).server


def _routes(
    service: Service, authorised: Callable[[ASGIApp], ASGIApp], limit: RateLimit
) -> list[Route]:
    from quartermaster_lookup.http_lookups import lookup_route
    from quartermaster_lookup.reconcile.http.routes import reconcile_routes

    return [
        *reconcile_routes(service, authorised, limit),
        lookup_route(service, authorised),
    ]


async def _record(service: Service) -> NoReturn:
    await service.parts[Lookups].answers.run()


def _metrics(service: Service) -> Iterator[Metric]:
    from quartermaster.doors.http.metrics import gauge

    answers = service.parts[Lookups].answers
    says = "Size of the lookup cache: number of rows in its answers, plus one for each answer."
    yield gauge("lookup_cache_rows", says, answers.cache.rows)
    waiting = len(answers.observer.log)
    yield gauge("lookup_log_waiting", "Queries not yet in the lookup log.", waiting)


def _status(service: Service) -> dict[str, object]:
    cache = service.parts[Lookups].answers.cache
    return {"lookup_cache": {"hits": cache.hits, "misses": cache.misses, "rows": cache.rows}}


PACKAGE: Final = KindPackage(
    start=_start,
    server=KindServer("reconcile", _server),
    http=KindHttp(_routes, OpenToPages),
    # This work goes on until it is cancelled.
    work=(KindWork("lookups", 1.0, _record),),
    metrics=_metrics,
    status=_status,
    missed={"lookup": ("lookup_table", "lookup_row", "curation")},
)
