"""``qm candidates``: lists, approves and rejects candidates, as ``qm decisions`` does for all
decisions.
"""

from __future__ import annotations

from quartermaster.cli.command import Qm
from quartermaster.cli.noun import Noun
from quartermaster.cli.options import Limit
from quartermaster.cli.session import Row
from quartermaster_decisions.cli import Project, approve_command, listed, reject_command

noun = Noun(
    "List, approve and reject candidates: decisions that nobody has approved or rejected yet."
)


@noun.verb()
def list_command(qm: Qm, project: Project = None, limit: Limit = 1000) -> Row:
    """List candidates, best first."""
    return listed(qm, project=project, status="candidate", maximum=limit)


noun.command("approve")(approve_command)
noun.command("reject")(reject_command)
