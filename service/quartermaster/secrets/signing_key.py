"""The signing key of a data directory (Ed25519). The database stores its public key."""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Final

import jwt
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from quartermaster.core.errors import QmError
from quartermaster.core.locks import exclusive
from quartermaster.core.paths import write_private

_FILE: Final = "signing_key"


class SigningKey:
    """A private key.

    Attributes:
        public_key: the public key, 32 bytes long.
    """

    def __init__(self, private: Ed25519PrivateKey) -> None:
        self._private = private
        self.public_key = private.public_key().public_bytes_raw()

    @classmethod
    def find(cls, data_dir: Path) -> SigningKey | None:
        """Reads the key of a data directory; None if it has no key.

        Raises:
            QmError: QM422 signing_key_damaged.
        """
        path = data_dir / _FILE
        if not path.exists():
            return None
        try:
            text = path.read_text(encoding="ascii").strip()
            return cls(Ed25519PrivateKey.from_private_bytes(bytes.fromhex(text)))
        except ValueError:
            raise QmError(
                422,
                "signing_key_damaged",
                f"{path} does not contain a signing key, so nothing is signed.",
                "Restore the file from a backup. If there is no backup, move the file away. The "
                "next start then creates a new key, and signatures made with the old key can no "
                "longer be verified.",
            ) from None

    @classmethod
    def open(cls, data_dir: Path) -> SigningKey:
        """Reads the key of a data directory, and creates it on first use (mode 0600)."""
        with exclusive(data_dir / f"{_FILE}.lock"):
            found = cls.find(data_dir)
            if found is None:
                found = cls(Ed25519PrivateKey.generate())
                write_private(data_dir / _FILE, found._private.private_bytes_raw().hex() + "\n")
        return found

    def sign(self, message: bytes) -> bytes:
        """Returns the signature of a message, 64 bytes long."""
        return self._private.sign(message)

    def sign_token(self, claims: Mapping[str, object]) -> str:
        """Returns a signed JWT (RFC 7519) with these claims. The header of the JWT names the
        key.
        """
        headers = {"kid": jwk_of(self.public_key)["kid"]}
        return jwt.encode(dict(claims), self._private, algorithm="EdDSA", headers=headers)


def jwk_of(public_key: bytes) -> dict[str, str]:
    """Returns a public key as a JWK (RFC 8037), whose key id is its thumbprint (RFC 7638)."""
    essential = {"crv": "Ed25519", "kty": "OKP", "x": _base64url(public_key)}
    canonical = json.dumps(essential, sort_keys=True, separators=(",", ":"))
    thumbprint = _base64url(sha256(canonical.encode()).digest())
    return {**essential, "kid": thumbprint, "alg": "EdDSA", "use": "sig"}


def _base64url(octets: bytes) -> str:
    return urlsafe_b64encode(octets).decode().rstrip("=")


def is_signed(public_key: bytes, message: bytes, signature: bytes) -> bool:
    """Returns whether the owner of a key signed a message."""
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True
