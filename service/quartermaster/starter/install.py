"""Installs each starter upstream into its own environment below the data directory.

The lock files of a starter pin each package with its hashes. A package with another hash is
refused, and so is a package that would run its own code during the installation.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, cast

from quartermaster import api
from quartermaster.core.locks import exclusive
from quartermaster.core.logs import get_logger, mask
from quartermaster.core.paths import write_private
from quartermaster.core.reaped import reaped
from quartermaster.core.registries import PATIENCE, is_unreachable
from quartermaster.core.shell import installer_environment
from quartermaster.db import LOCAL_PRINCIPAL
from quartermaster.secrets.store import SecretStore
from quartermaster.service import Service
from quartermaster.starter.catalog import Registry, Starter, load_starters
from quartermaster.upstream.confinement import (
    SYSTEM_PATH,
    can_run,
    confinement,
    home_of,
)

_WITHIN_S: Final = 600
_MARKER: Final = "installed.json"
_OF_NPM: Final = "npm error "
_REGISTRIES: Final[dict[Registry, str]] = {"pypi": "PyPI", "npm": "the npm registry"}
Done = Callable[["StarterResult"], None]
_REGISTRY_FILE = "starters.json"


@dataclass(frozen=True, slots=True)
class StarterResult:
    """The result of installing a starter upstream.

    Attributes:
        name: name of the origin.
        status: ``ready`` (already installed), ``installed`` (newly) or ``skipped``.
        reason: why the starter was skipped.
        remedy: command that the user can enter if the starter was skipped.
        command: program and arguments; empty if it was skipped.
        env: environment variables for the program.
        folders: folders that the program must be able to read.
        network: network that the program needs.
    """

    name: str
    description: str
    status: Literal["ready", "installed", "skipped"]
    reason: str | None = None
    remedy: str | None = None
    transport: Literal["stdio"] = "stdio"
    command: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    folders: tuple[str, ...] = ()
    network: Literal["none", "internet"] = "none"


class _NotAvailableError(Exception):
    """A starter cannot be installed on this machine; the message says why."""

    def __init__(self, reason: str, remedy: str = "qm up") -> None:
        super().__init__(reason)
        self.remedy = remedy


class Installer:
    """Installs the missing starter upstreams.

    Starters of the same package registry are installed one after the other; different registries
    are used at the same time. A registry that cannot be reached is asked only once, so that it does
    not delay the other starters. An interrupted installation is started again from scratch. A
    starter that cannot be installed is skipped.

    Args:
        data_dir: directory with the homes of the upstreams.
        environments: folder for the packages; default: ``DATA_DIR/upstreams``.
    """

    def __init__(self, data_dir: Path, environments: Path | None = None) -> None:
        self._data_dir = data_dir.absolute()
        self._root = (environments or self._data_dir / "upstreams").absolute()
        self._deadline = time.monotonic() + _WITHIN_S
        self._unreachable: dict[Registry, _NotAvailableError] = {}
        self._processes: set[subprocess.Popen[str]] = set()
        self._starting = threading.Lock()
        self._is_stopped = False

    def install(
        self, done: Done = lambda _: None, *, only: Sequence[str] | None = None
    ) -> list[StarterResult]:
        """Installs the missing starters. This takes at most ten minutes; starters that are not
        installed by then are skipped.

        Args:
            done: function that receives each result as soon as it is known; several threads call
                it.
            only: names of the requested starters; default: all.

        Returns:
            One result for each requested starter, in the order of `starter.json`.
        """
        wanted = [one for one in load_starters() if only is None or one.name in only]
        results: dict[str, StarterResult] = {}

        def install_from(registry: Registry) -> None:
            for starter in wanted:
                if starter.registry == registry:
                    results[starter.name] = self._install_one(starter)
                    done(results[starter.name])

        with ThreadPoolExecutor(len(_REGISTRIES), thread_name_prefix="starter") as pool:
            list(pool.map(install_from, _REGISTRIES))
        return [results[starter.name] for starter in wanted]

    def stop(self) -> None:
        """Ends the running installations, and skips the starters that are not installed yet."""
        with self._starting:
            self._is_stopped = True
            for process in self._processes:
                process.terminate()

    def _install_one(self, starter: Starter) -> StarterResult:
        home, folder = home_of(self._data_dir, starter.name), self._root / starter.name
        try:
            _require_confinement(starter)
            _write_files(starter, home)
            folder.parent.mkdir(parents=True, exist_ok=True)
            # Another process may be installing it.
            with exclusive(folder.parent / f"{starter.name}.lock"):
                is_new = not _is_installed(starter, folder)
                if is_new:
                    self._make(starter, folder)
            command = _command(starter, folder)
        except (_NotAvailableError, OSError) as error:
            reason = mask(str(error))
            get_logger().warning("starter_skipped", starter=starter.name, reason=reason)
            remedy = error.remedy if isinstance(error, _NotAvailableError) else "qm doctor"
            return StarterResult(starter.name, starter.description, "skipped", reason, remedy)
        return StarterResult(
            starter.name,
            starter.description,
            "installed" if is_new else "ready",
            command=(*command, *(_filled(argument, home) for argument in starter.arguments)),
            env={name: _filled(value, home) for name, value in starter.env.items()},
            folders=(str(folder.resolve()),),
            network=starter.network,
        )

    def _make(self, starter: Starter, folder: Path) -> None:
        """Installs a starter from scratch. Writes the marker file last, because it marks a complete
        installation.
        """
        shutil.rmtree(folder, ignore_errors=True)
        if known := self._unreachable.get(starter.registry):
            raise known
        folder.mkdir(parents=True)
        # A server may run as a user of its own.
        folder.parent.chmod(0o755)
        folder.chmod(0o755)
        if starter.registry == "pypi":
            self._run([_python(), "-m", "venv", "--without-pip", str(folder)], starter)
            # Our own pip is used, which is faster and smaller than a pip in each environment.
            pip = [sys.executable, "-m", "pip", "--python", str(folder / "bin" / "python")]
            (lock,) = starter.locks
            # The lock is complete. With --no-deps, newer releases change nothing.
            safely = ["--no-deps", "--require-hashes", "--only-binary", ":all:"]
            quietly = ["--disable-pip-version-check", "install", "--quiet", "--no-input"]
            self._run([*pip, *quietly, *safely, "--requirement", str(lock)], starter)
        else:
            for lock in starter.locks:
                shutil.copy(lock, folder)
            # On a path with a symbolic link, npm finds no lock.
            prefix = ["--prefix", str(folder.resolve())]
            npm = [_found("npm"), "ci", *prefix, "--no-audit", "--no-fund"]
            # A configuration file may say otherwise.
            npm += ["--global=false", "--omit=dev", "--include=prod"]
            self._run([*npm, "--ignore-scripts", "--loglevel=error"], starter)
        (folder / _MARKER).write_text(json.dumps(_pin(starter)), encoding="utf-8")

    def _run(self, command: list[str], starter: Starter) -> None:
        program = Path(command[0]).name
        with self._starting:
            if self._is_stopped:
                raise _NotAvailableError("the service stops")
            process = subprocess.Popen(
                reaped(command),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
                errors="replace",
                env={**PATIENCE, **installer_environment(), "npm_config_update_notifier": "false"},
                umask=0o022,
            )
            self._processes.add(process)
        with process:
            try:
                _, said = process.communicate(timeout=max(0, self._deadline - time.monotonic()))
            except subprocess.TimeoutExpired as error:
                process.terminate()
                limit = f"{_WITHIN_S} s"
                raise _NotAvailableError(f"installing took more than {limit}") from error
            finally:
                with self._starting:
                    self._processes.discard(process)
        if process.returncode == 0:
            return
        if is_unreachable(said):
            where = _REGISTRIES[starter.registry]
            failure = _NotAvailableError(f"no network: {where} cannot be reached")
            self._unreachable[starter.registry] = failure
            raise failure
        status = f"status {process.returncode}"
        raise _NotAvailableError(f"{program} failed with {status}: {_reason(said)}")


def _reason(said: str) -> str:
    """Returns the line of the output that gives the error: the first line for npm, the last line
    for pip.
    """
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    of_npm = [line for line in lines if line.startswith(_OF_NPM) and " code " not in line]
    last = [line for line in lines if not line.startswith("WARNING")][-1:]
    return ([*of_npm[:1], *last] or ["no message"])[0].removeprefix(_OF_NPM)[:300]


def _require_confinement(starter: Starter) -> None:
    found = confinement()
    if starter.network == "internet" and not found.has_own_network:
        # Landlock has no network of its own, whatever is installed.
        helps = found.kind == "bwrap" and shutil.which("slirp4netns") is None
        remedy = _installing("slirp4netns", "qm doctor") if helps else "qm doctor"
        raise _NotAvailableError("it would share this machine's network", remedy)
    if starter.registry == "pypi" and found.python is None:
        raise _NotAvailableError(found.tried[-1].said, "qm doctor")


def _python() -> str:
    """Returns the Python interpreter that confined servers can run. The caller must have called
    `_require_confinement`.
    """
    return confinement().python or sys.executable


def _filled(value: str, home: Path) -> str:
    return value.replace("{home}", str(home))


def _write_files(starter: Starter, home: Path) -> None:
    """Writes the files of a starter into folders of its home that do not exist yet. Existing
    folders are left alone, because the starter may have created links to any file in them.
    """
    new = [name for name in starter.files if not os.path.lexists(home / Path(name).parts[0])]
    for name in new:
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(starter.files[name], encoding="utf-8")


def _pin(starter: Starter) -> dict[str, str]:
    # The version matters, because environments break when the interpreter's version changes.
    interpreter = _version(_python()) if starter.registry == "pypi" else ""
    locked = hashlib.sha256(b"".join(path.read_bytes() for path in starter.locks)).hexdigest()
    return {"package": starter.package, "locked": locked, "python": interpreter}


@cache
def _version(python: str) -> str:
    if python == sys.executable:
        return sys.version.split()[0]
    done = subprocess.run([python, "-VV"], capture_output=True, text=True, check=True)
    return f"{python}: {done.stdout.split()[1]}"


def _is_installed(starter: Starter, folder: Path) -> bool:
    try:
        found = json.loads((folder / _MARKER).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    # The interpreter to which a virtual environment points may have been removed.
    is_runnable = starter.registry == "npm" or (folder / "bin" / "python").exists()
    return found == _pin(starter) and is_runnable


def _command(starter: Starter, folder: Path) -> tuple[str, ...]:
    if starter.registry == "pypi":
        return (str(folder / "bin" / starter.program),)
    package = folder / "node_modules" / starter.package
    manifest: Any = json.loads((package / "package.json").read_text(encoding="utf-8"))
    programs = cast("dict[str, str]", manifest["bin"])
    # Node runs the program directly. Unlike npx, this needs no extra process and downloads nothing.
    return (_node(), str((package / programs[starter.program]).resolve()))


def _node() -> str:
    for path in (_found("node"), shutil.which("node", path=SYSTEM_PATH)):
        if path and can_run(path, "--version"):
            return path
    raise _NotAvailableError("servers cannot run the Node.js of this user", _installing("nodejs"))


def _found(program: str) -> str:
    if path := shutil.which(program):
        return path
    raise _NotAvailableError(f"{program} (Node.js) is not installed", _installing("npm"))


def _installing(package: str, otherwise: str = "qm up") -> str:
    """Returns the command with which this machine installs a system package."""
    if not shutil.which("apt-get"):
        return otherwise
    return f"{'' if os.geteuid() == 0 else 'sudo '}apt-get install {package}"


def former_starters(data_dir: Path) -> list[str]:
    """Returns the names of registered servers that are no longer starters. Removes the names from
    the record, so that they are returned only once. The servers stay registered.
    """
    path = data_dir / _REGISTRY_FILE
    known = _known(path)
    former = sorted(known.keys() - {starter.name for starter in load_starters()})
    if former:
        retained = {name: command for name, command in known.items() if name not in former}
        write_private(path, json.dumps(retained, indent=2) + "\n")
    return former


def unregistered_starters(data_dir: Path) -> list[str]:
    """Returns the names of the starters that were never added and still have to be installed."""
    known = _known(data_dir / _REGISTRY_FILE)
    return [starter.name for starter in load_starters() if starter.name not in known]


async def register_starter(service: Service, result: StarterResult) -> bool:
    """Adds a starter to the catalog if it is new or its command has changed since it was added.

    Registered starters are recorded in the data directory, so a starter that somebody removed from
    the catalog is not added again. The database also refuses a starter that the user has replaced,
    and a starter whose server the user has already added.

    Returns:
        Whether the origin was added or replaced. If so, its first refresh is pending.
    """
    path = service.data_dir / _REGISTRY_FILE
    if result.status == "skipped" or _known(path).get(result.name) == list(result.command):
        return False
    definition = starter_definition(result, SecretStore(service.data_dir))
    # Only an administrator chooses programs.
    local = await service.database.find_principal(LOCAL_PRINCIPAL)
    is_added = await service.database.call_value(api.add_origin(**definition), local) is not None
    # Read again, because another starter may have been registered meanwhile.
    known = _known(path) | {result.name: list(result.command)}
    write_private(path, json.dumps(known, indent=2) + "\n")
    return is_added


def _known(path: Path) -> dict[str, list[str]]:
    return json.loads(path.read_text()) if path.exists() else {}


def starter_definition(result: StarterResult, secrets: SecretStore) -> dict[str, Any]:
    """Returns the arguments of api.add_origin for an installed starter.

    Args:
        result: the installed starter.
        secrets: secret store for the values of the starter's environment variables.
    """
    return {
        "name": result.name,
        "transport": result.transport,
        "command": list(result.command),
        "description": result.description,
        "environment": {
            name: secrets.put(f"{result.name}/{name}", value) for name, value in result.env.items()
        },
        "sandbox": {
            "folders": [{"path": path} for path in result.folders],
            "network": result.network,
        },
        "is_starter": True,
    }
