"""Root starts the service, and a user of its own runs it."""

from __future__ import annotations

import os
import pwd
import shutil
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.support.canary import canary
from tests.support.instance import Instance, new_instance
from tests.support.model import cached_model_dir

pytestmark = [
    pytest.mark.install,
    pytest.mark.slow,
    pytest.mark.root_only,
    pytest.mark.skipif(os.geteuid() != 0, reason="all tests of this run are by an ordinary user"),
]


@pytest.fixture(scope="module")
def place() -> Generator[Path]:
    """Open to everybody, as pytest's own folders are not."""
    folder = Path(tempfile.mkdtemp(prefix="qm-open-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def instance(qm_of_wheels: Path, place: Path) -> Generator[Instance]:
    runtime = Path(tempfile.mkdtemp(prefix="runtime-", dir=place))
    runtime.chmod(0o755)
    shutil.copytree(cached_model_dir(), runtime / "models" / cached_model_dir().name)
    with new_instance(qm=[qm_of_wheels]) as instance:
        instance.environment["QM_RUNTIME_DIR"] = str(runtime)
        yield instance


def _give(folder: Path, name: str) -> None:
    user = pwd.getpwnam(name)
    for path in (folder, *folder.rglob("*")):
        os.chown(path, user.pw_uid, user.pw_gid, follow_symlinks=False)


def _users(instance: Instance) -> set[int]:
    pids = (instance.run_file.pid, *instance.server_pids())
    return {Path(f"/proc/{pid}").stat().st_uid for pid in pids}


def test_a_new_service_runs_as_a_user_of_its_own_and_root_administers_it(
    instance: Instance,
) -> None:
    _give(Path(instance.environment["QM_RUNTIME_DIR"]), "quartermaster")
    instance.start()
    own = pwd.getpwnam("quartermaster").pw_uid
    assert _users(instance) == {own}, instance.stdout
    assert instance.qm("secret", "set", "weather/KEY", stdin=canary() + "\n").returncode == 0
    assert instance.qm_json("doctor")["runs_as_root"] is None
    assert {path.lstat().st_uid for path in instance.data_dir.rglob("*")} == {own}
    assert "weather/KEY" in instance.qm_json("secret", "list")


def test_root_runs_it_where_the_user_cannot_write_and_the_reason_is_said(
    instance: Instance,
) -> None:
    runtime = Path(instance.environment["QM_RUNTIME_DIR"])
    instance.start()
    assert 0 in _users(instance)
    assert f"cannot write to {runtime}" in " ".join(instance.stdout.split())
    assert "QM_RUNTIME_DIR" in instance.qm_json("doctor")["runs_as_root"]
    _give(runtime, "quartermaster")
    assert "chown -R quartermaster:" in instance.qm_json("doctor")["runs_as_root"]
    assert instance.qm("secret", "set", "weather/KEY", stdin=canary() + "\n").returncode == 0
    assert instance.stop() == 0
    _give(instance.data_dir, "quartermaster")
    # The second start finds its data directory, and reads what root has written.
    instance.start()
    assert _users(instance) == {pwd.getpwnam("quartermaster").pw_uid}
    assert "weather/KEY" in instance.qm_json("secret", "list")
