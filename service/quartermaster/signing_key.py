"""The key with which this data directory signs (Ed25519); the database knows its public half."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from quartermaster.paths import write_private
from quartermaster.substrate.locks import exclusive

_FILE: Final = "signing_key"


class SigningKey:
    """A private key.

    Attributes:
        public_key: 32 bytes.
    """

    def __init__(self, private: Ed25519PrivateKey) -> None:
        self._private = private
        self.public_key = private.public_key().public_bytes_raw()

    @classmethod
    def find(cls, data_dir: Path) -> SigningKey | None:
        """The one of a data directory, if there is one."""
        path = data_dir / _FILE
        if not path.exists():
            return None
        text = path.read_text(encoding="ascii").strip()
        return cls(Ed25519PrivateKey.from_private_bytes(bytes.fromhex(text)))

    @classmethod
    def open(cls, data_dir: Path) -> SigningKey:
        """The one of a data directory (mode 0600), made when it is first asked for."""
        with exclusive(data_dir / f"{_FILE}.lock"):
            found = cls.find(data_dir)
            if found is None:
                found = cls(Ed25519PrivateKey.generate())
                write_private(data_dir / _FILE, found._private.private_bytes_raw().hex() + "\n")
        return found

    def sign(self, message: bytes) -> bytes:
        """The signature over a message, 64 bytes."""
        return self._private.sign(message)


def is_signed(public_key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether the owner of a key signed a message."""
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True
