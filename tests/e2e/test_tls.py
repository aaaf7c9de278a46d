"""`qm up --tls-cert`: every client uses HTTPS, and checks the certificate."""

from __future__ import annotations

import json
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Generator
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from quartermaster.core.trust import context_for, trusting
from tests.support.certificates import Authority
from tests.support.instance import Instance, new_instance
from tests.support.sql_files import ROOT

pytestmark = [pytest.mark.e2e, pytest.mark.slow]


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("tls"), "authority")


@pytest.fixture(scope="module")
def served(stopped_data_dir: Path, authority: Authority) -> Generator[Instance]:
    """A service with a certificate of that authority."""
    certified = authority.certify("server")
    options = ["--tls-cert", certified.certificate, "--tls-key", certified.key]
    options += ["--tls-ca", authority.certificate]
    limits = {"QM_SERVER__HEADER_TIMEOUT_S": "2"}
    with new_instance(*map(str, options), copy_of=stopped_data_dir, environment=limits) as instance:
        yield instance.start()


def test_run_json_says_what_to_trust(served: Instance, authority: Authority) -> None:
    run = served.run_file
    assert run.url.startswith("https://127.0.0.1:")
    assert run.ca == str(authority.certificate)


def test_qm_calls_tools_and_reads_logs(served: Instance) -> None:
    served.add_upstream("leaf", "leaf_server.py", "stdio")
    assert served.qm_json("call", "leaf__echo", '{"text": "hello"}')["isError"] is False
    assert served.qm_json("origin", "log", "leaf")["origin"] == "leaf"


@pytest.mark.anyio
async def test_an_mcp_client_that_trusts_the_authority_is_served(served: Instance) -> None:
    run = served.run_file
    headers = {"Authorization": f"Bearer {run.token}"}
    async with (
        httpx2.AsyncClient(headers=headers, verify=context_for(run)) as http,
        Client(streamable_http_client(f"{run.url}/mcp", http_client=http)) as client,
    ):
        listed = await client.list_tools()
    assert "search_tools" in [tool.name for tool in listed.tools]


def test_a_client_that_does_not_trust_the_authority_refuses(served: Instance) -> None:
    with pytest.raises(httpx2.ConnectError, match="certificate verify failed"):
        httpx2.get(f"{served.run_file.url}/healthz", verify=trusting(None))


def test_without_tls_nothing_is_answered(served: Instance) -> None:
    plain = served.run_file.url.replace("https:", "http:")
    with pytest.raises(httpx2.HTTPError):
        httpx2.get(f"{plain}/healthz")


def test_the_name_in_the_certificate_is_an_allowed_host(
    stopped_data_dir: Path, authority: Authority
) -> None:
    certified = authority.certify("named", ["localhost", "qm.example"])
    options = ["--tls-cert", certified.certificate, "--tls-key", certified.key]
    options += ["--tls-ca", authority.certificate]
    with new_instance(*map(str, options), copy_of=stopped_data_dir) as named:
        named.start()
        assert named.run_file.url.startswith("https://localhost:")
        with named.http() as http:
            assert http.get("/status", headers={"Host": "qm.example"}).status_code == 200
            assert http.get("/status", headers={"Host": "evil.example"}).status_code == 421


def test_doctor_says_how_long_the_certificate_is_valid(served: Instance) -> None:
    found = served.qm("doctor", "--json")
    report = json.loads(found.stdout)
    until = datetime.fromisoformat(report["service"]["certificate_until"])
    assert 0 < (until - datetime.now(UTC)).total_seconds() <= 86_400
    assert "Renew it" in report["service"]["problem"], "it is valid for less than 14 days"
    assert found.returncode == 1


def test_the_health_check_of_the_container_uses_it(served: Instance) -> None:
    check = [sys.executable, str(ROOT / "docker" / "healthcheck.py")]
    environment = served.environment | {"QM_DATA_DIR": str(served.data_dir)}
    assert subprocess.run(check, env=environment).returncode == 0
    environment["QM_DATA_DIR"] = str(served.data_dir / "missing")
    assert subprocess.run(check, env=environment, capture_output=True).returncode == 1


def test_a_connection_that_never_begins_its_handshake_is_closed(served: Instance) -> None:
    place = urlsplit(served.run_file.url)
    assert place.hostname is not None
    with socket.create_connection((place.hostname, place.port or 0), timeout=20) as silent:
        begun = time.monotonic()
        assert silent.recv(1) == b""
        assert 1 < time.monotonic() - begun < 20


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1])
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_an_old_version_of_tls_is_refused(served: Instance, version: ssl.TLSVersion) -> None:
    place = urlsplit(served.run_file.url)
    assert place.hostname is not None
    old = context_for(served.run_file)
    old.set_ciphers("DEFAULT@SECLEVEL=0")
    old.minimum_version = old.maximum_version = version
    with (
        socket.create_connection((place.hostname, place.port or 0), timeout=20) as connection,
        pytest.raises(ssl.SSLError),
    ):
        old.wrap_socket(connection, server_hostname=place.hostname)


def test_a_wrong_file_ends_the_start_and_says_what_to_do(
    stopped_data_dir: Path, authority: Authority
) -> None:
    certified = authority.certify("other")
    with new_instance(copy_of=stopped_data_dir) as instance:
        refused = instance.qm(
            "up", "--port", "0", "--tls-cert", certified.certificate, "--tls-key", "/missing.key"
        )
    assert refused.returncode == 1
    assert "tls_invalid" in refused.stderr
    assert "--tls-key" in refused.stderr
