"""Registers knowledge in Quartermaster: the door ``knowledge``, its tools, the background work and
the scan.
"""

from __future__ import annotations

from typing import Final

from quartermaster.core.kind_packages import KindDoor, KindPackage, KindWork
from quartermaster_knowledge.call_site_scan import scan as scan_call_sites
from quartermaster_knowledge.docs_tools import TOOLS as DOCS_TOOLS
from quartermaster_knowledge.documents import renew_documents
from quartermaster_knowledge.expert_answers import keep_notes_loaded
from quartermaster_knowledge.expert_tools import TOOLS as EXPERT_TOOLS
from quartermaster_knowledge.invitation_tools import TOOLS as INVITATION_TOOLS
from quartermaster_knowledge.upkeep import keep_environments_read

INSTRUCTIONS: Final = """\
Call start_task once at the start of each task. Before you make a decision in a domain such as
security or databases, ask tapps_consult_expert: it cites its sources, or says that it does not
know. Before you call a library, look it up with tapps_lookup_docs: it shows what the installed
version provides.
"""

DOOR: Final = KindDoor(
    name="knowledge",
    title="Knowledge",
    description=(
        "Experts who cite their notes, documentation of installed libraries, and everything that "
        "you need to start a task."
    ),
    instructions=INSTRUCTIONS,
    tools=(*EXPERT_TOOLS, *DOCS_TOOLS, *INVITATION_TOOLS),
)


PACKAGE: Final = KindPackage(
    door=DOOR,
    work=(
        KindWork("notes", 60.0, keep_notes_loaded),
        KindWork("environments", 10.0, keep_environments_read),
        KindWork("documents", 5.0, renew_documents),
    ),
    scan=scan_call_sites,
    missed={"knowledge": ("environment",)},
)
