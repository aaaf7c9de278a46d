"""What people are told about what local servers can reach."""

from __future__ import annotations

from typing import Any

import pytest

from quartermaster.cli.grants import shared_network
from quartermaster.upstream.confinement import Confinement


@pytest.mark.parametrize(
    ("sandbox", "slirp", "report"),
    [
        ({}, None, True),
        ({"network": "internet"}, None, True),
        ({"network": "internet"}, "/usr/bin/slirp4netns", False),
        ({"network": "none"}, None, False),
        # This was granted, and is told as a grant.
        ({"network": "host"}, None, False),
    ],
)
def test_a_server_that_shares_the_network_of_the_machine_is_told(
    sandbox: dict[str, Any], slirp: str | None, report: bool, monkeypatch: pytest.MonkeyPatch
):
    offered = Confinement("bwrap", "/usr/bin/bwrap", slirp)
    monkeypatch.setattr("quartermaster.upstream.confinement.confinement", lambda: offered)
    assert bool(shared_network(sandbox)) == report
