"""``qm card``: searches, describes and reviews cards of any kind."""

from __future__ import annotations

from typing import Annotated

from quartermaster.cli.command import Qm
from quartermaster.cli.goal_models import embed_goal, rerank
from quartermaster.cli.items import add_commands
from quartermaster.cli.noun import WORDS, Noun
from quartermaster.cli.options import AsOf
from quartermaster.cli.output import err
from quartermaster.cli.search import note_no_fit, note_unavailable
from quartermaster.cli.session import Row

noun = Noun(
    "Search and review everything that searches can find: tools, prompts, decisions and other"
    " cards."
)


@noun.verb()
def search_command(
    qm: Qm,
    goal: Annotated[str, "The goal in plain words.", WORDS],
    kind: Annotated[list[str] | None, "Kind of card, repeatable; default: tool."] = None,
    mode: Annotated[str, "Mode: fast, balanced or thorough."] = "balanced",
    limit: Annotated[int | None, "Maximum number of cards, 1 to 100."] = None,
    budget_tokens: Annotated[int | None, "Maximum length of all cards together, in tokens."] = None,
) -> Row:
    """Find the cards for a goal."""
    with err.status("searching"):
        asked: Row = {"goal": goal, "mode": mode, "query_vector": embed_goal(qm, goal)}
        if kind:
            asked["kinds"] = kind
        reranked = rerank(qm, asked)
        rows = qm.call(
            "search_cards", **asked, top=limit, rerank=reranked, budget_tokens=budget_tokens
        )
        advice: str | None = qm.call_value("advise_goal", goal=goal)
    columns = ("rank", "kind", "name", ("score", "{score:.3f}"), "brief")
    note_no_fit(qm, rows, "cards")
    qm.table(rows, columns, empty="No card was found. Try other words.")
    note_unavailable(qm, rows)
    if advice:
        qm.note(advice)
    cards = [{k: v for k, v in row.items() if k != "ref"} for row in rows]
    return {"cards": cards, **({"advice": advice} if advice else {})}


@noun.verb()
def describe_command(
    qm: Qm,
    kind: Annotated[str, "Kind of card, such as tool."],
    name: Annotated[str, "Name of the card; see qm card search."],
    as_of: AsOf = None,
) -> Row:
    """Show a card as it is offered now, or as it was offered at an earlier time."""
    card: Row = qm.call_value("describe_card", kind=kind, name=name, as_of=as_of)
    qm.facts(kind, name, card)
    return card


add_commands(noun, None)
