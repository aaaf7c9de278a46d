"""An agent writes a method that does not exist, is told so, looks it up and mends it: with the
official client, and the same without any network. A bundle is loaded and asked without it, too.
"""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from kinds.knowledge.tests.libraries import PARCELS, install
from tests.support.callers import at_the_door
from tests.support.database import ROOT
from tests.support.instance import Instance, new_instance
from tests.support.reading import text_of

pytestmark = pytest.mark.anyio

_LOADED = Path(__file__).parents[1] / "service" / "test_environments.py"
_CODE = "import acme_parcels\n\n\ndef heavy(parcel: acme_parcels.Parcel) -> bool:\n"
_CAN_CUT = subprocess.run(["unshare", "--net", "true"], capture_output=True).returncode == 0
_IS_CUT = [name for _, name in socket.if_nameindex()] == ["lo"]


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with an environment that has one library."""
    root = tmp_path_factory.mktemp("project")
    folder = root / ".venv" / "lib" / "python3.12" / "site-packages"
    install(folder, "acme-parcels", "1.2", PARCELS)
    (root / ".venv" / "pyvenv.cfg").write_text("home = /usr/bin\nversion = 3.12\n")
    return root


@pytest.fixture(scope="module")
def instance(stopped_data_dir: Path, project: Path) -> Generator[Instance]:
    """A running Quartermaster that knows the project and its environment."""
    with new_instance(copy_of=stopped_data_dir) as running:
        running.start()
        running.qm_json("project", "add", project, "--name", "shop")
        running.qm_json("docs", "index", "--python", project / ".venv", "--project", "shop")
        yield running


async def call_sites(instance: Instance, code: str, project: Path) -> list[dict[str, Any]]:
    """Returns what the quality score says about the calls of a file."""
    (project / "heavy.py").write_text(code)
    async with at_the_door(instance, "quality") as client:
        asked = {"file_path": "heavy.py", "project": "shop"}
        answer = await client.call_tool("tapps_score_file", asked)
    assert not answer.is_error, text_of(answer)
    assert answer.structured_content is not None
    losses: list[dict[str, Any]] = answer.structured_content["losses"]
    return [each for each in losses if each["tool"] == "call_sites"]


@pytest.mark.skipif(_CAN_CUT and not _IS_CUT, reason="it is run without a network, below")
async def test_an_unknown_method_is_written_checked_and_mended(instance: Instance, project: Path):
    invented = f"{_CODE}    return parcel.weight() > 9000\n"
    [found] = await call_sites(instance, invented, project)
    assert (found["rule"], found["line"]) == ("missing-attribute", 5)
    async with at_the_door(instance) as client:
        asked = {"library": "acme_parcels", "topic": "weight of a parcel"}
        answer = await client.call_tool("tapps_lookup_docs", asked)
    assert answer.structured_content is not None
    methods = [each for each in answer.structured_content["symbols"] if each["kind"] == "method"]
    best = methods[0]["name"].rpartition(".")[2]
    assert await call_sites(instance, invented.replace("weight", best), project) == []


@pytest.mark.skipif(not _CAN_CUT, reason="only root may make a network namespace")
def test_the_same_in_a_network_namespace_without_interfaces():
    tests = (
        f"{__file__}::test_an_unknown_method_is_written_checked_and_mended",
        f"{_LOADED}::test_a_bundle_brings_packages_to_another_machine",
    )
    # The database and the service talk over loopback. There is no other interface.
    script = 'ip link set lo up && test "$(ip -o link | wc -l)" = 1 && exec "$@"'
    done = subprocess.run(
        ["unshare", "--net", "sh", "-c", script, "-", sys.executable, "-m", "pytest", "-q", *tests],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{len(tests)} passed" in done.stdout
