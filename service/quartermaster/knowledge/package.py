"""What knowledge adds to Quartermaster: the command ``qm docs`` and the door ``knowledge``."""

from __future__ import annotations

from typing import Final

import typer

from quartermaster.core.kind_packages import Door, KindPackage
from quartermaster.knowledge.docs_tools import TOOLS as DOCS


def register(app: typer.Typer) -> None:
    """Adds ``qm docs``."""
    from quartermaster.knowledge.docs_commands import noun as docs

    app.add_typer(docs, name="docs")


DOOR: Final = Door(
    name="knowledge",
    title="Knowledge",
    description="Documentation of the libraries that are installed, in the installed version.",
    instructions=(
        "Before you call a library, look it up with tapps_lookup_docs: the answer is about the "
        "version that is installed."
    ),
    tools=DOCS,
)
PACKAGE: Final = KindPackage(register=register, door=DOOR)
