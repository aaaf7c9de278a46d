"""``qm organisation``: manages the organisations to which principals belong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from quartermaster import api
from quartermaster.cli.command import Qm
from quartermaster.cli.noun import Noun
from quartermaster.cli.session import Row

noun = Noun("Manage the organisations to which principals belong.")


@noun.verb()
def list_command(qm: Qm) -> Sequence[Row]:
    """List the organisations."""
    rows = qm.read(api.list_organisations())
    empty = "No organisations. Create one with: qm organisation put NAME."
    return qm.table(rows, ("name", "principals", "description"), empty=empty)


@noun.verb()
def put_command(
    qm: Qm,
    name: Annotated[str, "Name of the organisation."],
    description: Annotated[str, "Description of the organisation."] = "",
) -> Row:
    """Create an organisation, or change its description."""
    qm.call(api.put_organisation(name=name, description=description))
    qm.say(
        f"Organisation {name} saved. To add a principal: qm principal create PRINCIPAL"
        f" --organisation {name}."
    )
    return {"name": name, "description": description}
