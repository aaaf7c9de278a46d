"""What a program can do where tools are tried out."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from quartermaster.catalog.sandbox import Sandboxed, sandboxed
from quartermaster.upstream.confinement import Confinement, Folder
from quartermaster.upstream.spec import OriginSpec
from tests.support.confined import needs_bubblewrap, profile_in, python, run


@needs_bubblewrap
@pytest.mark.parametrize(
    "attempt",
    [
        "import socket; socket.create_connection(('127.0.0.1', int(e['PORT'])), 5)",
        "open(e['PLACE'] + '/new', 'w')",
        "open(e['PLACE'] + '/data/secrets.json').read(1)",
        "os.kill(int(e['PID']), 0)",
        "os.chroot('/usr')",
    ],
    ids=["network", "writing", "secrets", "processes", "privileges"],
)
def test_what_is_cut_off(attempt: str, tmp_path: Path) -> None:
    place = tmp_path / "place"
    place.mkdir()
    place.chmod(0o777)
    data_dir = tmp_path / "data"
    data_dir.mkdir()
    (data_dir / "secrets.json").write_text("secret")
    profile = profile_in(data_dir, folders=(Folder(str(place), write=True),), network="host")
    with socket.create_server(("127.0.0.1", 0)) as server:
        given = {"PORT": str(server.getsockname()[1]), "PID": str(os.getpid()), "PLACE": str(place)}
        code = f"import os; e = os.environ; {attempt}"
        with sandboxed(python(code, profile, **given)) as tried:
            assert tried.kind == "bwrap"
            done = run(tried.spec)
    assert (done.returncode, "Error" in done.stderr) == (1, True), done
    assert not (place / "new").exists()


@needs_bubblewrap
@pytest.mark.skipif(os.geteuid() != 0, reason="only root may make a folder in /var/lib")
@pytest.mark.parametrize("place", ["/var/lib", "/var/tmp"])
def test_a_home_below_var_can_be_entered(place: str) -> None:
    # Data directories of root are there, and a folder of the sandbox is, too.
    with TemporaryDirectory(dir=place, ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        done = run(python("import os; print(os.getcwd())", profile_in(Path(folder))))
        assert (done.returncode, done.stdout.strip()) == (0, f"{folder}/homes/o"), done.stderr


def test_a_program_runs_in_a_home_that_is_thrown_away(tmp_path: Path) -> None:
    code = "import os; home = os.environ['HOME']; open(home + '/x', 'w'); print(home, os.getcwd())"
    with sandboxed(python(code, profile_in(tmp_path))) as tried:
        done = run(tried.spec)
    assert done.returncode == 0, done.stderr
    home, cwd = done.stdout.split()
    assert not Path(home).exists()
    assert cwd == home
    assert not (tmp_path / "homes").exists()


@pytest.mark.parametrize(
    "code",
    [
        "bytearray(3 * 2**30)",
        "import os; open(os.environ['HOME'] + '/x', 'wb').write(bytes(2**26))",
    ],
    ids=["memory", "file"],
)
def test_there_are_limits(code: str, tmp_path: Path) -> None:
    with sandboxed(python(code, profile_in(tmp_path))) as tried:
        assert run(tried.spec).returncode != 0
    with sandboxed(python("print(1)", profile_in(tmp_path))) as tried:
        assert run(tried.spec).stdout == "1\n"


def test_without_a_sandbox_only_the_limits_are_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("quartermaster.catalog.sandbox.confinement", lambda: Confinement("user"))
    with sandboxed(python("print(1)", profile_in(tmp_path))) as tried:
        assert tried.kind == "limits"


def test_nothing_can_be_done_about_another_machine() -> None:
    spec = OriginSpec(1, "o", "http", url="https://example.test/mcp")
    with sandboxed(spec) as tried:
        assert tried == Sandboxed(spec, "none")
