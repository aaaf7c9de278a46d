"""Copies of artifacts in an object store: a folder, S3 and what speaks like it, other clouds."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from obstore.exceptions import BaseError
from obstore.store import from_url

from quartermaster.core.errors import QmError
from quartermaster.secrets.store import SecretStore
from quartermaster.settings.sections import Snapshots

_CHUNK: Final = 4 * 1024 * 1024


class Store:
    """A place for artifacts, each under its file's name.

    Args:
        url: file://, s3://, gs://, az://, or http(s):// of a server that takes PUT.
        options: endpoint, region and locators of credentials; for s3:// only.
        secrets: what the locators name.

    Raises:
        QmError: QM502 store_failed, where the URL is none; those of `SecretStore.resolve`.
    """

    def __init__(self, url: str, options: Snapshots, secrets: SecretStore) -> None:
        self._url = url.rstrip("/")
        given: dict[str, Any] = {}
        if url.startswith("s3://"):
            keys = {"access_key_id": options.access_key, "secret_access_key": options.secret_key}
            given = {name: secrets.resolve(key) for name, key in keys.items() if key is not None}
            given |= {"endpoint": options.endpoint, "region": options.region}
        config: Any = {name: value for name, value in given.items() if value is not None}
        plain = (options.endpoint or url).startswith("http://")
        with self._explained():
            if url.startswith("file://"):
                Path(url.removeprefix("file://")).mkdir(mode=0o700, parents=True, exist_ok=True)
            self._store = from_url(
                self._url, config=config or None, client_options={"allow_http": plain}
            )

    def put(self, path: Path) -> str:
        """Copies a file there, and returns its URL.

        Raises:
            QmError: QM502 store_failed.
        """
        with self._explained():
            self._store.put(path.name, path)
        return f"{self._url}/{path.name}"

    def fetch(self, path: Path) -> None:
        """Downloads the file with this name, in one step; it replaces the local one.

        Raises:
            QmError: QM502 store_failed.
        """
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        partial = path.with_name(f".{path.name}.partial")
        try:
            with self._explained(), partial.open("wb") as file:
                partial.chmod(0o600)
                for chunk in self._store.get(path.name).stream(min_chunk_size=_CHUNK):
                    file.write(chunk)
            partial.replace(path)
        finally:
            partial.unlink(missing_ok=True)

    def remove(self, name: str) -> None:
        """Removes a file, if it is there.

        Raises:
            QmError: QM502 store_failed.
        """
        with self._explained():
            try:
                self._store.delete(name)
            except FileNotFoundError:
                return

    @contextmanager
    def _explained(self) -> Generator[None]:
        try:
            yield
        except (BaseError, OSError, ValueError) as error:
            first = str(error).strip().splitlines()[0][:300]
            raise QmError(
                502,
                "store_failed",
                f"The store {self._url} refused the request: {first}",
                "Check snapshots.store and its credentials in the settings, and try again.",
            ) from error


def beside(url: str, options: Snapshots, secrets: SecretStore) -> Store:
    """The store that holds the artifact of a URL.

    Raises:
        QmError: see `Store`.
    """
    return Store(url.rpartition("/")[0], options, secrets)
