"""Principals, as the service knows them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import Final, Literal

Role = Literal["user", "operator", "admin"]

WORKER: Final = "quartermaster"
"""Principal of the service's own work."""

LOCAL: Final = "local"
"""Principal of the user of this machine's local doors: run.json's token and stdio."""


@dataclass(eq=False)
class ShownKey:
    """A key that was valid a moment ago, and comes with a new request.

    Attributes:
        key: itself.
        is_checked: whether the database has been asked for it since; the first statement does.
    """

    key: str = field(repr=False)
    is_checked: bool = False

    @property
    def digest(self) -> bytes:
        """As the database knows it."""
        return key_digest(self.key)


@dataclass(frozen=True)
class Principal:
    """The principal of a request.

    Attributes:
        id, name: in policy.principal.
        role: that their transactions take.
        toolset: whose door they came through; None: that of everything they may see.
        shown_key: by which they are known, where the database has not been asked first.
    """

    id: int
    name: str
    role: Role
    toolset: str | None = None
    shown_key: ShownKey | None = field(default=None, compare=False)

    @property
    def unchecked_key(self) -> ShownKey | None:
        """The key that the next statement must check; None: no check is needed."""
        shown = self.shown_key
        return shown if shown is not None and not shown.is_checked else None


@dataclass(frozen=True)
class Subject:
    """The claims of a verified token about its subject.

    Attributes:
        issuer, subject: who it is, to whom.
        issued_at: when the token was.
        name: for a principal made of it; None: the subject.
        role, organisation: that the token gives; None: it says nothing of them.
    """

    issuer: str
    subject: str
    issued_at: datetime
    name: str | None = None
    role: Role | None = None
    organisation: str | None = None


def key_digest(key: str) -> bytes:
    """The SHA-256 of a key, which is all that the database stores (policy.api_key)."""
    return sha256(key.encode()).digest()
