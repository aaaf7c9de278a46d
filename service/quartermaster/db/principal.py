"""Who asks."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Role = Literal["user", "operator", "admin"]


@dataclass(frozen=True)
class Principal:
    """Who asks: id and name in policy.principal, the role their transactions take, and the toolset
    whose door they came through; None: that of everything they may see."""

    id: int
    name: str
    role: Role
    toolset: str | None = None


@dataclass(frozen=True)
class Subject:
    """Whom a verified token speaks of.

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
