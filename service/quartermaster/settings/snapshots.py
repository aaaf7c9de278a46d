"""Where copies of snapshots go."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from quartermaster.settings.base import Section

Locator = Annotated[str, Field(pattern=r"^(secret|env):[A-Za-z0-9_./-]+$")]


class Snapshots(Section):
    """An object store for the artifacts; without ``store`` they are in the data directory only.

    Without keys those of the environment count (AWS_ACCESS_KEY_ID and the like).
    """

    store: Annotated[str, Field(pattern=r"^[a-z0-9+]+://[^?#@]+$")] | None = None
    endpoint: Annotated[str, Field(pattern=r"^https?://")] | None = None
    region: str | None = None
    access_key: Locator | None = None
    secret_key: Locator | None = None
