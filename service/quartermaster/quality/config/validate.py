"""Checks a configuration file: by hadolint or the schema of Compose, own rules, and other files."""

from __future__ import annotations

import json
import posixpath
import re
import time
from collections.abc import Callable, Iterator
from enum import StrEnum
from functools import cache, partial
from importlib.resources import files
from importlib.util import find_spec
from typing import Final

import jsonschema_rs

from quartermaster.core.errors import QmError, argument_invalid
from quartermaster.projects.guard import Content, Guard
from quartermaster.projects.profile import COMPOSE
from quartermaster.projects.threads import run_sync
from quartermaster.quality.config import compose as compose_files
from quartermaster.quality.config import compose_rules, dockerfile, dockerfile_rules
from quartermaster.quality.config.compose import Compose, NotComposeError, Service, mapping
from quartermaster.quality.config.compose_rules import broken
from quartermaster.quality.config.hadolint import Hadolint
from quartermaster.quality.findings import Finding, Scan, Severity, Status
from quartermaster.quality.scanners.interface import Settings, Source, UnreadableError
from quartermaster.quality.scanners.programs import how_to_install

# A text about Dockerfiles may be called dockerfile.md.
_DOCKERFILE: Final = re.compile(
    r"(?i)^(?!.*\.(?:md|rst|adoc|html)$)(?:.*\.)?(?:dockerfile|containerfile)(?:\..*)?$"
)

_LARGEST: Final = 256 * 1024


class Kind(StrEnum):
    """The kinds of configuration."""

    DOCKERFILE = "dockerfile"
    COMPOSE = "docker-compose"
    AUTO = "auto"


def kind_of(path: str) -> Kind | None:
    """The kind of a file, by its name."""
    name = path.rpartition("/")[2]
    if _DOCKERFILE.match(name):
        return Kind.DOCKERFILE
    return Kind.COMPOSE if COMPOSE.match(name) else None


async def validate(
    guard: Guard, content: Content, settings: Settings, kind: Kind = Kind.AUTO
) -> tuple[Scan, ...]:
    """Checks a configuration file.

    Args:
        guard: of the project, for the other files that it names.
        content: the file.
        settings: what the scans depend on.
        kind: its kind; AUTO: by its name.

    Returns:
        One scan for each checker; one that could not look says why.

    Raises:
        QmError: QM422 argument_invalid: the kind cannot be told from the name.
    """
    known = kind_of(content.path) if kind == Kind.AUTO else kind
    if known and len(content.data) > _LARGEST:
        reason = f"The file is larger than {_LARGEST:,} bytes, so no checker has read it."
        return (Scan("config", "1", Status.ERROR, reason),)
    source = Source(content.path, content.data)
    if known == Kind.DOCKERFILE:
        own = await run_sync(_timed, "config", _dockerfile, source)
        return (await Hadolint().scan(source, settings), own)
    if known == Kind.COMPOSE:
        schema = await run_sync(_timed, "compose-schema", _schema, source)
        own = await run_sync(_timed, "config", partial(_compose, guard), source)
        return (schema, own)
    raise argument_invalid(
        f"Judging by its name, {content.path} is neither a Dockerfile nor a Compose file.",
        "If the file is one of these, set config_type to dockerfile or docker-compose. On "
        "the command line, use --config-type with dockerfile or docker-compose.",
    )


def _timed(tool: str, check: Callable[[Source], Scan], source: Source) -> Scan:
    start = time.perf_counter()
    try:
        scan = check(source)
    except (UnreadableError, NotComposeError) as error:
        scan = Scan(tool, "1", Status.ERROR, str(error))
    elapsed = (time.perf_counter() - start) * 1000
    return Scan(tool, scan.version, scan.status, scan.reason, scan.findings, scan.metrics, elapsed)


def _dockerfile(source: Source) -> Scan:
    parsed = dockerfile.parse(source.text())
    found = tuple(dockerfile_rules.findings(parsed))
    if parsed.wrong_lines or not parsed.stages:
        lines = ", ".join(map(str, parsed.wrong_lines[:5]))
        reason = f"These lines have no instruction: {lines}." if lines else "The file has no FROM."
        return Scan("config", "1", Status.DEGRADED, reason, found)
    return Scan("config", "1", Status.OK, "", found)


def _compose(guard: Guard, source: Source) -> Scan:
    compose = compose_files.parse(source.text())
    found = [*compose_rules.findings(compose), *_across(guard, source.path, compose)]
    found.sort(key=lambda finding: (finding.line, finding.rule))
    return Scan("config", "1", Status.OK, "", tuple(found))


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


def _schema(source: Source) -> Scan:
    validator = _validator()
    if validator is None:
        command = how_to_install("check-jsonschema>=0.33")
        reason = f"The schema of Compose files is missing. Install it: `{command}`."
        return Scan("compose-schema", "", Status.SKIPPED, reason)
    compose = compose_files.parse(source.text())
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


def _across(guard: Guard, path: str, compose: Compose) -> Iterator[Finding]:
    """What only the Compose file and its Dockerfiles together show."""
    for service in compose.services:
        if "build" in service.data:
            yield from _built(guard, path, service)


def _built(guard: Guard, path: str, service: Service) -> Iterator[Finding]:
    options = mapping(service.data["build"]) or {"context": service.data["build"]}
    context = str(options.get("context") or ".")
    if "://" in context or "$" in context or "dockerfile_inline" in options:
        return
    given = str(options.get("dockerfile") or "Dockerfile")
    target = str(options["target"]) if options.get("target") else None
    name, line = service.name, service.line("build")
    below = posixpath.normpath(posixpath.join(posixpath.dirname(path), context, given))
    try:
        content = guard.read(below)
        parsed = dockerfile.parse(Source(content.path, content.data).text())
    except QmError as error:
        reason = "does not exist" if error.slug == "file_not_found" else "cannot be read"
        yield broken("no-dockerfile", line, Severity.MEDIUM)(
            f"The Dockerfile {below} of {name} {reason}.",
            "Correct build.context or build.dockerfile.",
        )
        return
    except UnreadableError:
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
