"""The certificate of the service: what is refused at the start, and how it is renewed."""

from __future__ import annotations

import asyncio
import shutil
import ssl
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    load_pem_private_key,
)

from quartermaster.core.errors import QmError
from quartermaster.core.trust import trusting
from quartermaster.doors.wire import server_tls
from quartermaster.doors.wire.server_tls import ServerTls
from quartermaster.settings.sections import ServerSettings
from tests.support.certificates import Authority, Certified
from tests.support.waiting import until


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path, "authority")


def settings(certified: Certified, authority: Authority | None, **further: Any) -> ServerSettings:
    return ServerSettings(
        tls_cert=str(certified.certificate),
        tls_key=str(certified.key),
        tls_ca=None if authority is None else str(authority.certificate),
        **further,
    )


def refused(given: ServerSettings) -> QmError:
    with pytest.raises(QmError) as caught:
        ServerTls.find(given)
    assert (caught.value.status, caught.value.slug) == (422, "tls_invalid")
    assert caught.value.hint
    return caught.value


def test_without_files_there_is_no_tls() -> None:
    assert ServerTls.find(ServerSettings()) is None


def test_a_certificate_of_an_authority_that_is_named_is_served(authority: Authority) -> None:
    found = ServerTls.find(settings(authority.certify("server"), authority))
    assert found is not None
    assert (found.host, found.ca) == ("127.0.0.1", str(authority.certificate))
    assert found.context.minimum_version >= ssl.TLSVersion.TLSv1_2


@pytest.mark.parametrize(
    ("hosts", "further", "host"),
    [
        (["localhost"], {}, "localhost"),
        (["qm.example"], {"host": "0.0.0.0"}, "qm.example"),
        (["*.lab.example"], {"public_url": "https://qm.lab.example"}, "qm.lab.example"),
        (["qm.example", "localhost"], {"host": "0.0.0.0"}, "localhost"),
    ],
)
def test_the_name_for_which_it_is_valid_is_chosen(
    authority: Authority, hosts: list[str], further: dict[str, Any], host: str
) -> None:
    found = ServerTls.find(settings(authority.certify("server", hosts), authority, **further))
    assert found is not None
    assert found.host == host


@pytest.mark.parametrize("given", [("tls_cert",), ("tls_key",), ("tls_ca",), ("tls_key", "tls_ca")])
def test_half_of_it_is_refused(given: tuple[str, ...]) -> None:
    error = refused(ServerSettings().model_copy(update=dict.fromkeys(given, "/x.pem")))
    assert "--tls-cert and --tls-key" in error.hint


def test_each_missing_file_is_named(authority: Authority, tmp_path: Path) -> None:
    certified = authority.certify("server")
    for path, option in (
        (certified.certificate, "--tls-cert"),
        (certified.key, "--tls-key"),
        (authority.certificate, "--tls-ca"),
    ):
        path.rename(tmp_path / "away")
        error = refused(settings(certified, authority))
        assert str(path) in error.message
        assert option in error.hint
        (tmp_path / "away").rename(path)


def test_files_of_another_kind_are_named(authority: Authority) -> None:
    certified = authority.certify("server")
    swapped = Certified(certified.key, certified.certificate, "")
    assert "is not a certificate" in refused(settings(swapped, authority)).message
    no_key = Certified(certified.certificate, certified.certificate, "")
    assert "is not a private key" in refused(settings(no_key, authority)).message


def test_an_encrypted_key_is_refused_without_asking_for_a_password(authority: Authority) -> None:
    certified = authority.certify("server")
    key = load_pem_private_key(certified.key.read_bytes(), None)
    secret = BestAvailableEncryption(b"secret")
    certified.key.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, secret))
    error = refused(settings(certified, authority))
    assert "is encrypted" in error.message
    assert "openssl pkey" in error.hint


def test_a_key_of_another_certificate_is_refused(authority: Authority) -> None:
    one, other = authority.certify("one"), authority.certify("other")
    error = refused(settings(Certified(one.certificate, other.key, ""), authority))
    assert "does not belong to" in error.message


def test_a_file_that_may_not_be_read_is_named(authority: Authority) -> None:
    certified = authority.certify("server")
    certified.key.unlink()
    certified.key.mkdir()  # root may read every file, but no folder
    error = refused(settings(certified, authority))
    assert "cannot be read" in error.message
    assert "the user that runs the service" in error.hint


def test_an_authority_that_nobody_named_is_not_trusted(authority: Authority) -> None:
    error = refused(settings(authority.certify("server"), None))
    assert "Clients would not trust the certificate" in error.message
    assert "--tls-ca" in error.hint


def test_a_certificate_that_has_expired_is_refused(authority: Authority) -> None:
    expired = authority.certify("server", lasts=-timedelta(minutes=1))
    assert "expired" in refused(settings(expired, authority)).message


def test_a_certificate_for_another_name_is_refused(authority: Authority) -> None:
    other = authority.certify("server", ["*.example"])
    error = refused(settings(other, authority))
    assert "*.example" in error.message
    assert "127.0.0.1" in error.message


class Log:
    """Keeps the facts of warnings."""

    def __init__(self, warned: list[dict[str, Any]]) -> None:
        self._warned = warned

    def warning(self, _event: str, **facts: Any) -> None:
        self._warned.append(facts)

    def info(self, _event: str, **facts: Any) -> None:
        pass


@pytest.mark.anyio
async def test_a_renewed_certificate_is_served_without_a_restart(
    authority: Authority, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_tls, "_LOOK_EVERY_S", 0.02)
    warned: list[dict[str, Any]] = []
    monkeypatch.setattr(server_tls, "log", Log(warned))
    certified = authority.certify("server")
    found = ServerTls.find(settings(certified, authority))
    assert found is not None
    first = await shown(found, authority)
    renewing = asyncio.create_task(found.renew())
    try:
        # Half of a renewal changes nothing: the old certificate is still shown.
        newer = authority.certify("newer")
        shutil.copy(newer.certificate, certified.certificate)
        await until(lambda: warned)
        assert "does not belong to" in warned[0]["error"]
        assert await shown(found, authority) == first
        shutil.copy(newer.key, certified.key)
        expected = ssl.PEM_cert_to_DER_cert(newer.certificate.read_text())

        async def is_renewed() -> bool:
            return await shown(found, authority) == expected

        await until(is_renewed)
        assert not renewing.done()
    finally:
        renewing.cancel()
        with suppress(asyncio.CancelledError):
            await renewing


async def shown(tls: ServerTls, authority: Authority) -> bytes:
    """Returns the certificate that a new connection gets."""

    async def end(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()

    server = await asyncio.start_server(end, "127.0.0.1", 0, ssl=tls.context)
    async with server:
        place = server.sockets[0].getsockname()
        trusted = trusting(str(authority.certificate))
        _, writer = await asyncio.open_connection(*place, ssl=trusted)
        found: bytes = writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
        writer.close()
    return found
