"""Makes bearer keys: 32 random bytes. The database gets only the digest."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final

_MARK: Final = "qm_"
_SHOWN: Final = len(_MARK) + 8


@dataclass(frozen=True)
class NewKey:
    """A new key.

    Attributes:
        text: what its owner sends; to be shown once.
    """

    text: str = field(repr=False, default_factory=lambda: _MARK + secrets.token_urlsafe(32))

    @property
    def prefix(self) -> str:
        """The part by which people recognise it."""
        return self.text[:_SHOWN]

    @property
    def digest(self) -> bytes:
        """Its SHA-256."""
        return sha256(self.text.encode()).digest()
