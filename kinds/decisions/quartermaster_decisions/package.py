"""Registers decisions in Quartermaster: the door ``decisions``, its tools, the background work and
the scanner.
"""

from __future__ import annotations

from typing import Final

from quartermaster.core.kind_packages import KindDoor, KindPackage, KindWork
from quartermaster_decisions.decision_scan import SCANNER, canonical_decisions
from quartermaster_decisions.packet_tools import TOOLS as PACKET_TOOLS
from quartermaster_decisions.tools import TOOLS
from quartermaster_decisions.upkeep import keep_decisions_compared

INSTRUCTIONS: Final = """\
This code base follows decisions that the code alone does not show. Before you write or change a
file, call get_decisions_for_context with its path and your task, and follow what it returns. When
you find a decision that is not known yet, propose it with submit_candidate_decision and its
sources. People decide which proposals are accepted. If a person asks you to find decisions, get
evidence with decisions_next_packet, and send the decisions that you find in it with
decisions_submit.
"""

DOOR: Final = KindDoor(
    name="decisions",
    title="Decisions",
    description=(
        "The decisions that were made in the code bases of your projects, for the file that you are"
        " working on."
    ),
    instructions=INSTRUCTIONS,
    tools=(*TOOLS, *PACKET_TOOLS),
)


PACKAGE: Final = KindPackage(
    door=DOOR,
    work=(KindWork("decisions", 30.0, keep_decisions_compared),),
    scanner=SCANNER,
    about_file=canonical_decisions,
    missed={"decisions": ("decision",)},
)
