"""Copies of artifacts, against an S3 server on loopback and in a folder."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import httpx2
import pytest
from moto.server import ThreadedMotoServer

from quartermaster.core.errors import QmError
from quartermaster.secrets.store import SecretStore
from quartermaster.settings.sections import SnapshotSettings
from quartermaster.snapshots.store import Store, beside


@pytest.fixture(scope="module")
def s3() -> Generator[str]:
    """Address of an S3 server with the bucket ``kept``."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    httpx2.put(f"http://{host}:{port}/kept").raise_for_status()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def secrets(tmp_path: Path) -> SecretStore:
    store = SecretStore(tmp_path / "data")
    store.put("s3_key", "key of a test")
    store.put("s3_secret", "secret of a test")
    return store


def options(s3: str, **given: str) -> SnapshotSettings:
    keys = {"access_key": "secret:s3_key", "secret_key": "secret:s3_secret"}
    return SnapshotSettings.model_validate(
        {"endpoint": s3, "region": "eu-central-1"} | keys | given
    )


@pytest.mark.parametrize("where", ["s3://kept/some/where", "file://{folder}/far"])
def test_what_is_put_is_fetched_and_removed(
    where: str, s3: str, secrets: SecretStore, tmp_path: Path
) -> None:
    file = tmp_path / "monday.sqlite"
    file.write_bytes(b"x" * 6_000_000)
    url = Store(where.format(folder=tmp_path), options(s3), secrets).put(file)
    assert url == f"{where.format(folder=tmp_path)}/monday.sqlite"
    fetched = tmp_path / "elsewhere" / "monday.sqlite"
    store = beside(url, options(s3), secrets)
    store.fetch(fetched)
    assert fetched.read_bytes() == file.read_bytes()
    assert fetched.stat().st_mode & 0o777 == 0o600
    store.remove(file.name)
    store.remove(file.name)
    with pytest.raises(QmError, match="refused the request"):
        store.fetch(fetched)
    assert fetched.read_bytes() == file.read_bytes()
    assert [path.name for path in fetched.parent.iterdir()] == ["monday.sqlite"]


def test_what_a_store_refuses_is_explained_without_its_credentials(
    s3: str, secrets: SecretStore, tmp_path: Path
) -> None:
    (tmp_path / "x.sqlite").write_bytes(b"x")
    with pytest.raises(QmError) as caught:
        Store("s3://no-such-bucket", options(s3), secrets).put(tmp_path / "x.sqlite")
    assert caught.value.slug == "store_failed"
    assert "of a test" not in str(caught.value)
    with pytest.raises(QmError):
        Store("s3://kept", options(s3, secret_key="secret:unknown"), secrets)
