"""What knowledge adds to Quartermaster: the command ``qm docs`` and the door ``knowledge``."""

from __future__ import annotations

from typing import Final

import typer

from quartermaster.core.kind_packages import KindPackage


def register(app: typer.Typer) -> None:
    """Adds ``qm docs``."""
    from quartermaster.knowledge.docs_commands import noun as docs

    app.add_typer(docs, name="docs")


PACKAGE: Final = KindPackage(register=register)
