"""``qm card``: cards of any kind."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from quartermaster.cli import items
from quartermaster.cli.goal_models import embed_goal, rerank
from quartermaster.cli.options import AsOf, DataDir, Dsn, Json
from quartermaster.cli.output import err, print_facts, print_json, print_table
from quartermaster.cli.session import open_session


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    card = typer.Typer(no_args_is_help=True, help="Search, describe and review cards of any kind.")
    card.command("search")(search_command)
    card.command("describe")(describe_command)
    items.add_commands(card)
    app.add_typer(card, name="card")


def search_command(
    goal: Annotated[str, typer.Argument(help="The goal in plain words.")],
    kind: Annotated[
        list[str] | None, typer.Option(help="Kind of card, repeatable; default: tool.")
    ] = None,
    mode: Annotated[str, typer.Option(help="Mode: fast, balanced or thorough.")] = "balanced",
    limit: Annotated[int | None, typer.Option(help="Maximum number of cards, 1 to 100.")] = None,
    budget_tokens: Annotated[
        int | None, typer.Option(help="Maximum tokens of all cards together.")
    ] = None,
    as_json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Find the cards for a goal."""
    kinds = kind or ["tool"]
    with open_session(data_dir, dsn) as session, err.status("searching"):
        vector = embed_goal(session, goal, data_dir)
        reranked = rerank(session, goal, mode, vector, data_dir, kinds)
        rows = session.call(
            "search_cards",
            goal=goal,
            kinds=kinds,
            mode=mode,
            top=limit,
            query_vector=vector,
            rerank=reranked,
            budget_tokens=budget_tokens,
        )
    if as_json:
        print_json({"cards": [{k: v for k, v in row.items() if k != "ref"} for row in rows]})
        return
    print_table(
        ("rank", "kind", "name", "score", "brief"),
        [(r["rank"], r["kind"], r["name"], f"{r['score']:.3f}", r["brief"]) for r in rows],
        empty="No card was found. Use other words.",
    )


def describe_command(
    kind: Annotated[str, typer.Argument(help="Kind of card, such as tool.")],
    name: Annotated[str, typer.Argument(help="Name of the card; see qm card search.")],
    as_of: AsOf = None,
    as_json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Show a card, now or as it was offered."""
    with open_session(data_dir, dsn) as session:
        card: dict[str, Any] = session.call_value(
            "describe_card", kind=kind, name=name, as_of=as_of
        )
    if as_json:
        print_json(card)
    else:
        print_facts(kind, name, card)
