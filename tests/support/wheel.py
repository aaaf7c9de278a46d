"""The wheels, built, and installed where of the checkout only third-party packages are seen."""

from __future__ import annotations

import atexit
import os
import pwd
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

from quartermaster import DISTRIBUTION, __version__
from tests.support.database import ROOT
from tests.support.machine_root import build_root

KINDS = sorted(path.parent for path in ROOT.glob("kinds/*/pyproject.toml"))
"""The folders of the kinds that have a wheel of their own."""


def build_wheels(folder: Path) -> None:
    """Builds those of the core and of all kinds, as ``make wheel`` does."""
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check"]
    build += ["--no-deps", "--no-build-isolation", "--wheel-dir", str(folder)]
    _run([*build, *map(str, [ROOT, *KINDS])])


def install_wheels(
    wheels: Sequence[Path], venv: Path, python: Path, absent: Collection[str] = ()
) -> Path:
    """Installs them into a new environment that borrows third-party packages from ours.

    Args:
        wheels: what to install.
        venv: made by this.
        python: interpreter of the environment, of the same version as ours.
        absent: modules of third-party packages that cannot be imported there.

    Returns:
        The program `qm`.
    """
    _run([str(python), "-m", "venv", "--without-pip", str(venv)])
    inside = str(venv / "bin" / "python")
    pip = [sys.executable, "-m", "pip", "--python", inside, "--disable-pip-version-check"]
    _run([*pip, "install", "--quiet", "--no-deps", "--no-index", *map(str, wheels)])
    [site] = venv.glob("lib/python*/site-packages")
    # A line of a .pth file adds a folder, but does not follow the .pth files in there: our own
    # editable installations stay unseen. Those of kinds would be found by their metadata.
    (site / "borrowed.pth").write_text(
        f"{borrowed_packages()}\nimport sys; sys.modules.update(dict.fromkeys({list(absent)}))\n"
    )
    for kind in KINDS:
        hiding = f"{DISTRIBUTION}_{kind.name}-{__version__}.dist-info"
        (site / hiding).mkdir(exist_ok=True)
    found = _run([inside, "-c", "import quartermaster; print(quartermaster.__file__)"])
    assert Path(found.strip()).is_relative_to(site), found
    return venv / "bin" / "qm"


def modules_of_kinds() -> set[str]:
    """Returns the modules of third-party packages that kinds need, and the core does not."""
    packages = set[str]().union(*map(_needed, KINDS)) - _needed(ROOT)
    return {
        module
        for module, distributions in packages_distributions().items()
        if packages & {name.lower() for name in distributions}
    }


def _needed(folder: Path) -> set[str]:
    project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = {re.split(r"[^\w.-]", each)[0] for each in project["dependencies"]}
    return {name for name in names if not name.startswith(DISTRIBUTION)}


def install_tool(installer: str, wheels: Sequence[Path], folder: Path, python: Path) -> Path:
    """Installs them with their packages, as the README says, in the versions that `make lock` has
    pinned.

    Args:
        installer: ``pipx`` or ``uv``.
        wheels: what to install; first that of the core.
        folder: where the environment is made.
        python: interpreter of the environment.

    Returns:
        The program `qm`.
    """
    programs = folder / "bin"
    cache = Path(os.environ.get("QM_TEST_CACHE", ROOT / "build")) / "uv"
    places = {"PIPX_HOME": folder / "pipx", "PIPX_BIN_DIR": programs, "UV_CACHE_DIR": cache}
    places |= {"UV_TOOL_DIR": folder / "tools", "UV_TOOL_BIN_DIR": programs}
    places |= {"UV_CONSTRAINT": ROOT / "requirements" / "runtime.txt"}
    environment = os.environ | {name: str(path) for name, path in places.items()}
    own = str(Path(sys.executable).with_name(installer))
    core, *kinds = map(str, wheels)
    if installer == "uv":
        further = [word for kind in kinds for word in ("--with", kind)]
        _run([own, "tool", "install", "--python", str(python), core, *further], environment)
    else:
        _run([own, "install", "--python", str(python), core], environment)
        _run([own, "inject", DISTRIBUTION, *kinds], environment)
    return programs / "qm"


def borrowed_packages() -> Path:
    """Returns the folder of the third-party packages, which everybody can read: ours, or a copy."""
    return for_everybody(Path(sysconfig.get_path("purelib")))


@cache
def for_everybody(folder: Path) -> Path:
    """Returns a folder with Python modules, or a copy of it where an ordinary user cannot
    read it.
    """
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
    """Returns an interpreter of our version that an ordinary user can run, and that finds our
    packages.

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
