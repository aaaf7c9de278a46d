"""HTTPS upstreams: who is trusted, whose key is pinned, and what certificate they are shown."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from quartermaster.core.errors import QmError
from quartermaster.upstream.failure import UpstreamError
from quartermaster.upstream.spec import OriginSpec
from quartermaster.upstream.supervisor import Supervisor
from quartermaster.upstream.tls import TlsSettings, tls_context
from tests.support.canary import canary
from tests.support.certificates import Authority, Certified
from tests.support.guarded_upstream import GuardedUpstream, TlsFiles, guarded_upstream
from tests.support.origins import LOOPBACK

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("tls"), "authority")


@pytest.fixture(scope="module")
def server(authority: Authority) -> Certified:
    return authority.certify("server")


@pytest.fixture(scope="module")
def https(server: Certified) -> Generator[GuardedUpstream]:
    with guarded_upstream(oauth=False, tls=TlsFiles(server.certificate, server.key)) as running:
        yield running


@pytest.fixture(scope="module")
def mutual(authority: Authority, server: Certified) -> Generator[GuardedUpstream]:
    """One that takes clients of the authority only."""
    files = TlsFiles(server.certificate, server.key, authority.certificate)
    with guarded_upstream(oauth=False, tls=files) as running:
        yield running


def spec_of(upstream: GuardedUpstream, **tls: Any) -> OriginSpec:
    return OriginSpec(
        id=1,
        name="hub",
        transport="http",
        url=upstream.url,
        networks=(LOOPBACK,),
        headers={"X-Key": canary("header")},
        tls=TlsSettings(**tls),
    )


async def test_an_unknown_authority_is_refused_and_a_named_one_trusted(
    https: GuardedUpstream, authority: Authority, supervisor: Supervisor
) -> None:
    with pytest.raises(UpstreamError, match="CERTIFICATE_VERIFY_FAILED"):
        await supervisor.call(spec_of(https), "ask")
    assert await supervisor.call(spec_of(https, ca_file=str(authority.certificate)), "ask")


@pytest.mark.parametrize("verify", [True, False])
async def test_another_key_than_the_pinned_is_sent_nothing(
    verify: bool,
    https: GuardedUpstream,
    authority: Authority,
    server: Certified,
    supervisor: Supervisor,
) -> None:
    ca_file = str(authority.certificate) if verify else None
    other = authority.certify("other").pin
    before = len(https.requests)
    with pytest.raises(UpstreamError) as caught:
        await supervisor.call(spec_of(https, verify=verify, ca_file=ca_file, pins=(other,)), "ask")
    assert caught.value.kind == "auth"
    assert server.pin in caught.value.message, "it names the key that it saw"
    assert "intercepting the connection" in caught.value.hint
    assert len(https.requests) == before

    pins = (other, server.pin)
    assert await supervisor.call(
        spec_of(https, verify=verify, ca_file=ca_file, pins=pins), "ask"
    ), "one of several is enough, so that a key can be replaced"


async def test_a_client_certificate_is_shown_where_it_is_wanted(
    mutual: GuardedUpstream, authority: Authority, supervisor: Supervisor, tmp_path: Path
) -> None:
    ca_file = str(authority.certificate)
    client = authority.certify("client")
    stranger = Authority(tmp_path, "stranger").certify("nobody")
    for shown in (None, stranger):
        with pytest.raises(UpstreamError) as caught:
            await supervisor.call(spec_of(mutual, ca_file=ca_file, **texts(shown)), "ask")
        assert caught.value.kind == "network"
    assert not mutual.requests

    spec = spec_of(mutual, ca_file=ca_file, **texts(client))
    assert await supervisor.call(spec, "ask")
    assert client.key.read_text() not in repr(spec)


async def test_a_certificate_with_another_key_is_told(authority: Authority) -> None:
    client, other = authority.certify("one"), authority.certify("two")
    mixed = TlsSettings(
        client_certificate=client.certificate.read_text(), client_key=other.key.read_text()
    )
    with pytest.raises(OSError, match="KEY_VALUES_MISMATCH"):
        tls_context(mixed)


@pytest.mark.parametrize(
    "settings",
    [
        {"pins": ["sha256/short"]},
        {"pins": "sha256/"},
        {"client_certificate": "client.pem"},
        {"pin": []},
        {"__dataclass_self__": 1},
    ],
)
async def test_settings_that_are_none_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(QmError) as caught:
        TlsSettings.from_mapping(settings)
    assert caught.value.slug == "origin_tls_invalid"


def texts(client: Certified | None) -> dict[str, str]:
    if client is None:
        return {}
    return {
        "client_certificate": client.certificate.read_text(),
        "client_key": client.key.read_text(),
    }
