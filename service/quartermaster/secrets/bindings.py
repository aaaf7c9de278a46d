"""Records the address at which an origin first used a credential. Before the origin can use the
credential at another address, an administrator must store its value again.
"""

from __future__ import annotations

from pathlib import Path

from pydantic import RootModel, ValidationError

from quartermaster.core.errors import QmError
from quartermaster.core.locks import exclusive
from quartermaster.core.paths import write_private
from quartermaster.secrets.backend import unreadable


class _Bindings(RootModel[dict[str, dict[str, str]]]):
    """The content of the file of bindings. It maps each credential to the origins that have used
    it, and each of these origins to its address.
    """


class Bindings:
    """The addresses to which credentials were first sent.

    Args:
        data: the data directory.
    """

    def __init__(self, data: Path) -> None:
        self._path = data / "secret_addresses.json"
        self._lock = data / "secrets.lock"

    def require(self, name: str, origin: str, address: str) -> None:
        """Records the address when an origin first uses a credential, and refuses any other address
        later.

        Args:
            name: name of the credential.
            origin: name of the origin that uses the credential.
            address: ``stdio``, or scheme, host and port of the URL.

        Raises:
            QmError: QM403 secret_bound; QM500 secret_store_unreadable.
        """
        bound = self._read().get(name, {}).get(origin)
        if bound is None:
            with exclusive(self._lock):
                entries = self._read()
                entries.setdefault(name, {}).setdefault(origin, address)
                self._write(entries)
                bound = entries[name][origin]
        if bound != address:
            raise QmError(
                403,
                "secret_bound",
                f"The credential {name!r} was stored for {origin!r} at {bound}, so it is not sent"
                f" to {address}.",
                f"If the new address is right, store the value again: qm secret set {name}.",
            )

    def forget(self, name: str) -> None:
        """Forgets the addresses of a credential whose value has changed. The caller must hold the
        store's lock.
        """
        entries = self._read()
        if entries.pop(name, None) is not None:
            self._write(entries)

    def _read(self) -> dict[str, dict[str, str]]:
        try:
            return _Bindings.model_validate_json(self._path.read_bytes()).root
        except FileNotFoundError:
            return {}
        except (OSError, ValidationError) as error:
            raise unreadable(self._path, type(error).__name__) from error

    def _write(self, entries: dict[str, dict[str, str]]) -> None:
        write_private(self._path, _Bindings(entries).model_dump_json(indent=2) + "\n")
