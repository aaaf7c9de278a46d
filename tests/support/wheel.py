"""The wheel, built and installed where nothing of the checkout is seen but third-party packages."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from tests.support.database import ROOT


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


def borrowed_packages() -> Path:
    """The folder of the third-party packages."""
    return Path(sysconfig.get_path("purelib"))


@cache
def python_for_everybody() -> Path | None:
    """An interpreter of our version that an ordinary user can run, and that finds our packages.

    Where there is none, because ours lies in a closed home, it is copied to an open folder.
    """
    user = pwd.getpwnam("nobody")
    version = "{}.{}".format(*sys.version_info[:2])
    for python in (Path(sys.executable).resolve(), Path(f"/usr/bin/python{version}")):
        probe = [str(python), "-c", "import numpy, psycopg"]
        environment = {"PYTHONPATH": str(borrowed_packages()), "PATH": os.environ["PATH"]}
        try:
            done = subprocess.run(
                probe,
                cwd="/",
                env=environment,
                capture_output=True,
                user=user.pw_uid,
                group=user.pw_gid,
                extra_groups=[],
            )
        except (FileNotFoundError, PermissionError):
            continue
        if done.returncode == 0:
            return python
    return None


def _run(command: Sequence[str]) -> str:
    done = subprocess.run(command, cwd="/", capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
