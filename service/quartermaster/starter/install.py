"""Installs each starter upstream into its own environment below the data directory.

The lock files of a starter pin each package with its hashes. Packages whose hash differs, and
packages that would run code of their own during the installation, are refused.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, cast

from quartermaster.core.locks import exclusive
from quartermaster.core.logs import get_logger, mask
from quartermaster.core.paths import write_private
from quartermaster.core.reaped import reaped
from quartermaster.core.shell import installer_environment
from quartermaster.db import LOCAL
from quartermaster.secrets.store import SecretStore
from quartermaster.service import Service
from quartermaster.starter.catalog import Starter, load_starters
from quartermaster.upstream.confinement import home_of

_AT_ONCE: Final = 2
_INSTALL_TIMEOUT_S: Final = 600
_MARKER: Final = "installed.json"

Progress = Callable[[str, str], None]
_REGISTERED = "starters.json"


@dataclass(frozen=True, slots=True)
class StarterResult:
    """The outcome for one starter upstream.

    Attributes:
        name: name of the origin.
        status: ``ready`` (already installed), ``installed`` (newly) or ``skipped``.
        reason: reason why it was skipped.
        command: program and arguments; empty if it was skipped.
        env: environment variables for the program.
        folders: what the program must be able to read.
    """

    name: str
    description: str
    status: Literal["ready", "installed", "skipped"]
    reason: str | None = None
    transport: Literal["stdio"] = "stdio"
    command: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    folders: tuple[str, ...] = ()


class _NotAvailableError(Exception):
    """A starter cannot be installed here; the message says why."""


def install_starters(
    data_dir: Path,
    progress: Progress = lambda _name, _text: None,
    *,
    environments: Path | None = None,
    only: Sequence[str] | None = None,
) -> list[StarterResult]:
    """Installs the missing starter upstreams, two at a time.

    An interrupted installation is started again. A starter that cannot be installed is skipped.

    Args:
        data_dir: directory with the homes of the upstreams.
        progress: function that receives the name and a text, called from several threads.
        environments: folder for the packages; default: ``DATA_DIR/upstreams``.
        only: names of the requested starters; default: all.

    Returns:
        One result for each requested starter, in the order of `starter.json`.
    """
    data_dir = data_dir.absolute()
    root = (environments or data_dir / "upstreams").absolute()
    wanted = [one for one in load_starters() if only is None or one.name in only]

    def install(starter: Starter) -> StarterResult:
        return _install_one(starter, data_dir, root / starter.name, progress)

    with ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="starter") as pool:
        return list(pool.map(install, wanted))


def _install_one(starter: Starter, data_dir: Path, folder: Path, tell: Progress) -> StarterResult:
    home = home_of(data_dir, starter.name)
    try:
        _write_files(starter, home)
        folder.parent.mkdir(parents=True, exist_ok=True)
        # Another process may be installing it.
        with exclusive(folder.parent / f"{starter.name}.lock"):
            is_new = not _is_installed(starter, folder)
            if is_new:
                tell(starter.name, f"installing {starter.package} {starter.version}")
                _make(starter, folder)
        command = _command(starter, folder)
    except (_NotAvailableError, OSError) as error:
        reason = mask(str(error))
        get_logger().warning("starter_skipped", starter=starter.name, reason=reason)
        tell(starter.name, f"left out: {reason}")
        return StarterResult(starter.name, starter.description, "skipped", reason)
    tell(starter.name, "installed" if is_new else "ready")
    return StarterResult(
        starter.name,
        starter.description,
        "installed" if is_new else "ready",
        command=(*command, *(_filled(argument, home) for argument in starter.arguments)),
        env={name: _filled(value, home) for name, value in starter.env.items()},
        folders=(str(folder.resolve()),),
    )


def _filled(value: str, home: Path) -> str:
    return value.replace("{home}", str(home))


def _write_files(starter: Starter, home: Path) -> None:
    for name, text in starter.files.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            path.write_text(text, encoding="utf-8")


def _pin(starter: Starter) -> dict[str, str]:
    # The version matters, because environments break when the interpreter's version changes.
    interpreter = sys.version.split()[0] if starter.registry == "pypi" else ""
    locked = hashlib.sha256(b"".join(path.read_bytes() for path in starter.locks)).hexdigest()
    return {"package": starter.package, "locked": locked, "python": interpreter}


def _is_installed(starter: Starter, folder: Path) -> bool:
    try:
        found = json.loads((folder / _MARKER).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    # The interpreter to which a virtual environment points may have been removed.
    is_runnable = starter.registry == "npm" or (folder / "bin" / "python").exists()
    return found == _pin(starter) and is_runnable


def _make(starter: Starter, folder: Path) -> None:
    """Installs from scratch; writes the marker last, because it marks a complete installation."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    if starter.registry == "pypi":
        # Our own pip is used, which is faster and smaller than a pip in each environment.
        own_pip = importlib.util.find_spec("pip") is not None
        _run([sys.executable, "-m", "venv", *(["--without-pip"] * own_pip), str(folder)])
        python = str(folder / "bin" / "python")
        pip = (
            [sys.executable, "-m", "pip", "--python", python] if own_pip else [python, "-m", "pip"]
        )
        (lock,) = starter.locks
        # The lock is complete. With --no-deps, newer releases change nothing.
        safely = ["--no-deps", "--require-hashes", "--only-binary", ":all:"]
        quietly = ["--disable-pip-version-check", "install", "--quiet", "--no-input"]
        _run([*pip, *quietly, *safely, "--requirement", str(lock)])
    else:
        for lock in starter.locks:
            shutil.copy(lock, folder)
        npm = [_found("npm"), "ci", "--prefix", str(folder), "--no-audit", "--no-fund"]
        # A configuration file may say otherwise.
        npm += ["--global=false", "--omit=dev", "--include=prod"]
        _run([*npm, "--ignore-scripts", "--loglevel=error"])
    (folder / _MARKER).write_text(json.dumps(_pin(starter)), encoding="utf-8")


def _command(starter: Starter, folder: Path) -> tuple[str, ...]:
    if starter.registry == "pypi":
        return (str(folder / "bin" / starter.program),)
    package = folder / "node_modules" / starter.package
    manifest: Any = json.loads((package / "package.json").read_text(encoding="utf-8"))
    programs = cast("dict[str, str]", manifest["bin"])
    # Node runs the program directly. Unlike npx, this needs no extra process and downloads nothing.
    return (_found("node"), str((package / programs[starter.program]).resolve()))


def _found(program: str) -> str:
    if path := shutil.which(program):
        return path
    raise _NotAvailableError(f"{program} is not installed on this machine")


def _run(command: list[str]) -> None:
    environment = {**installer_environment(), "npm_config_update_notifier": "false"}
    try:
        done = subprocess.run(
            reaped(command),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            env=environment,
            timeout=_INSTALL_TIMEOUT_S,
        )
    except subprocess.TimeoutExpired as error:
        limit = f"{_INSTALL_TIMEOUT_S} s"
        raise _NotAvailableError(f"{Path(command[0]).name} took more than {limit}") from error
    if done.returncode != 0:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        said = f"status {done.returncode}: {lines[-1][:300] if lines else 'no message'}"
        raise _NotAvailableError(f"{Path(command[0]).name} failed with {said}")


def unregistered_starters(data_dir: Path) -> list[str]:
    """The names of the starters that were never added and still have to be installed."""
    known = _known(data_dir / _REGISTERED)
    return [starter.name for starter in load_starters() if starter.name not in known]


async def register_starters(service: Service, results: Sequence[StarterResult]) -> list[str]:
    """Adds the starters that are new or whose command has changed since they were added.

    Registered starters are recorded in the data directory, so a starter that was removed from the
    catalog is not added again.

    Returns:
        The names of the origins that were added or replaced; their first refresh is pending.
    """
    path = service.data_dir / _REGISTERED
    known = _known(path)
    added: list[str] = []
    for result in results:
        if result.status == "skipped" or known.get(result.name) == list(result.command):
            continue
        await _add(service, result)
        known[result.name] = list(result.command)
        added.append(result.name)
    if added:
        write_private(path, json.dumps(known, indent=2) + "\n")
    return added


def _known(path: Path) -> dict[str, list[str]]:
    return json.loads(path.read_text()) if path.exists() else {}


async def _add(service: Service, result: StarterResult) -> None:
    secrets = SecretStore(service.data_dir)
    # Only an administrator chooses programs.
    await service.database.call(
        "add_origin",
        await service.database.find_principal(LOCAL),
        name=result.name,
        transport=result.transport,
        command=list(result.command),
        description=result.description,
        environment={
            name: secrets.put(f"{result.name}/{name}", value) for name, value in result.env.items()
        },
        sandbox={"folders": [{"path": path} for path in result.folders]},
        replace=True,
    )
