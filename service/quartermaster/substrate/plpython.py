"""Prepares the interpreter library and the packages that PL/Python needs. The server embeds CPython
3.11. If a part is missing, this is reported, and the server runs without PL/Python.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import shutil
import sys
import sysconfig
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from quartermaster.core.locks import exclusive
from quartermaster.substrate.os_user import OsUser, can_read_tree, run_as

_LIBRARY: Final = "libpython3.11.so.1.0"
_PYTHON: Final = (3, 11)
# The packages that `import onnxruntime, tokenizers` loads. Their other requirements are for
# features that `embed()` does not use.
_PACKAGES: Final = ("numpy", "onnxruntime", "tokenizers")
_FOLDERS: Final = ("numpy", "numpy.libs", "onnxruntime", "tokenizers")


@dataclass(frozen=True, slots=True)
class PlPython:
    """The result of preparing PL/Python for a server.

    Attributes:
        env: environment variables for the server process, including its library path.
        missing: for each part that PL/Python lacks, a sentence with the reason.
    """

    env: dict[str, str]
    missing: tuple[str, ...]


def prepare(binaries: Path, runtime: Path, user: OsUser | None) -> PlPython:
    """Finds the packages that PL/Python imports, and copies them if the server's user cannot read
    them.

    Args:
        binaries: the unpacked PostgreSQL.
        runtime: folder for copies (about 150 MB, once for each set of versions).
        user: user that runs the server; None for the current user.
    """
    missing: list[str] = []
    env = _library_env(binaries, user)
    if env is None:
        # PostgreSQL's own libraries are always needed, because the wheel's ICU libraries are there.
        env = {"LD_LIBRARY_PATH": str(binaries / "lib")}
        missing.append(f"PL/Python: no {_LIBRARY} that the server's user can read")
    folders: list[Path] = []
    for find in (_own_package, _site_packages):
        found = find(runtime, user)
        if isinstance(found, Path):
            folders.append(found)
        else:
            missing.append(found)
    if folders:
        env["PYTHONPATH"] = ":".join(map(str, folders))
    # ONNX Runtime's wheels send telemetry over the network unless it is disabled.
    env["ORT_DISABLE_TELEMETRY"] = "1"
    # Without the first variable, an import would write byte code into folders of other users.
    env |= {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONNOUSERSITE": "1"}
    return PlPython(env, tuple(missing))


def _library_env(binaries: Path, user: OsUser | None) -> dict[str, str] | None:
    """Returns environment variables with which PL/Python's shared object can be loaded; None if it
    cannot be loaded.
    """
    own = binaries / "lib"
    interpreter = Path(sys.base_prefix)
    candidates = (
        {"LD_LIBRARY_PATH": str(own)},
        # If the shared library belongs to an interpreter in another folder, the standard library is
        # in that folder, too.
        {"LD_LIBRARY_PATH": f"{own}:{interpreter / 'lib'}", "PYTHONHOME": str(interpreter)},
    )
    for env in candidates:
        linked = run_as(user, ["/usr/bin/env", "ldd", own / "plpython3.so"], env).stdout
        if _LIBRARY in linked and "not found" not in linked:
            return env
    return None


def _site_packages(runtime: Path, user: OsUser | None) -> Path | str:
    """Returns a folder with numpy, onnxruntime and tokenizers, or the reason why there is no such
    folder.
    """
    if sys.implementation.name != "cpython" or sys.version_info[:2] != _PYTHON:
        running = ".".join(map(str, sys.version_info[:2]))
        return (
            f"embed() in SQL: it needs packages for CPython 3.11, but this process runs {running}"
        )
    site = Path(sysconfig.get_path("platlib"))
    folders = [site / name for name in _FOLDERS if (site / name).is_dir()]
    try:
        versions = [f"{name}=={importlib.metadata.version(name)}" for name in _PACKAGES]
    except importlib.metadata.PackageNotFoundError as error:
        return f"embed() in SQL: the package {error.name} is not installed"
    if all(can_read_tree(folder, user) for folder in folders):
        return site
    return _copy(folders, runtime, "\n".join(versions).encode())


def _own_package(runtime: Path, user: OsUser | None) -> Path | str:
    """Returns the folder with the package `quartermaster_db`, or the reason why there is no such
    folder.
    """
    package = Path(__file__).parents[1]
    for parent in (package / "database", package.parents[1]):
        folder = parent / "extensions" / "plpy"
        if (modules := folder / "quartermaster_db").is_dir():
            if can_read_tree(modules, user):
                return folder
            return _copy([modules], runtime, _content(modules))
    return f"functions in PL/Python: {package} lacks extensions/plpy/quartermaster_db"


def _content(folder: Path) -> bytes:
    files = sorted(
        path for path in folder.rglob("*") if path.is_file() and path.parent.name != "__pycache__"
    )
    return b"\0".join(bytes(path.relative_to(folder)) + b"\0" + path.read_bytes() for path in files)


def _copy(folders: Iterable[Path], runtime: Path, content: bytes) -> Path | str:
    """Copies folders once to a folder that everybody can read. The name of this folder depends on
    the content.
    """
    parent = runtime / "plpy"
    target = parent / hashlib.sha256(content).hexdigest()[:16]
    try:
        parent.mkdir(exist_ok=True)
        parent.chmod(0o755)
        with exclusive(parent / ".lock"):
            if target.is_dir():
                return target
            scratch = Path(tempfile.mkdtemp(prefix=".copy-", dir=parent))
            for folder in folders:
                shutil.copytree(
                    folder, scratch / folder.name, ignore=shutil.ignore_patterns("__pycache__")
                )
            for path in [scratch, *scratch.rglob("*")]:
                path.chmod(0o755 if path.is_dir() else 0o644)
            return scratch.rename(target)
    except OSError as error:
        return f"PL/Python: packages were not copied to {target}: {error.strerror}"
