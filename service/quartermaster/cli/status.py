"""``qm status``: shows versions, servers, tools and work in progress."""

from __future__ import annotations

from typing import Any, Final

from quartermaster import api
from quartermaster.cli.command import Qm
from quartermaster.cli.noun import Noun
from quartermaster.cli.output import counted, tallied
from quartermaster.cli.session import Row
from quartermaster.cli.shares import COLUMNS, crowded
from quartermaster.cli.waiting import start_text, starts_of

_FACTS: Final = ("version", "postgresql", "origins", "model")
_TALLIES: Final = ("cards", "withheld", "deprecated")

noun = Noun()


@noun.verb()
def status_command(qm: Qm) -> Row:
    """Show versions, servers, tools, work in progress, and principals with waiting requests."""
    status: dict[str, Any] = qm.read_value(api.status())
    [arrivals] = qm.read(api.count_arrivals())
    facts = {fact: status[fact] for fact in _FACTS}
    if status["unembedded"]:
        facts["wait for vectors"] = f"{status['unembedded']} cards; searches improve until then"
    facts |= {fact: tallied(status[fact]) for fact in _TALLIES}
    if facts["withheld"]:
        facts["withheld"] += " (see: qm card list; to approve: qm card approve NAME)"
    if starts := starts_of(qm):
        facts["starting"] = "; ".join(f"{name}: {start_text(it)}" for name, it in starts.items())
    by_status = sorted(status["origins_by_status"].items())
    qm.facts("quartermaster", "", facts | {f"origins {name}": number for name, number in by_status})
    waiting = crowded(qm)
    if waiting:
        qm.table(waiting, COLUMNS, title="who waits")
    if arrivals["hint"]:
        qm.say(arrivals["hint"])
    if invitations := qm.read(api.list_invitations()):
        qm.say(f"You have {counted(len(invitations), 'invitation')}: qm project list.")
    return status | {"waiting": waiting}
