"""``qm search``: finds the tools for a goal, as an agent does."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from quartermaster.cli.goal_models import embed_goal, rerank
from quartermaster.cli.options import AsOf, DataDir, Dsn, Json
from quartermaster.cli.output import err, print_json, print_table
from quartermaster.cli.session import Row, open_session
from quartermaster.core.errors import argument_invalid


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("search")(search_command)


def search_command(
    goal: Annotated[str, typer.Argument(help="The goal in plain words.")],
    mode: Annotated[str, typer.Option(help="Mode: fast, balanced or thorough.")] = "balanced",
    limit: Annotated[int | None, typer.Option(help="Maximum number of tools, 1 to 100.")] = None,
    budget_tokens: Annotated[
        int | None, typer.Option(help="Maximum tokens of all definitions together.")
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show the score of every stage, and the channels.")
    ] = False,
    as_of: AsOf = None,
    as_json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Find the tools for a goal."""
    if as_of is not None and budget_tokens is not None:
        raise argument_invalid(
            "--budget-tokens cannot be combined with --as-of.", "Leave out one of them."
        )
    with open_session(data_dir, dsn) as session, err.status("searching"):
        vector = embed_goal(session, goal, data_dir)
        asked: Row = {"goal": goal, "mode": mode, "top": limit, "query_vector": vector}
        if as_of is not None:
            facts: Row = {"as_of": as_of}
            rows = session.call("select_tools", **asked, as_of=as_of)
        else:
            reranked = rerank(session, goal, mode, vector, data_dir)
            rows = session.call(
                "search_cards", **asked, rerank=reranked, budget_tokens=budget_tokens
            )
            known = rows[0]["receipt"] if rows else session.call_value("last_receipt", goal=goal)
            facts = {"receipt": known}
        [arrivals] = session.call("count_arrivals")
    tools = [{k: v for k, v in row.items() if k not in {"receipt", "ref", "kind"}} for row in rows]
    hint: str | None = arrivals.pop("hint")
    if hint:
        facts["on_their_way"] = arrivals
    if as_json:
        print_json(facts | {"tools": tools})
        return
    last, values = ("why", "scores") if explain else ("brief", "brief")
    cells = [
        (t["rank"], t["name"], f"{t['score']:.3f}", _why(t[values]) if explain else t[values])
        for t in tools
    ]
    advice = hint or "Use other words, or add servers with: qm import FILE."
    columns = ("rank", "name", "score", last)
    print_table(columns, cells, empty=f"No tool was found. {advice}", wrapped="why")


def _why(scores: dict[str, Any]) -> str:
    """Every stage's score, and the channels that found the tool."""
    stages = [f"{stage} {value:.4g}" for stage, value in scores.items() if stage != "sources"]
    return ", ".join([*stages, f"found by {' and '.join(scores.get('sources', []))}"])
