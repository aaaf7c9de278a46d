"""``qm describe``: shows the definition of a tool, as an agent gets it."""

from __future__ import annotations

from typing import Annotated, Any

from quartermaster import api
from quartermaster.cli.command import Qm
from quartermaster.cli.noun import Noun
from quartermaster.cli.options import AsOf, ToolName
from quartermaster.cli.session import Row
from quartermaster.core.api_call import without_none
from quartermaster.core.kinds import TOOL

noun = Noun()


@noun.verb()
def describe_command(
    qm: Qm,
    name: ToolName,
    kind: Annotated[str, "Kind of the card, such as prompt."] = TOOL,
    as_of: AsOf = None,
) -> Row:
    """Show the complete definition of a tool, with its arguments."""
    if qm.dsn is not None:
        card: dict[str, Any] = qm.call_value(api.describe_card(kind=kind, name=name, as_of=as_of))
    else:
        asked = without_none(name=name, kind=kind, as_of=as_of and as_of.isoformat())
        card = qm.service.result_of("describe_tool", asked)["structuredContent"]
    qm.facts(kind, name, card)
    return card
