"""Defines the parts that this kind adds to Quartermaster: the door ``quality`` with its tools, and
background work.
"""

from __future__ import annotations

from typing import Final

import mcp_types as types

from quartermaster.core.errors import QmError
from quartermaster.core.kind_packages import KindDoor, KindPackage, KindPrompt, KindWork
from quartermaster.db import Database, Principal
from quartermaster.projects.memory import bound_memory
from quartermaster.service import Service
from quartermaster_quality import api
from quartermaster_quality.tools.scoring import TOOLS as SCORING
from quartermaster_quality.tools.sessions import TOOLS as SESSIONS

WORKFLOW: Final = """\
You have tools that check the quality of code. Their names begin with tapps_; if you do not see \
them, find them with search_tools. Work in this order:
1. Call tapps_server_info at the start. Pass its session_id as `session` to the other tools.
2. Call tapps_project_profile at the start of each task.
3. Call tapps_lookup_docs before you use a library, and tapps_consult_expert for decisions about \
security, databases and the like.
4. After each change, call tapps_score_file with quick: true, and fix what it shows.
5. When a file is complete, call tapps_score_file without quick.
6. Call tapps_validate_config for Dockerfiles and Compose files.
7. Call tapps_impact_analysis before you change or remove what other files use.
8. Call tapps_quality_gate for each file that you changed. The work is not done before it passes.
9. Call tapps_checklist before you say that the work is done, and call the tools that it lists.
Save decisions and constraints with tapps_session_notes.
A gate needs at least 70 of 100 points overall, 7 of 10 for security, and 75 % test coverage. Code \
that no checker has read does not pass. If a gate fails, fix the file; do not ask for a weaker gate.
"""

DOOR: Final = KindDoor(
    name="quality",
    title="Code quality",
    description="Scores, security scans and quality gates for the code of your projects.",
    instructions=WORKFLOW,
    tools=(*SESSIONS, *SCORING),
    prompts=(
        KindPrompt(
            types.Prompt(name="workflow", description="How to work with the quality tools."),
            WORKFLOW,
        ),
    ),
)


async def _bound_memory(service: Service) -> None:
    bound_memory(service.settings.limits)


async def _record_use(database: Database, principal: Principal, tool: str, subject: str) -> None:
    """Records the use of another package's tool for the checklist. Without a project, nothing is
    recorded.
    """
    try:
        await database.call(api.record_step(tool=tool, subject=subject), principal)
    except QmError as error:
        if error.slug not in {"project_not_found", "project_ambiguous"}:
            raise


PACKAGE: Final = KindPackage(
    door=DOOR,
    on_use=_record_use,
    work=(KindWork("processes", 1.0, _bound_memory),),
    missed={"quality": ("finding",)},
)
