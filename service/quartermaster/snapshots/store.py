"""Keeps copies of artifacts in a store: a folder, S3-compatible storage or another cloud's
storage.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from obstore.exceptions import BaseError
from obstore.store import from_url

from quartermaster.core.errors import QmError
from quartermaster.secrets.store import SecretStore
from quartermaster.settings.sections import SnapshotSettings

_CHUNK: Final = 4 * 1024 * 1024


class Store:
    """A store for artifacts. An artifact has the same file name in the store.

    Args:
        url: file://, s3://, gs:// or az:// URL, or http(s):// URL of a server that accepts PUT.
        options: endpoint, region and locators of the credentials. They are used only for s3://.
        secrets: store with the secrets that the locators name.

    Raises:
        QmError: QM502 store_failed if the URL is invalid; any error of `SecretStore.resolve`.
    """

    def __init__(self, url: str, options: SnapshotSettings, secrets: SecretStore) -> None:
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
        """Copies a file to the store, and returns its URL.

        Raises:
            QmError: QM502 store_failed.
        """
        with self._explained():
            self._store.put(path.name, path)
        return f"{self._url}/{path.name}"

    def fetch(self, path: Path) -> None:
        """Downloads the file with the name of a local file, and replaces the local file atomically.

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
        """Removes a file from the store if it exists there.

        Raises:
            QmError: QM502 store_failed.
        """
        with self._explained(), suppress(FileNotFoundError):
            self._store.delete(name)

    @contextmanager
    def _explained(self) -> Generator[None]:
        try:
            yield
        except (BaseError, OSError, ValueError) as error:
            first = str(error).strip().splitlines()[0][:300]
            raise QmError(
                502,
                "store_failed",
                f"The snapshot store {self._url} refused the request: {first}",
                "Check snapshots.store and its credentials in the settings, and try again.",
            ) from error


def beside(url: str, options: SnapshotSettings, secrets: SecretStore) -> Store:
    """Returns the store that contains the artifact with this URL.

    Raises:
        QmError: see `Store`.
    """
    return Store(url.rpartition("/")[0], options, secrets)
