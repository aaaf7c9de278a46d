"""Stores credentials in ``vault.json``, encrypted as a whole with AES-256-GCM and a key that scrypt
derives from the passphrase. The unencrypted parts (format, costs, salt) are authenticated, too.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Final, Literal, cast

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt
from pydantic import Base64UrlBytes, BaseModel, ConfigDict, Field, ValidationError

from quartermaster.core.paths import write_private
from quartermaster.secrets.backend import Kind, applied, unreadable
from quartermaster.secrets.passphrase import find, locked

_NONCE_BYTES: Final = 12
# The costs that OWASP recommends for scrypt: 128 MB and a few tenths of a second.
_COST: Final = 2**17
_SALT_BYTES: Final = 16


class _Header(BaseModel):
    """The parameters for deriving the key. The costs have upper limits, because much higher costs
    would exhaust the memory.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Literal[1] = 1
    kdf: Literal["scrypt"] = "scrypt"
    n: Annotated[int, Field(ge=2**14, le=2**20)]
    r: Annotated[int, Field(ge=8, le=16)] = 8
    p: Annotated[int, Field(ge=1, le=4)] = 1
    salt: Base64UrlBytes


class _Sealed(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    header: _Header
    nonce: Base64UrlBytes
    sealed: Base64UrlBytes


class Vault:
    """Stores credentials in the encrypted vault (see `backend.Backend`). All methods raise QM423
    vault_locked and QM500 secret_store_unreadable.

    Args:
        data: the data directory.
    """

    kind: Kind = "vault"

    def __init__(self, data: Path) -> None:
        self.path: Final = data / "vault.json"

    def names(self) -> list[str]:
        """See `backend.Backend.names`."""
        return sorted(self._open()[1])

    def get(self, name: str) -> str | None:
        """See `backend.Backend.get`."""
        return self._open()[1].get(name)

    def change(self, changes: Mapping[str, str | None]) -> None:
        """See `backend.Backend.change`."""
        header, entries = self._open()
        self._seal(header, _passphrase(), applied(entries, changes))

    def clear(self) -> None:
        """See `backend.Backend.clear`."""
        self.path.unlink(missing_ok=True)

    def rekey(self, passphrase: str) -> None:
        """Encrypts the vault with another passphrase and another salt, in one atomic step."""
        self._seal(_new_header(), passphrase, self._open()[1])

    def _open(self) -> tuple[_Header, dict[str, str]]:
        try:
            found = _Sealed.model_validate_json(self.path.read_bytes())
        except FileNotFoundError:
            return _new_header(), {}
        except (OSError, ValidationError) as error:
            raise unreadable(self.path, type(error).__name__) from error
        key = _derive(_passphrase(), found.header)
        try:
            text = AESGCM(key).decrypt(found.nonce, found.sealed, _bound(found.header))
        except InvalidTag:
            raise locked("the passphrase is wrong, or the file was changed") from None
        return found.header, cast("dict[str, str]", json.loads(text))

    def _seal(self, header: _Header, passphrase: str, entries: Mapping[str, str]) -> None:
        nonce = os.urandom(_NONCE_BYTES)
        text = json.dumps(entries, sort_keys=True).encode()
        sealed = AESGCM(_derive(passphrase, header)).encrypt(nonce, text, _bound(header))
        whole = _Sealed.model_construct(header=header, nonce=nonce, sealed=sealed)
        write_private(self.path, whole.model_dump_json(indent=2) + "\n")


def _passphrase() -> str:
    known = find()
    if not known:
        raise locked("no passphrase is given")
    return known


def _new_header() -> _Header:
    return _Header.model_construct(n=_COST, salt=os.urandom(_SALT_BYTES))


def _bound(header: _Header) -> bytes:
    return f"{header.format} {header.kdf} {header.n} {header.r} {header.p} ".encode() + header.salt


def _derive(passphrase: str, header: _Header) -> bytes:
    return _key(passphrase, header.salt, header.n, header.r, header.p)


@lru_cache(maxsize=4)
def _key(passphrase: str, salt: bytes, n: int, r: int, p: int) -> bytes:
    """Returns the key for a passphrase. Deriving it is expensive, so it is cached."""
    return Scrypt(salt=salt, length=32, n=n, r=r, p=p).derive(passphrase.encode())
