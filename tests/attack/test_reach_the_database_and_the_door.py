"""A local server looks for the database, for the service's door and for the cloud's metadata."""

from __future__ import annotations

from urllib.parse import urlsplit

import psycopg
import pytest

from quartermaster.core.reaper import own_addresses
from tests.attack.conftest import Hostile
from tests.support.confined import needs_bubblewrap, needs_own_network

_CONNECT = """
import socket
with socket.create_connection((host, port), 5):
    found = "connected"
"""

NO_WAY = ("No route to host", "Network is unreachable")


def ports(hostile: Hostile) -> dict[str, int]:
    run = hostile.instance.run_file
    dsn = psycopg.conninfo.conninfo_to_dict(hostile.instance.admin_dsn)
    return {"database": int(dsn["port"] or 0), "door": urlsplit(run.url).port or 0}


@needs_own_network
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "127.1.2.3", "0.0.0.0", "10.0.2.2"])
@pytest.mark.parametrize("what", ["database", "door"])
def test_a_port_of_this_machine(hostile: Hostile, what: str, host: str) -> None:
    tried = hostile.attempt(_CONNECT, host=host, port=ports(hostile)[what])
    assert tried.get("error") in {"ConnectionRefusedError", "OSError"}, tried


@needs_own_network
def test_other_addresses_of_this_machine(hostile: Hostile) -> None:
    for address in own_addresses():
        tried = hostile.attempt(_CONNECT, host=address, port=ports(hostile)["door"])
        assert tried.get("text", "").endswith(NO_WAY), tried


@needs_own_network
@pytest.mark.parametrize("host", ["169.254.169.254", "169.254.0.1"])
def test_an_address_that_is_link_local(hostile: Hostile, host: str) -> None:
    # There may be nobody at that address here: the route itself has to be closed.
    tried = hostile.attempt(_CONNECT, host=host, port=80)
    assert tried.get("text", "").endswith(NO_WAY), tried


@needs_bubblewrap
def test_the_socket_of_the_database(hostile: Hostile) -> None:
    folder = hostile.instance.data_dir / "postgres" / "run"
    path = str(folder / f".s.PGSQL.{ports(hostile)['database']}")
    code = "import socket; socket.socket(socket.AF_UNIX).connect(path); found = 'connected'"
    assert hostile.attempt(code, path=path).get("error") == "FileNotFoundError"


@needs_own_network
def test_a_socket_without_a_file(hostile: Hostile) -> None:
    code = "found = [l.split()[-1] for l in open('/proc/net/unix') if '@' in l]"
    assert hostile.attempt(code) == {"found": []}


@needs_bubblewrap
def test_anybody_where_the_network_is_off(hostile: Hostile) -> None:
    hostile.instance.qm_json("origin", "sandbox", "hostile", "--network", "none", "--yes")
    code = "import os; found = os.listdir('/sys/class/net') if os.path.exists('/sys') else []"
    assert hostile.attempt(code) == {"found": []}
    tried = hostile.attempt(_CONNECT, host="192.0.2.1", port=80)
    assert tried.get("text", "").endswith(NO_WAY), tried
    hostile.instance.qm_json("origin", "sandbox", "hostile", "--network", "internet", "--yes")


@needs_own_network
def test_the_internet_is_there(hostile: Hostile) -> None:
    """What is its own has to work: a name of the machine's own resolver is asked for."""
    code = "found = open('/etc/resolv.conf').read() and open('/proc/net/route').read()"
    assert "tap0" in hostile.attempt(code)["found"]
