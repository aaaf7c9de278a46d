"""An ordinary user runs all of it: own home, own data directory, no help from root."""

from __future__ import annotations

import os
import pwd
import shutil
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.support.instance import Instance, new_instance
from tests.support.model import cached_model_dir

pytestmark = [
    pytest.mark.install,
    pytest.mark.slow,
    pytest.mark.root_only,
    pytest.mark.skipif(os.geteuid() != 0, reason="all tests of this run are by an ordinary user"),
]

USER = pwd.getpwnam("nobody")
BECOME = ["setpriv", f"--reuid={USER.pw_uid}", f"--regid={USER.pw_gid}", "--clear-groups"]


@pytest.fixture
def home() -> Generator[Path]:
    """Of the user, with the model in the place of converted ones; nothing else to begin with."""
    folder = Path(tempfile.mkdtemp(prefix="qm-home-"))
    models = folder / ".local/share/quartermaster/runtime/models"
    # Converting needs a download, which other tests have made.
    shutil.copytree(cached_model_dir(), models / cached_model_dir().name)
    for path in (folder, *folder.rglob("*")):
        os.chown(path, USER.pw_uid, USER.pw_gid)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def instance(home: Path, qm_of_wheels: Path) -> Generator[Instance]:
    with new_instance(qm=[*BECOME, qm_of_wheels]) as instance:
        instance.environment |= {"HOME": str(home), "USER": USER.pw_name}
        # The defaults are to be used.
        for name in ("QM_DATA_DIR", "QM_RUNTIME_DIR", "XDG_DATA_HOME"):
            instance.environment.pop(name, None)
        instance.data_dir = home / ".local/share/quartermaster"
        yield instance


def test_an_ordinary_user_starts_it_searches_and_stops_it(
    instance: Instance, tmp_path: Path
) -> None:
    instance.start()
    run = instance.run_file
    for pid in (run.pid, *instance.server_pids()):
        assert Path(f"/proc/{pid}").stat().st_uid == USER.pw_uid
    file = instance.data_dir / "tools.jsonl"
    file.write_text('{"origin": "socks", "name": "mend", "description": "Mends socks"}\n')
    assert instance.qm_json("import", file)["tools"] == {"added": 1}
    selected = instance.qm(
        "psql", "--admin", "-At", "-c", "select name from select_tools('mend my socks')"
    )
    assert selected.stdout == "socks__mend\n"
    assert instance.qm_json("search", "mend my socks")["tools"][0]["name"] == "socks__mend"
    assert instance.qm_json("doctor")["problems"] == []
    assert instance.stop() == 0
    assert not instance.server_pids()
    file.unlink()
    assert {path.lstat().st_uid for path in instance.data_dir.rglob("*")} == {USER.pw_uid}
