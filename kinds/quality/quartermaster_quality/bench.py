"""Scans the files of projects and stores the findings."""

from __future__ import annotations

import hashlib
import hmac
import sys
from collections import Counter
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

import anyio
from anyio.lowlevel import RunVar
from cachetools import LRUCache

from quartermaster import api as core_api
from quartermaster.core.errors import QmError
from quartermaster.core.findings import Finding, Scan
from quartermaster.core.kind_packages import KindScanner, kind_packages
from quartermaster.core.logs import get_logger
from quartermaster.db import Principal
from quartermaster.projects.guard import Content, ProjectFileAccess
from quartermaster.projects.python_version import DEFAULT, python_version
from quartermaster.projects.threads import run_sync
from quartermaster.projects.worker_calls import WorkerError
from quartermaster.projects.workers import ProjectWorkers, close_readers, readers
from quartermaster.secrets.credentials import ServiceCredentials
from quartermaster.service import Service
from quartermaster_quality import api
from quartermaster_quality.config.validate import kind_of, validate
from quartermaster_quality.impact import ChangeType, Impact, touched, with_companions
from quartermaster_quality.mirrors import READERS, Mirrors
from quartermaster_quality.scanners.code import code_digest
from quartermaster_quality.scanners.concurrent_scan import Scanners, available, coverage_of
from quartermaster_quality.scanners.interface import ScanOptions, SourceFile
from quartermaster_quality.scanners.of_kinds import of_kinds

# The context tells whether there is anything to read.
_SKIPPED_BY_CONTEXT: Final = frozenset({"coverage"})
_MOST_FINDINGS: Final = 2_000
_MOST_REMEMBERED: Final = 5_000
# All Python files of a project are read the first time.
_INDEXING_S: Final = 60.0

log = get_logger(part="quality")


@dataclass(frozen=True)
class Project:
    """The facts about a project that `ProjectScanner` uses.

    Attributes:
        name: OWNER/NAME.
        guard: opens the files of the project.
        base_commit: the commit at which the session of the call began; None if it is unknown.
        environment: the folder of packages that was set for the project; None if none was set.
    """

    name: str
    guard: ProjectFileAccess
    base_commit: str | None = None
    environment: Path | None = None


@dataclass(frozen=True)
class Scanned:
    """A file that was scanned.

    Attributes:
        content: the file as it was read.
        reused: the scanners whose stored scans are still valid.
    """

    content: Content
    reused: frozenset[str]


@dataclass
class _Around:
    """Everything that the scans of a file depend on, except the bytes of the file.

    Attributes:
        hashes: maps the name of a scanner to a hash of everything that its scan depends on.
        extra: maps the name of a scanner to the additional data that the scanner gets.
    """

    hashes: dict[str, str] = field(default_factory=dict[str, str])
    extra: dict[str, Mapping[str, bytes]] = field(default_factory=dict[str, Mapping[str, bytes]])


class ProjectScanner:
    """Scans files of projects for one service.

    Args:
        service: the service.
        scanners: the scanners.

    Attributes:
        database: the database in which the scans are stored.
        scanners: the scanners.
        imported: maps the hash of a file to the modules that the file imports.
    """

    def __init__(self, service: Service, scanners: Scanners | None = None) -> None:
        self.database = service.database
        self._key = ServiceCredentials(service.data_dir).get("quality").encode()
        self.scanners = scanners or Scanners()
        self._mirrors = Mirrors(service.data_dir / "quality" / "mirrors")
        self.imported = LRUCache[str, set[str]](_MOST_REMEMBERED)
        self._versions = LRUCache[bytes, str](_MOST_REMEMBERED)
        # Each remembers the imports of a project.
        self._indexers = ProjectWorkers(is_restricted=True)

    async def aclose(self) -> None:
        """Stops all processes in which scanners run."""
        await self.scanners.aclose()
        await close_readers()
        await self._indexers.aclose()

    async def project(self, principal: Principal, arguments: Mapping[str, Any]) -> Project:
        """Returns the project to which a call applies.

        Args:
            principal: who calls.
            arguments: arguments of the call. ``project`` and ``session`` are used; without them, an
                absolute ``file_path``.

        Raises:
            QmError: QM404 project_not_found, QM409 project_ambiguous.
        """
        name: str | None = arguments.get("project")
        session: str | None = arguments.get("session")
        if name is None and session is None:
            name = await self._containing(principal, str(arguments.get("file_path", "")))
        row = await self.database.call_one(
            api.find_quality_project(project=name, session=session), principal
        )
        environment = row["environment"]
        return Project(
            row["project_name"],
            ProjectFileAccess(Path(row["root"])),
            row["base_commit"],
            None if environment is None else Path(environment),
        )

    async def _containing(self, principal: Principal, path: str) -> str | None:
        """Returns the project whose root contains an absolute path; None if there is no such
        project.
        """
        if not Path(path).is_absolute():
            return None
        rows = await self.database.call(core_api.list_projects(), principal)
        fitting = [row for row in rows if row["role"] and path.startswith(f"{row['root']}/")]
        if not fitting:
            return None
        nearest = max(fitting, key=lambda row: len(row["root"]))
        return f"{nearest['owner']}/{nearest['project']}"

    async def scan(
        self, principal: Principal, project: Project, path: str, names: Sequence[str]
    ) -> Scanned:
        """Scans a file, and stores the results. A stored scan that is still valid is used again.

        Args:
            principal: who asks.
            project: the project.
            path: path of the file, below the root or absolute.
            names: names of scanners.

        Raises:
            QmError: the errors of `ProjectFileAccess.read`, QM503 database_unavailable.
        """
        content = await run_sync(project.guard.read, path)
        return await self.scan_content(principal, project, content, names)

    async def scan_content(
        self,
        principal: Principal,
        project: Project,
        content: Content,
        names: Sequence[str],
        new_lines: Sequence[int] | None = None,
        since: Mapping[str, str] | None = None,
    ) -> Scanned:
        """Scans bytes that were read from a file, even if the file has changed since.

        Args:
            principal, project, names: see `scan`.
            content: the path of the file, and the bytes.
            new_lines: numbers of the new lines, whose coverage is measured separately.
            since: maps paths to the hashes of files in a commit. The files that differ will be
                scanned, too.

        Raises:
            QmError: see `scan`.
        """
        source = SourceFile(content.path, content.data)
        applying = self.scanners.applying(source, names)
        version = await self._python_version(project.guard)
        settings = ScanOptions(python_version=version, secret_key=self._key)
        around = await self._around(principal, project, content, applying, new_lines)
        config = _digest(code_digest().encode(), version.encode(), sys.version.encode())
        installed = available()
        keys = {
            name: _key(name, installed[name].version, config, around.hashes.get(name, ""))
            for name in applying
        }
        where = {"path": content.path, "blob_hash": content.blob_hash, "project": project.name}
        wanted_keys = [
            {**key, "also_skipped": name in _SKIPPED_BY_CONTEXT} for name, key in keys.items()
        ]
        rows = await self.database.call(api.reuse_scans(wanted=wanted_keys, **where), principal)
        reused = frozenset(row["reuse_scans"] for row in rows)
        wanted = [name for name in applying if name not in reused]
        made: list[Scan] = []

        async def alone() -> None:
            names = [name for name in wanted if name not in READERS]
            made.extend(await self.scanners.scan(source, settings, names, around.extra))

        async def in_mirror() -> None:
            if names := [name for name in wanted if name in READERS]:
                given = (self.scanners, project.guard, content, settings, names)
                found, context = await self._mirrors.scan(*given, project.environment, since)
                made.extend(found)
                for name in names:
                    keys[name]["context_hash"] = context

        await side_by_side(alone, in_mirror)
        further = await self._further(principal, project, content, settings, "ty" in wanted)
        keys |= {scan.tool: _key(scan.tool, scan.version, config) for scan in further}
        made += further
        if made:
            rows = await run_sync(self._stored, source, made)
            scans = [keys[scan.tool] | row for scan, row in zip(made, rows, strict=True)]
            await self.database.call(api.store_scans(scans=scans, **where), principal)
        return Scanned(content, reused)

    def _stored(self, source: SourceFile, scans: Sequence[Scan]) -> list[dict[str, Any]]:
        fingerprints = Fingerprints(self._key, source)
        return [stored(scan, fingerprints) for scan in scans]

    async def _around(
        self,
        principal: Principal,
        project: Project,
        content: Content,
        names: Sequence[str],
        new_lines: Sequence[int] | None,
    ) -> _Around:
        """Reads everything that the scans of a file depend on, except the bytes of the file."""
        around = _Around()

        async def mirror() -> None:
            context = await self._mirrors.context(project.guard, content, project.environment)
            around.hashes.update(dict.fromkeys(READERS, context))

        async def coverage() -> None:
            found = await run_sync(coverage_of, project.guard, content.path, new_lines)
            around.extra["coverage"] = found
            around.hashes["coverage"] = _digest(*found.values())

        async def facts(scanner: KindScanner) -> None:
            where = (project.name, project.guard, content.path)
            found = await scanner.facts(self.database, principal, *where)
            around.extra[scanner.name] = {"facts": found}
            around.hashes[scanner.name] = _digest(found)

        readers: dict[str, Callable[[], Coroutine[Any, Any, None]]] = {
            **{name: partial(facts, scanner) for name, scanner in of_kinds().items()},
            "mypy": mirror,
            "ty": mirror,
            "coverage": coverage,
        }
        await side_by_side(*{readers[name]: None for name in names if name in readers})
        return around

    async def _further(
        self,
        principal: Principal,
        project: Project,
        content: Content,
        settings: ScanOptions,
        are_types_read: bool,
    ) -> list[Scan]:
        """Scans a file with the scanners of other packages and, if it is a configuration file, with
        the checkers for such files.
        """
        scans: list[Scan] = []
        for package in kind_packages() if are_types_read else ():
            if package.scan is not None:
                found = await package.scan(self.database, principal, project.name, content)
                scans += [found] if found is not None else []
        if kind_of(content.path) is not None:
            scans += await validate(project.guard, content, settings)
        return scans

    async def decisions(
        self, principal: Principal, project: Project, path: str
    ) -> list[dict[str, Any]]:
        """Returns the canonical decisions that are about a file, best first.

        Args:
            principal: who asks.
            project: the project.
            path: path of the file, below the root.
        """
        return [
            decision
            for package in kind_packages()
            if package.about_file is not None
            for decision in await package.about_file(self.database, principal, project.name, path)
        ]

    async def impact(
        self, project: Project, path: str, change: ChangeType
    ) -> tuple[Impact, list[str]]:
        """Returns the effects of a change of a file, and the modules of the files that import the
        file.

        Args:
            project: the project.
            path: path of the file, below the root.
            change: the type of change.

        Raises:
            QmError: QM403 path_denied, QM413 project_too_large.
        """
        guard = project.guard
        below = guard.below(path)
        try:
            found, modules = await self._indexers.call(
                guard.root, touched, guard.root, below, change, timeout_s=_INDEXING_S
            )
        except WorkerError as error:
            gap = f"The imports of the project are not known: {error}"
            found, modules = Impact(below, change, gaps=(gap,)), list[str]()
        return await run_sync(with_companions, guard, found), modules

    async def _python_version(self, guard: ProjectFileAccess) -> str:
        """Returns the version of Python that a project is written for."""
        data = await run_sync(_pyproject, guard)
        key = hashlib.sha256(data).digest()
        if key not in self._versions:
            try:
                self._versions[key] = await readers().call(python_version, data)
            except WorkerError as error:
                log.warning("python_version_unknown", root=str(guard.root), error=str(error))
                self._versions[key] = DEFAULT
        return self._versions[key]


class Fingerprints:
    """Makes fingerprints of findings. A finding keeps its fingerprint if its line moves. The
    contents of the line cannot be computed from the fingerprint.

    Args:
        key: secret of this installation.
        source: the file with the findings.
    """

    def __init__(self, key: bytes, source: SourceFile) -> None:
        self._key = key
        self._lines = source.data.decode("utf-8", errors="replace").splitlines()
        self._seen: Counter[tuple[str, str]] = Counter()

    def of(self, finding: Finding) -> str:
        """Returns the fingerprint of a finding. The caller must pass all findings of the file in
        the order of their lines, because equal lines are counted.
        """
        line = self._lines[finding.line - 1] if 0 < finding.line <= len(self._lines) else ""
        text = " ".join(line.split())
        self._seen[finding.rule, text] += 1
        parts = (finding.rule, text, str(self._seen[finding.rule, text]))
        return hmac.new(self._key, "\0".join(parts).encode(), "sha256").hexdigest()[:32]


def stored(scan: Scan, fingerprints: Fingerprints) -> dict[str, Any]:
    """Returns a scan in the form that service.store_scans expects, without its key.

    Args:
        scan: the scan.
        fingerprints: makes the fingerprints; it was created for the same file.
    """
    findings = sorted(scan.findings, key=lambda finding: (finding.line, finding.rule))
    return {
        "status": scan.status.value,
        "reason": scan.reason,
        "elapsed_ms": scan.elapsed_ms,
        "metrics": scan.metrics,
        "findings": [
            {
                **asdict(finding),
                "first_column": max(finding.column, 0),
                "fingerprint": fingerprints.of(finding),
            }
            for finding in findings[:_MOST_FINDINGS]
        ],
    }


async def side_by_side(*works: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Runs functions concurrently. The first error cancels the others and is raised unchanged.

    Args:
        works: the functions.
    """
    try:
        async with anyio.create_task_group() as tasks:
            for work in works:
                tasks.start_soon(work)
    except ExceptionGroup as group:
        raise group.exceptions[0] from None


def _pyproject(guard: ProjectFileAccess) -> bytes:
    try:
        return guard.read("pyproject.toml").data
    except QmError:
        return b""


def _key(tool: str, version: str, config: str, context: str = "") -> dict[str, str]:
    """Returns the key of a scan, which identifies everything that the scan depends on, except the
    bytes of the file.
    """
    hashes = {"config_hash": config, "context_hash": context}
    return {"tool": tool, "tool_version": version, **hashes}


def _digest(*parts: bytes) -> str:
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


_BENCHES: Final[RunVar[dict[Path, ProjectScanner]]] = RunVar("benches")


def bench_of(service: Service) -> ProjectScanner:
    """Returns the project scanner of a service. The first call creates it."""
    benches = _BENCHES.get(dict[Path, ProjectScanner]())
    if service.data_dir not in benches:
        bench = benches[service.data_dir] = ProjectScanner(service)
        _BENCHES.set(benches)

        async def close() -> None:
            benches.pop(service.data_dir, None)
            await bench.aclose()

        service.closing.push_async_callback(close)
    return benches[service.data_dir]
