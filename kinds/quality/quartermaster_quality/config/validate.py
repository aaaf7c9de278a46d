"""Checks Dockerfiles (with hadolint) and Compose files (against their schema), and applies our own
rules.
"""

from __future__ import annotations

import json
import posixpath
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from typing import Final, TypeVarTuple

import jsonschema_rs

from quartermaster.core.errors import QmError, argument_invalid
from quartermaster.core.findings import Finding, Scan, Severity, Status
from quartermaster.projects.guard import Content, ProjectFileAccess, printable
from quartermaster.projects.profile import COMPOSE
from quartermaster.projects.programs import how_to_install
from quartermaster.projects.threads import run_sync
from quartermaster.projects.worker_calls import WorkerError
from quartermaster.projects.workers import readers
from quartermaster_quality.config import compose as compose_files
from quartermaster_quality.config import compose_rules, dockerfile, dockerfile_rules
from quartermaster_quality.config.compose import Compose, ComposeService, mapping
from quartermaster_quality.config.compose_rules import broken
from quartermaster_quality.config.dockerfile import Dockerfile
from quartermaster_quality.config.hadolint import Hadolint
from quartermaster_quality.scanners.interface import ScanOptions, SourceFile, UnreadableError

# A text about Dockerfiles may be called dockerfile.md.
_DOCKERFILE: Final = re.compile(
    r"(?i)^(?!.*\.(?:md|rst|adoc|html)$)(?:.*\.)?(?:dockerfile|containerfile)(?:\..*)?$"
)

MAX_FILE_BYTES: Final = 256 * 1024
_MOST_DOCKERFILES: Final = 100
_TIMEOUT_S: Final = 10.0
Arguments = TypeVarTuple("Arguments")


class Kind(StrEnum):
    """The kinds of configuration files."""

    DOCKERFILE = "dockerfile"
    COMPOSE = "docker-compose"
    AUTO = "auto"


def kind_of(path: str) -> Kind | None:
    """Returns the kind of a configuration file, judging by its name; None for any other file."""
    name = path.rpartition("/")[2]
    if _DOCKERFILE.match(name):
        return Kind.DOCKERFILE
    return Kind.COMPOSE if COMPOSE.match(name) else None


async def validate(
    guard: ProjectFileAccess, content: Content, settings: ScanOptions, kind: Kind = Kind.AUTO
) -> tuple[Scan, ...]:
    """Checks a configuration file.

    Args:
        guard: opens the Dockerfiles that a Compose file names.
        content: the file.
        settings: options of the scans.
        kind: kind of the file; AUTO: judge by its name.

    Returns:
        One scan for each checker. If a checker could not read the file, its scan gives the reason.

    Raises:
        QmError: QM422 argument_invalid: the name does not reveal the kind.
    """
    known = kind_of(content.path) if kind == Kind.AUTO else kind
    if known and len(content.data) > MAX_FILE_BYTES:
        reason = f"The file is larger than {MAX_FILE_BYTES:,} bytes, so no checker has read it."
        return (Scan("config", "1", Status.ERROR, reason),)
    source = SourceFile(content.path, content.data)
    if known == Kind.DOCKERFILE:
        own = await _in_worker(("config",), check_dockerfile, source)
        return (await Hadolint().scan(source, settings), *own)
    if known == Kind.COMPOSE:
        return await _compose_scans(guard, source)
    raise argument_invalid(
        f"Judging by its name, {content.path} is neither a Dockerfile nor a Compose file.",
        "If the file is one of these, set config_type to dockerfile or docker-compose. On "
        "the command line, use --config-type with dockerfile or docker-compose.",
    )


async def _in_worker(
    tools: Sequence[str],
    check: Callable[[*Arguments], tuple[Scan, ...]],
    *arguments: *Arguments,
) -> tuple[Scan, ...]:
    start = time.perf_counter()
    try:
        scans = await readers().call(check, *arguments, timeout_s=_TIMEOUT_S)
    except WorkerError as error:
        scans = tuple(Scan(tool, "1", Status.ERROR, str(error)) for tool in tools)
    elapsed = (time.perf_counter() - start) * 1000
    return tuple(replace(scan, elapsed_ms=elapsed) for scan in scans)


async def _compose_scans(guard: ProjectFileAccess, source: SourceFile) -> tuple[Scan, ...]:
    """Checks a Compose file, together with the Dockerfiles that it names."""
    tools = ("compose-schema", "config")
    try:
        named = await readers().call(dockerfiles_of, source, timeout_s=_TIMEOUT_S)
    except WorkerError as error:
        return tuple(Scan(tool, "1", Status.ERROR, str(error)) for tool in tools)
    dockerfiles = await run_sync(_read_all, guard, named[:_MOST_DOCKERFILES])
    scans = await _in_worker(tools, check_compose, source, dockerfiles)
    unread = [path for path, each in dockerfiles.items() if each.slug == "file_too_large"]
    if len(named) > _MOST_DOCKERFILES or unread:
        shown = printable(", ".join([*unread, *named[_MOST_DOCKERFILES:]][:5]))
        reason = f"No checker has read these Dockerfiles, which are too many or too large: {shown}."
        scans = tuple(
            replace(scan, status=Status.DEGRADED, reason=reason)
            if scan.tool == "config" and scan.status is Status.OK
            else scan
            for scan in scans
        )
    return scans


@dataclass(frozen=True)
class Named:
    """A Dockerfile that a Compose file names.

    Attributes:
        data: the file's bytes; None if it was not read.
        slug: slug of the error that prevented reading; empty if there was none.
    """

    data: bytes | None
    slug: str = ""


def _read_all(guard: ProjectFileAccess, paths: Sequence[str]) -> dict[str, Named]:
    return {path: _read(guard, path) for path in paths}


def _read(guard: ProjectFileAccess, path: str) -> Named:
    try:
        return Named(guard.read(path, MAX_FILE_BYTES).data)
    except QmError as error:
        return Named(None, error.slug)


def check_dockerfile(source: SourceFile) -> tuple[Scan, ...]:
    """Checks a Dockerfile with our own rules. Runs in a worker."""
    parsed = dockerfile.parse(source.text())
    found = tuple(dockerfile_rules.findings(parsed))
    if parsed.wrong_lines or not parsed.stages:
        lines = ", ".join(map(str, parsed.wrong_lines[:5]))
        reason = f"These lines have no instruction: {lines}." if lines else "The file has no FROM."
        return (Scan("config", "1", Status.DEGRADED, reason, found),)
    return (Scan("config", "1", Status.OK, "", found),)


def dockerfiles_of(source: SourceFile) -> list[str]:
    """Returns the paths of the Dockerfiles from which a Compose file builds its services. Runs in a
    worker.
    """
    builds = _builds(source.path, compose_files.parse(source.text()))
    return list(dict.fromkeys(build.path for build in builds))


def check_compose(source: SourceFile, dockerfiles: dict[str, Named]) -> tuple[Scan, ...]:
    """Checks a Compose file against its schema and with our own rules. Runs in a worker.

    Args:
        source: the file.
        dockerfiles: the Dockerfiles that the Compose file names, by path.
    """
    compose = compose_files.parse(source.text())
    found = list(compose_rules.findings(compose))
    parsed = {path: _parsed(path, named) for path, named in dockerfiles.items()}
    for build in _builds(source.path, compose):
        if (named := dockerfiles.get(build.path)) is not None:
            found += _built(build, named, parsed[build.path])
    found.sort(key=lambda finding: (finding.line, finding.rule))
    return _schema(compose), Scan("config", "1", Status.OK, "", tuple(found))


@cache
def _validator() -> jsonschema_rs.Validator | None:
    if find_spec("check_jsonschema") is None:
        return None
    folder = files("check_jsonschema") / "builtin_schemas" / "vendor"
    try:
        schema = json.loads((folder / "compose-spec.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return jsonschema_rs.validator_for(schema)


def _schema(compose: Compose) -> Scan:
    validator = _validator()
    if validator is None:
        command = how_to_install("check-jsonschema>=0.33")
        reason = f"The schema of Compose files is missing. Install it: `{command}`."
        return Scan("compose-schema", "", Status.SKIPPED, reason)
    found = tuple(
        broken("schema", compose.line(*error.instance_path), Severity.HIGH)(
            _schema_message(error.instance_path), "See the specification of Compose files."
        )
        for error in validator.iter_errors(compose.data)
    )
    return Scan("compose-schema", "1", Status.OK, "", found)


def _schema_message(path: list[str | int]) -> str:
    # The validator's own message quotes the value, which may be a secret.
    where = ".".join(map(str, path)) or "the file"
    return f"Compose does not allow the entry at {where}."


@dataclass(frozen=True)
class Build:
    """How a service in a Compose file is built.

    Attributes:
        service: the service.
        path: path of its Dockerfile, below the root of the project.
        target: the stage that is built; None: the last stage.
    """

    service: ComposeService
    path: str
    target: str | None


def _builds(path: str, compose: Compose) -> Iterator[Build]:
    for service in compose.services:
        if "build" not in service.data:
            continue
        options = mapping(service.data["build"]) or {"context": service.data["build"]}
        context = str(options.get("context") or ".")
        if "://" in context or "$" in context or "dockerfile_inline" in options:
            continue
        given = str(options.get("dockerfile") or "Dockerfile")
        target = str(options["target"]) if options.get("target") else None
        below = posixpath.normpath(posixpath.join(posixpath.dirname(path), context, given))
        yield Build(service, below, target)


def _parsed(path: str, named: Named) -> Dockerfile | None:
    try:
        return dockerfile.parse(SourceFile(path, named.data or b"").text())
    except UnreadableError:
        return None


def _built(build: Build, named: Named, parsed: Dockerfile | None) -> Iterator[Finding]:
    """Yields findings that need both the Compose file and the Dockerfile of a service."""
    service, below, target = build.service, build.path, build.target
    name, line = service.name, service.line("build")
    if named.data is None:
        reason = "does not exist" if named.slug == "file_not_found" else "cannot be read"
        yield broken("no-dockerfile", line, Severity.MEDIUM)(
            f"The Dockerfile {below} of {name} {reason}.",
            "Correct build.context or build.dockerfile.",
        )
        return
    if parsed is None:
        return
    if target and target.lower() not in {stage.name for stage in parsed.stages}:
        yield broken("no-target", service.line("build", "target"), Severity.HIGH)(
            f"{below} has no stage {target}.", "Correct build.target."
        )
        return
    if "user" not in service.data and dockerfile_rules.runs_as_root(parsed, target):
        yield broken("root-dockerfile", line, Severity.MEDIUM, 250)(
            f"{name} runs as root: {below} sets no other user.",
            f"Set USER in {below}, or user for {name}.",
        )
    if "healthcheck" not in service.data and not any(parsed.each("HEALTHCHECK")):
        yield broken("no-healthcheck", service.line(), Severity.LOW)(
            f"{name} has no health check, so nobody can tell whether it works.",
            f"Add a healthcheck to {name}, or HEALTHCHECK to {below}.",
        )
