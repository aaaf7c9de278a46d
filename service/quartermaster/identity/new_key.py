"""Makes bearer keys: 32 random bytes, of which the database gets the digest only."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final

_MARK: Final = "qm_"
_SHOWN: Final = len(_MARK) + 8


@dataclass(frozen=True)
class NewKey:
    """A key that nobody has yet.

    Attributes:
        text: what its owner sends; to be shown once.
    """

    text: str = field(repr=False, default_factory=lambda: _MARK + secrets.token_urlsafe(32))

    @property
    def prefix(self) -> str:
        """What people recognise it by."""
        return self.text[:_SHOWN]

    @property
    def digest(self) -> bytes:
        """SHA-256 of it."""
        return sha256(self.text.encode()).digest()
