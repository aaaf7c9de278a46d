"""A running Quartermaster with the server of these tests, and the vendors' APIs beside it."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Generator
from pathlib import Path

import pytest

from clients.tests.vendors import Vendors, vendors_served
from tests.support.instance import Instance, new_instance


@pytest.fixture(scope="session")
def shop(stopped_data_dir: Path) -> Generator[Instance]:
    with new_instance(copy_of=stopped_data_dir) as instance:
        instance.start()
        server = Path(__file__).with_name("shop_server.py")
        command = shlex.join([sys.executable, str(server)])
        added = instance.qm("origin", "add", "shop", "--command", command, "--yes")
        assert "shop\tdone\t" in added.stdout, added.stdout + added.stderr
        yield instance


@pytest.fixture(scope="session")
def vendors() -> Generator[Vendors]:
    with vendors_served() as vendors:
        yield vendors
