"""Determines which technologies a project uses; each fact comes with the file that proves it."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, Final, cast

from quartermaster.core.errors import QmError
from quartermaster.projects.guard import ProjectFileAccess
from quartermaster.projects.technologies import (
    DEPENDENCIES,
    LANGUAGES,
    MANIFESTS,
    MARKERS,
    PATHS,
    SENSITIVE_DEPENDENCIES,
    TOOL_TABLES,
)

_MOST_MANIFESTS: Final = 400
_LARGEST_MANIFEST: Final = 2_000_000
_MOST_BYTES: Final = 20_000_000
_LONGEST_NAME: Final = 200
_REQUIREMENT: Final = re.compile(r"^\s*([A-Za-z0-9][A-Za-z0-9._-]*)")
_GO_MAJOR: Final = re.compile(r"/v\d{1,9}$")
_DOCKERFILE: Final = re.compile(r"(?i)^(?:.*\.)?(?:dockerfile|containerfile)(?:\..*)?$")
COMPOSE: Final = re.compile(r"(?i)^(?:docker-)?compose(?:[.\-_].*)?\.ya?ml$")


@dataclass(frozen=True)
class ProjectFact:
    """A fact about a project.

    Attributes:
        kind: language, framework, test_framework, package_manager, ci, docker, deployment,
            quality_config, service, python_version, or security.
        value: name of the technology, such as ``fastapi``.
        path: the file that proves it.
        detail: further facts, such as the number of files.
    """

    kind: str
    value: str
    path: str
    detail: str = ""


@dataclass(frozen=True)
class Profile:
    """All facts about a project, sorted by kind. Languages are sorted by number of files.

    Attributes:
        facts: the facts.
    """

    facts: tuple[ProjectFact, ...]

    def values(self, kind: str) -> list[str]:
        """Returns the different values of the facts of one kind."""
        return list(dict.fromkeys(fact.value for fact in self.facts if fact.kind == kind))

    @property
    def security_level(self) -> str:
        """The level of risk: ``high`` if the project handles logins, payments or keys; otherwise
        ``standard``.
        """
        return "high" if self.values("security") else "standard"

    def as_dict(self) -> dict[str, Any]:
        """Returns the profile in the form that the tool returns."""
        return {
            "languages": self.values("language"),
            "frameworks": self.values("framework"),
            "test_framework": next(iter(self.values("test_framework")), None),
            "package_manager": next(iter(self.values("package_manager")), None),
            "has_ci": bool(self.values("ci")),
            "has_docker": bool(self.values("docker")),
            "deployment_type": next(iter(self.values("deployment")), None),
            "security_level": self.security_level,
            "quality_tools": self.values("quality_config"),
            "services": [
                {"name": fact.value, "path": fact.path.rpartition("/")[0], "language": fact.detail}
                for fact in self.facts
                if fact.kind == "service"
            ],
            "facts": [
                {"kind": f.kind, "value": f.value, "file": f.path, "detail": f.detail}
                for f in self.facts
            ],
        }


def manifests_of(guard: ProjectFileAccess, paths: Iterable[str]) -> dict[str, bytes]:
    """Reads the files that declare the dependencies of a project, up to a limit.

    Args:
        guard: guard of the project.
        paths: its files, as `walk` finds them.
    """
    found: dict[str, bytes] = {}
    left = _MOST_BYTES
    named = [path for path in paths if _name(path) in MANIFESTS or _is_requirements(path)]
    for path in sorted(named, key=_depth)[:_MOST_MANIFESTS]:
        facts = guard.facts(path)
        if facts is None or facts[0] > min(_LARGEST_MANIFEST, left):
            continue
        try:
            found[path] = guard.read(path).data
        except QmError:
            continue
        left -= len(found[path])
    return found


def profile(paths: Sequence[str], manifests: Mapping[str, bytes]) -> Profile:
    """Returns the profile of a project. This function runs in a worker.

    Args:
        paths: its files, as `walk` finds them.
        manifests: the bytes of the files that declare dependencies; see `manifests_of`.
    """
    files = sorted(paths, key=_depth)
    facts = [*_languages(files), *_by_name(files)]
    for path in sorted(manifests, key=_depth):
        facts += _of_manifest(path, manifests[path])
    known = {fact.value for fact in facts if fact.kind == "test_framework"}
    facts += (fact for fact in _tests_without_manifest(files) if fact.value not in known)
    return Profile(tuple(_without_repeats(facts)))


def _depth(path: str) -> tuple[int, str]:
    return path.count("/"), path


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _is_requirements(path: str) -> bool:
    name = _name(path)
    return name.endswith(".txt") and (
        name.startswith("requirements") or path.rpartition("/")[0].endswith("requirements")
    )


def _languages(files: list[str]) -> Iterator[ProjectFact]:
    first: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for path in files:
        if language := LANGUAGES.get(PurePosixPath(path).suffix.lower()):
            counts[language] += 1
            first.setdefault(language, path)
    for language, count in counts.most_common():
        yield ProjectFact("language", language, first[language], f"{count} files")


def _by_name(files: list[str]) -> Iterator[ProjectFact]:
    for path in files:
        name = _name(path)
        if said := MARKERS.get(name):
            yield ProjectFact(*said, path)
        if _DOCKERFILE.match(name):
            yield ProjectFact("docker", "dockerfile", path)
            yield ProjectFact("deployment", "container", path)
        elif COMPOSE.match(name):
            yield ProjectFact("docker", "compose", path)
        for form, kind, value in PATHS:
            if form.search(path):
                yield ProjectFact(kind, value, path)


def _tests_without_manifest(files: list[str]) -> Iterator[ProjectFact]:
    """Yields the test frameworks that belong to a programming language, such as go test."""
    for path in files:
        name = _name(path)
        if name.endswith("_test.go"):
            yield ProjectFact("test_framework", "go test", path)
        elif name.endswith(".rs") and "/tests/" in f"/{path}":
            yield ProjectFact("test_framework", "cargo test", path)


def _of_manifest(path: str, data: bytes) -> Iterator[ProjectFact]:
    try:
        text = data.decode("utf-8", "replace")
        name = _name(path)
        if name == "package.json":
            yield from _of_package_json(path, cast("object", json.loads(text)))
        elif name.endswith(".toml"):
            yield from _of_toml(path, tomllib.loads(text))
        elif name == "go.mod":
            yield from _of_go(path, text)
        else:
            names = (_REQUIREMENT.match(line) for line in text.splitlines())
            yield from _of_dependencies(path, "python", (found[1] for found in names if found))
    except (ValueError, RecursionError):
        # A manifest that is broken proves nothing.
        return


def _of_dependencies(path: str, ecosystem: str, names: Iterable[str]) -> Iterator[ProjectFact]:
    table = DEPENDENCIES[ecosystem]
    for name in names:
        plain = re.sub(r"[-_.]+", "-", name).lower() if ecosystem == "python" else name
        if said := table.get(plain):
            yield ProjectFact(*said, path, name)
        if plain in SENSITIVE_DEPENDENCIES:
            yield ProjectFact("security", SENSITIVE_DEPENDENCIES[plain], path, name)


def _table(value: object) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _texts(value: object) -> list[str]:
    entries = cast("list[object]", value) if isinstance(value, list) else []
    return [entry for entry in entries if isinstance(entry, str)]


def _of_package_json(path: str, data: object) -> Iterator[ProjectFact]:
    package = _table(data)
    names = [
        name
        for key in ("dependencies", "devDependencies", "peerDependencies")
        for name in _table(package.get(key))
    ]
    yield from _of_dependencies(path, "javascript", names)
    manager = package.get("packageManager")
    if isinstance(manager, str):
        yield ProjectFact("package_manager", manager.partition("@")[0], path)
    for key, value in (("eslintConfig", "eslint"), ("prettier", "prettier"), ("jest", "jest")):
        if key in package:
            yield ProjectFact("test_framework" if key == "jest" else "quality_config", value, path)
    language = "typescript" if "typescript" in names else "javascript"
    yield from _service(path, package.get("name"), language)


def _of_toml(path: str, data: dict[str, Any]) -> Iterator[ProjectFact]:
    if _name(path) == "Cargo.toml":
        names = [
            name for key in ("dependencies", "dev-dependencies") for name in _table(data.get(key))
        ]
        yield from _of_dependencies(path, "rust", names)
        yield ProjectFact("package_manager", "cargo", path)
        if "package" in data:
            yield from _service(path, _table(data["package"]).get("name"), "rust")
        return
    project, tool = _table(data.get("project")), _table(data.get("tool"))
    poetry = _table(tool.get("poetry"))
    groups = [*_table(project.get("optional-dependencies")).values()]
    groups += _table(data.get("dependency-groups")).values()
    names = [text for group in (project.get("dependencies"), *groups) for text in _texts(group)]
    names += _table(poetry.get("dependencies"))
    for group in _table(poetry.get("group")).values():
        names += _table(_table(group).get("dependencies"))
    found = (_REQUIREMENT.match(name) for name in names)
    yield from _of_dependencies(path, "python", (match[1] for match in found if match))
    for name in tool:
        if said := TOOL_TABLES.get(name):
            yield ProjectFact(*said, path, f"[tool.{name}]")
    if isinstance(version := project.get("requires-python"), str):
        yield ProjectFact("python_version", version, path)
    if project or poetry:
        yield from _service(path, project.get("name") or poetry.get("name"), "python")


def _of_go(path: str, text: str) -> Iterator[ProjectFact]:
    yield ProjectFact("package_manager", "go", path)
    lines = [line.split(maxsplit=3) for line in text.splitlines()]
    required = [words[1:] if words[:1] == ["require"] else words for words in lines]
    names = [
        _GO_MAJOR.sub("", words[0])
        for words in required
        if len(words) > 1 and words[1].startswith("v") and "." in words[0].partition("/")[0]
    ]
    yield from _of_dependencies(path, "go", names)
    modules = (words[1] for words in lines if len(words) > 1 and words[0] == "module")
    yield from _service(path, next(modules, None), "go")


def _service(path: str, name: object, language: str) -> Iterator[ProjectFact]:
    """Yields a service for a manifest that is in a folder below the root of the project."""
    folder = path.rpartition("/")[0]
    if folder:
        given = name if isinstance(name, str) and name else folder.rpartition("/")[2]
        yield ProjectFact("service", given[:_LONGEST_NAME], path, language)


def _without_repeats(facts: Iterable[ProjectFact]) -> Iterator[ProjectFact]:
    seen: set[tuple[str, str, str]] = set()
    for fact in facts:
        # A service is known by its file; of everything else, the first proof is enough.
        key = (fact.kind, fact.value, fact.path if fact.kind == "service" else "")
        if key not in seen:
            seen.add(key)
            yield fact
