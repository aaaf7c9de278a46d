"""The data about a principal that the service passes to the database."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import Final, Literal

Role = Literal["user", "operator", "admin"]

WORKER: Final = "quartermaster"
"""Name of the principal that the service uses for its own work."""

LOCAL_PRINCIPAL: Final = "local"
"""Name of the principal at this machine's local doors: the token in run.json, and stdio."""


@dataclass(eq=False)
class ShownKey:
    """A key that was recently valid, and that a new request contains.

    Attributes:
        key: the key itself.
        is_checked: whether the database has checked the key again; the first statement checks it.
    """

    key: str = field(repr=False)
    is_checked: bool = False

    @property
    def digest(self) -> bytes:
        """The key's digest, as stored in the database."""
        return key_digest(self.key)


@dataclass(frozen=True)
class Principal:
    """The principal of a request.

    Attributes:
        id, name: columns in policy.principal.
        role: role used in the principal's transactions.
        toolset: toolset whose door was used; None for the door to everything that the principal may
            see.
        goal_model: embedding model of the vectors in the request; None for the active model.
        shown_key: key that identifies the principal and that the database may still have to check.
    """

    id: int
    name: str
    role: Role
    toolset: str | None = None
    goal_model: str | None = field(default=None, compare=False)
    shown_key: ShownKey | None = field(default=None, compare=False)

    @property
    def unchecked_key(self) -> ShownKey | None:
        """The key that the next statement must check; None if no check is needed."""
        shown = self.shown_key
        return shown if shown is not None and not shown.is_checked else None


@dataclass(frozen=True)
class Subject:
    """The claims of a verified token about its subject.

    Attributes:
        issuer, subject: the issuer of the token, and the issuer's name for the subject.
        issued_at: time at which the token was issued.
        name: name for a new principal; None uses the subject.
        role, organisation: role and organisation in the token; None if the token does not state
            them.
    """

    issuer: str
    subject: str
    issued_at: datetime
    name: str | None = None
    role: Role | None = None
    organisation: str | None = None


def key_digest(key: str) -> bytes:
    """Returns the SHA-256 of a key, which is all that the database stores (policy.api_key)."""
    return sha256(key.encode()).digest()
