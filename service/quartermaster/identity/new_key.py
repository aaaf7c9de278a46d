"""Makes bearer keys from 32 random bytes. The database stores only the digest of a key."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final

_MARK: Final = "qm_"
_SHOWN_CHARACTERS: Final = len(_MARK) + 8


@dataclass(frozen=True)
class NewKey:
    """A new key.

    Attributes:
        text: text that the key's owner sends; it is shown only once.
    """

    text: str = field(repr=False, default_factory=lambda: _MARK + secrets.token_urlsafe(32))

    @property
    def prefix(self) -> str:
        """The beginning of the key, by which people recognise the key."""
        return self.text[:_SHOWN_CHARACTERS]

    @property
    def digest(self) -> bytes:
        """The SHA-256 digest of the key."""
        return sha256(self.text.encode()).digest()
