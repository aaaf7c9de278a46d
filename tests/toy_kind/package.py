"""What a package of a kind has in Python: commands of ``qm`` and tools of its own over MCP."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import mcp_types as types
import typer
from prometheus_client.core import Metric
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, request_response
from starlette.types import ASGIApp

from quartermaster import api
from quartermaster.calls.replies import text_result
from quartermaster.cli.options import Dsn
from quartermaster.cli.session import open_session
from quartermaster.core.errors import QmError
from quartermaster.core.kind_packages import (
    KindDoor,
    KindHttp,
    KindPackage,
    KindPrompt,
    KindResource,
    KindServer,
    KindTool,
    KindWork,
)
from quartermaster.doors.http.metrics import gauge
from quartermaster.doors.mcp.package_doors import DoorFront
from quartermaster.identity.authenticated import sender_of
from tests.toy_kind.settings import Recipes

if TYPE_CHECKING:
    from quartermaster.calls.caller import Caller
    from quartermaster.service import Service


noun = typer.Typer(no_args_is_help=True, help="Recipes.")
noun.callback()(lambda: None)


@noun.command("cook")
def cook_command(name: str, dsn: Dsn = None) -> None:
    """Print what a recipe needs."""
    with open_session(None, dsn) as session:
        card: dict[str, Any] = session.call_value(api.describe_card(kind="recipe", name=name))
    typer.echo(f"{card['definition']['ingredients']}, for {card['servings']}")


async def _rate(
    service: Service, caller: Caller, arguments: Mapping[str, Any]
) -> types.CallToolResult:
    await service.database.call(api.report_outcome(kind="recipe", **arguments), caller.principal)
    return text_result("Thank you.", {"reported": arguments["outcome"]})


RATE = types.Tool(
    name="rate_recipe",
    description="Say whether a recipe that search_tools found was good.",
    input_schema={
        "type": "object",
        "properties": {
            "receipt": {"type": "integer"},
            "name": {"type": "string"},
            "outcome": {"enum": ["ok", "failed"]},
        },
        "required": ["receipt", "name", "outcome"],
        "additionalProperties": False,
    },
)


async def _scale(
    service: Service, caller: Caller, arguments: Mapping[str, Any]
) -> types.CallToolResult:
    guests: int = arguments["guests"]
    if guests > 100:
        raise QmError(422, "argument_invalid", "There are too many guests.", "Invite fewer.")
    card: dict[str, Any] = await service.database.call_value(
        api.describe_card(kind="recipe", name=arguments["name"]), caller.principal
    )
    times = guests / card["servings"]
    return text_result(f"Take everything {times:g} times.", {"times": times})


async def _explode(
    service: Service, caller: Caller, arguments: Mapping[str, Any]
) -> types.CallToolResult:
    raise RuntimeError(f"a defect that {caller.principal.name} must not read")


SCALE = types.Tool(
    name="scale_recipe",
    description="Compute how much of each ingredient a recipe needs for a number of guests.",
    input_schema={
        "type": "object",
        "properties": {"name": {"type": "string"}, "guests": {"type": "integer"}},
        "required": ["name", "guests"],
        "additionalProperties": False,
    },
    annotations=types.ToolAnnotations(read_only_hint=True),
)
EXPLODE = types.Tool(name="explode", description="Fail.", input_schema={"type": "object"})
COURSES = types.Prompt(name="courses", description="How to plan a dinner.")


async def _menu(_service: Service, caller: Caller, uri: str) -> str | None:
    return f"Tonight for {caller.principal.name}: rice." if uri == "menu://today" else None


DOOR = KindDoor(
    name="kitchen",
    title="Kitchen",
    description="Cooks at home.",
    instructions="Ask for a recipe, then scale it.",
    tools=(KindTool(SCALE, _scale), KindTool(EXPLODE, _explode)),
    prompts=(KindPrompt(COURSES, "Begin with the soup."),),
    resources=(
        KindResource(
            types.Resource(name="menu", uri="menu://today", mime_type="text/plain"), _menu
        ),
    ),
)


@dataclass(frozen=True)
class Sink:
    """What the package keeps in a service, for its work."""

    washed: list[str]


async def _start(service: Service) -> Sink:
    sink = Sink([])
    service.closing.callback(sink.washed.clear)
    return sink


async def _wash(service: Service) -> None:
    service.parts[Sink].washed.append(service.worker.name)


def _metrics(service: Service) -> Iterator[Metric]:
    yield gauge("dishes_washed", "What is in the sink.", len(service.parts[Sink].washed))


def _status(service: Service) -> dict[str, object]:
    washed = len(service.parts[Sink].washed) > 0
    return {"washed": washed, "sink": service.settings.of(Recipes).sink}


def _routes(
    service: Service, authorised: Callable[[ASGIApp], ASGIApp], _limit: object
) -> list[Route]:
    async def answer(request: Request) -> Response:
        who = sender_of(request).name
        return PlainTextResponse(f"{who} sees {service.parts[Sink].washed[0]}")

    return [Route("/sink", endpoint=authorised(request_response(answer)))]


PACKAGE = KindPackage(
    start=_start,
    tools=(KindTool(RATE, _rate),),
    door=DOOR,
    server=KindServer("pantry", lambda service: DoorFront(service, DOOR).server),
    http=KindHttp(_routes),
    work=(KindWork("wash", 60.0, _wash),),
    metrics=_metrics,
    status=_status,
)
