"""The wheel, built and installed where nothing of the checkout is seen but third-party packages."""

from __future__ import annotations

import atexit
import os
import pwd
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from tests.support.database import ROOT
from tests.support.machine_root import build_root


def build_wheel(folder: Path) -> Path:
    """Build it from a copy of what it is made of; nothing is written into the checkout."""
    source = folder / "source"
    source.mkdir()
    for name in ("service", "extensions", "migrations", "functions", "sql"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, source / name, ignore=ignored)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy2(ROOT / name, source)
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation"]
    _run([*build, "--outdir", str(folder), str(source)])
    shutil.rmtree(source)
    [wheel] = folder.glob("*.whl")
    return wheel


def install_wheel(wheel: Path, venv: Path, python: Path) -> Path:
    """Install it into a new environment that borrows third-party packages from ours.

    Args:
        wheel: what to install.
        venv: made by this.
        python: interpreter of the environment, of the same version as ours.

    Returns:
        The program `qm`.
    """
    _run([str(python), "-m", "venv", "--without-pip", str(venv)])
    inside = str(venv / "bin" / "python")
    pip = [sys.executable, "-m", "pip", "--python", inside, "--disable-pip-version-check"]
    _run([*pip, "install", "--quiet", "--no-deps", "--no-index", str(wheel)])
    [site] = venv.glob("lib/python*/site-packages")
    # A line of a .pth file adds a folder, but does not follow the .pth files in there: our own
    # editable installation stays unseen.
    (site / "borrowed.pth").write_text(f"{borrowed_packages()}\n")
    found = _run([inside, "-c", "import quartermaster; print(quartermaster.__file__)"])
    assert Path(found.strip()).is_relative_to(site), found
    return venv / "bin" / "qm"


def install_tool(installer: str, wheel: Path, folder: Path, python: Path) -> Path:
    """Install it with its packages, as a person would, in the versions that `make lock` has pinned.

    Args:
        installer: ``pipx`` or ``uv``.
        wheel: what to install.
        folder: where the environment is made.
        python: interpreter of the environment.

    Returns:
        The program `qm`.
    """
    programs = folder / "bin"
    words = ["tool", "install"] if installer == "uv" else ["install"]
    cache = Path(os.environ.get("QM_TEST_CACHE", ROOT / "build")) / "uv"
    places = {"PIPX_HOME": folder / "pipx", "PIPX_BIN_DIR": programs, "UV_CACHE_DIR": cache}
    places |= {"UV_TOOL_DIR": folder / "tools", "UV_TOOL_BIN_DIR": programs}
    places |= {"UV_CONSTRAINT": ROOT / "requirements" / "runtime.txt"}
    environment = os.environ | {name: str(path) for name, path in places.items()}
    own = str(Path(sys.executable).with_name(installer))
    _run([own, *words, "--python", str(python), str(wheel)], environment)
    return programs / "qm"


def borrowed_packages() -> Path:
    """The folder of the third-party packages, which everybody can read: ours, or a copy."""
    return for_everybody(Path(sysconfig.get_path("purelib")))


@cache
def for_everybody(folder: Path) -> Path:
    """A folder with Python modules, or a copy of it where an ordinary user cannot read it."""
    if _as_nobody("ls", str(folder)):
        return folder
    copy = _open_folder() / folder.name
    # Links cost nothing, but only where both folders are on one disk.
    linked = subprocess.run(["cp", "-al", folder, copy], capture_output=True)
    if linked.returncode != 0:
        shutil.rmtree(copy, ignore_errors=True)
        _run(["cp", "-a", str(folder), str(copy)])
    return copy


@cache
def python_for_everybody() -> Path:
    """An interpreter of our version that an ordinary user can run, and that finds our packages.

    Where ours lies in a closed home, it is Debian's, or a copy of that of a first start's machine.

    Raises:
        RuntimeError: if neither has our version.
    """
    version = "{}.{}".format(*sys.version_info[:2])
    ours = Path(sys.executable).resolve()
    for python in (ours, Path(f"/usr/bin/python{version}")):
        if _finds_packages(python):
            return python
    system = build_root() / "usr"
    folder = _open_folder() / "python"
    (folder / "bin").mkdir(parents=True)
    copy = folder / "bin" / f"python{version}"
    if (program := system / "bin" / copy.name).exists():
        shutil.copy2(program, copy)
        shutil.copytree(system / "lib" / copy.name, folder / "lib" / copy.name, symlinks=True)
    if not _finds_packages(copy):
        raise RuntimeError(
            f"Nobody but root can run {ours}, and no other Python {version} is here."
        )
    return copy


def _finds_packages(python: Path) -> bool:
    settings = f"PYTHONPATH={borrowed_packages()}"
    return _as_nobody("env", settings, str(python), "-c", "import numpy, psycopg")


def _as_nobody(*command: str) -> bool:
    user = pwd.getpwnam("nobody")
    identity = [f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]
    become = ["setpriv", *identity] if os.geteuid() == 0 else []
    done = subprocess.run([*become, *command], cwd="/", capture_output=True)
    return done.returncode == 0


@cache
def _open_folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="qm-for-everybody-"))
    folder.chmod(0o755)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _run(command: Sequence[str], environment: Mapping[str, str] | None = None) -> str:
    done = subprocess.run(command, cwd="/", env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
