"""What a program can do where tools are tried out."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from quartermaster.catalog import sandbox
from quartermaster.catalog.sandbox import Sandboxed, sandboxed
from quartermaster.upstream.spec import OriginSpec

needs_bubblewrap = pytest.mark.skipif(
    sandbox.bubblewrap() is None, reason="bubblewrap is not there, or may not make namespaces"
)


def python(code: str, **given: str) -> OriginSpec:
    return OriginSpec(1, "o", "stdio", (sys.executable, "-c", code), env=given)


def run(tried: Sandboxed) -> subprocess.CompletedProcess[str]:
    env = {"PATH": "/usr/bin:/bin", **tried.spec.env}
    return subprocess.run(tried.spec.command, env=env, capture_output=True, text=True, timeout=30)


@needs_bubblewrap
@pytest.mark.parametrize(
    "attempt",
    [
        "import socket; socket.create_connection(('127.0.0.1', int(e['PORT'])), 5)",
        "open(e['PLACE'] + '/new', 'w')",
        "open(e['PLACE'] + '/data/secrets.json').read(1)",
        "open(e['PLACE'] + '/data/postgres/rows').read(1)",
        "os.kill(int(e['PID']), 0)",
        "os.chroot('/usr')",
    ],
    ids=["network", "writing", "secrets", "database", "processes", "privileges"],
)
def test_what_is_cut_off(attempt: str, tmp_path: Path) -> None:
    (tmp_path / "data" / "postgres").mkdir(parents=True)
    for name in ("secrets.json", "postgres/rows"):
        (tmp_path / "data" / name).write_text("secret")
    with socket.create_server(("127.0.0.1", 0)) as server:
        given = {"PORT": str(server.getsockname()[1]), "PID": str(os.getpid())}
        code = f"import os; e = os.environ; {attempt}"
        with sandboxed(python(code, PLACE=str(tmp_path), **given), tmp_path / "data") as tried:
            assert tried.kind == "bwrap"
            done = run(tried)
    assert (done.returncode, "Error" in done.stderr) == (1, True), done
    assert not (tmp_path / "new").exists()


@needs_bubblewrap
def test_a_program_runs_in_a_home_that_is_thrown_away(tmp_path: Path) -> None:
    code = "import os; home = os.environ['HOME']; open(home + '/x', 'w'); print(home, os.getcwd())"
    with sandboxed(python(code), tmp_path) as tried:
        done = run(tried)
    assert done.returncode == 0, done.stderr
    home, cwd = done.stdout.split()
    assert not Path(home).exists()
    assert cwd == str(Path.cwd())


@pytest.mark.parametrize(
    "code",
    [
        "bytearray(3 * 2**30)",
        "import os; open(os.environ['HOME'] + '/x', 'wb').write(bytes(2**26))",
    ],
    ids=["memory", "file"],
)
def test_without_a_sandbox_there_are_limits(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox, "bubblewrap", lambda: None)
    with sandboxed(python(code), tmp_path) as tried:
        assert tried.kind == "limits"
        assert run(tried).returncode != 0
    with sandboxed(python("print(1)"), tmp_path) as tried:
        assert run(tried).stdout == "1\n"


def test_nothing_can_be_done_about_another_machine(tmp_path: Path) -> None:
    spec = OriginSpec(1, "o", "http", url="https://example.test/mcp")
    with sandboxed(spec, tmp_path) as tried:
        assert tried == Sandboxed(spec, "none")
