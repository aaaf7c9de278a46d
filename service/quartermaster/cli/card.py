"""``qm card``: searches, describes and reviews cards of any kind."""

from __future__ import annotations

from typing import Annotated, Any

from quartermaster import api
from quartermaster.cli.command import Qm
from quartermaster.cli.items import add_commands
from quartermaster.cli.noun import WORDS, Noun
from quartermaster.cli.options import AsOf, Mode
from quartermaster.cli.output import err
from quartermaster.cli.search import note_faults, note_no_fit, note_unavailable, search
from quartermaster.cli.session import Row
from quartermaster.core.api_call import without_none
from quartermaster.core.kinds import TOOL

noun = Noun(
    "Search and review everything that searches can find: tools, prompts, decisions and other"
    " cards."
)


@noun.verb()
def search_command(
    qm: Qm,
    goal: Annotated[str, "The goal in plain words.", WORDS],
    kind: Annotated[list[str] | None, "Kind of card, repeatable; default: tool."] = None,
    mode: Mode = "balanced",
    limit: Annotated[int | None, "Maximum number of cards, 1 to 100."] = None,
    budget_tokens: Annotated[int | None, "Maximum length of all cards together, in tokens."] = None,
) -> Row:
    """Find the cards for a goal."""
    asked = without_none(
        goal=goal, kinds=kind or [TOOL], mode=mode, limit=limit, budget_tokens=budget_tokens
    )
    with err.status("searching"):
        found = search(qm, asked)
    # A search for tools alone is answered as a search for tools.
    cards: list[Row] = found.pop("cards", None) or [
        {"kind": TOOL, **row} for row in found.pop("tools", ())
    ]
    columns = ("rank", "kind", "name", ("score", "{score:.3f}"), "brief")
    note_no_fit(qm, cards, "cards")
    qm.table(cards, columns, empty="No card was found. Try other words.")
    note_unavailable(qm, cards)
    note_faults(qm, found)
    return {"cards": cards, **found}


@noun.verb()
def describe_command(
    qm: Qm,
    kind: Annotated[str, "Kind of card, such as tool."],
    name: Annotated[str, "Name of the card; see qm card search."],
    as_of: AsOf = None,
) -> Row:
    """Show a card as it is offered now, or as it was offered at an earlier time."""
    card: dict[str, Any] = qm.read_value(api.describe_card(kind=kind, name=name, as_of=as_of))
    qm.facts(kind, name, card)
    return card


add_commands(noun, None)
