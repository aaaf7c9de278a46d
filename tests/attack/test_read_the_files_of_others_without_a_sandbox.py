"""Where bubblewrap does not work, a service that runs as root gives each server a user."""

from __future__ import annotations

import os
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path

import pytest

from quartermaster.core.errors import QmError
from quartermaster.upstream import confinement
from quartermaster.upstream.confinement import Confinement
from quartermaster.upstream.spec import OriginSpec
from tests.support.confined import profile_in, python, run
from tests.support.place import new_place

SYSTEM_PYTHON = "/usr/bin/python3"
as_root = pytest.mark.skipif(
    os.geteuid() != 0 or not Path(SYSTEM_PYTHON).exists(),
    reason="only root changes users, and the users need a Python that all may run",
)


@pytest.fixture
def data_dir(monkeypatch: pytest.MonkeyPatch) -> Generator[Path]:
    monkeypatch.setattr(confinement, "confinement", lambda: Confinement("user"))
    with new_place("qm-attack-") as folder:
        for name in ("run.json", "admin.json", "signing_key", "secrets.json"):
            (folder / name).write_text("secret")
            (folder / name).chmod(0o600)
        neighbour = folder / "homes" / "neighbour"
        neighbour.mkdir(parents=True, mode=0o700)
        os.chown(neighbour, 60600, 60600)
        (neighbour / "notes").write_text("private")
        yield folder


def spec(code: str, data_dir: Path) -> OriginSpec:
    program = python(f"import os, signal\n{code}", profile_in(data_dir), PATH="/usr/bin:/bin")
    return replace(program, command=(SYSTEM_PYTHON, *program.command[1:]))


@as_root
@pytest.mark.parametrize(
    "code",
    [
        "open('{data}/run.json')",
        "open('{data}/signing_key')",
        "open('{data}/secrets.json')",
        "open('{data}/homes/neighbour/notes')",
        "open('{data}/planted', 'w')",
        "os.listdir('{home}/.ssh')",
        "open('/proc/{pid}/environ').read()",
        "os.listdir('/proc/{pid}/fd')",
        "os.kill({pid}, 0)",
        "os.setuid(0)",
    ],
)
def test_what_belongs_to_others(data_dir: Path, code: str) -> None:
    done = run(spec(code.format(data=data_dir, pid=os.getpid(), home=Path.home()), data_dir))
    assert (done.returncode, "Permission" in done.stderr) == (1, True), done


@as_root
def test_what_is_its_own(data_dir: Path) -> None:
    done = run(spec("open('kept', 'w').write('x'); print(os.getuid(), os.getgroups())", data_dir))
    assert done.stdout == "60579 []\n", done
    assert (data_dir / "homes" / "o" / "kept").read_text() == "x"


def test_nothing_is_started_where_nothing_is_confined(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "quartermaster.upstream.stdio_transport.confinement", lambda: Confinement("none")
    )
    program = python("print('started')", profile_in(tmp_path))
    for refused in (program, replace(program, unconfined=os.geteuid() == 0)):
        with pytest.raises(QmError) as caught:
            run(refused)
        assert (caught.value.status, caught.value.slug) == (403, "upstream_unconfined")
        assert "upstream.unconfined" in caught.value.hint
