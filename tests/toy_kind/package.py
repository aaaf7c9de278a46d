"""What a package of a kind has in Python: commands of ``qm`` and tools of its own over MCP."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import mcp_types as types
import typer

from quartermaster.calls.replies import text_result
from quartermaster.cli.options import Dsn
from quartermaster.cli.session import open_session
from quartermaster.core.kind_packages import KindPackage, KindTool

if TYPE_CHECKING:
    from quartermaster.calls.caller import Caller
    from quartermaster.service import Service


def register(app: typer.Typer) -> None:
    """Adds ``qm recipe``."""
    recipe = typer.Typer(no_args_is_help=True, help="Recipes.")
    recipe.command("cook")(cook_command)
    recipe.callback()(lambda: None)
    app.add_typer(recipe, name="recipe")


def cook_command(name: str, dsn: Dsn = None) -> None:
    """Print what a recipe needs."""
    with open_session(None, dsn) as session:
        card: dict[str, Any] = session.call_value("describe_card", kind="recipe", name=name)
    typer.echo(f"{card['definition']['ingredients']}, for {card['servings']}")


async def _rate(
    service: Service, caller: Caller, arguments: Mapping[str, Any]
) -> types.CallToolResult:
    await service.database.call("report_outcome", caller.principal, kind="recipe", **arguments)
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

PACKAGE = KindPackage(
    folder=Path(__file__).parent, register=register, tools=(KindTool(RATE, _rate),)
)
