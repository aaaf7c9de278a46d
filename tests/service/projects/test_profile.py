"""A profile names what a project is made of, and the file that proves it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quartermaster.projects.guard import ProjectFileAccess, real_folder
from quartermaster.projects.profile import Profile, ProjectFact, manifests_of, profile
from quartermaster.projects.project_files import walk

PYPROJECT = """
[project]
name = "{name}"
requires-python = ">=3.12"
dependencies = ["FastAPI>=0.100", "SQLAlchemy[asyncio]", "PyJWT"]
[dependency-groups]
dev = ["pytest", {{include-group = "x"}}]
[tool.ruff]
[tool.uv]
"""
PACKAGE = json.dumps(
    {
        "name": "shop",
        "dependencies": {"react": "19", "next": "15"},
        "devDependencies": {"typescript": "5", "vitest": "3"},
        "packageManager": "pnpm@9.1.0",
    }
)
GO = "module example.org/pay\n\nrequire (\n\tgithub.com/gin-gonic/gin v1.10.0\n)\n"
CARGO = (
    '[package]\nname = "engine"\n[dependencies]\naxum = "0.8"\n[dev-dependencies]\nrstest = "1"\n'
)


def made(root: Path, files: dict[str, str]) -> Profile:
    root = real_folder(root)
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    guard = ProjectFileAccess(root)
    paths = [*walk(guard).files]
    return profile(paths, manifests_of(guard, paths))


def test_a_python_service(tmp_path: Path):
    found = made(
        tmp_path,
        {
            "pyproject.toml": PYPROJECT.format(name="shop"),
            "uv.lock": "",
            "src/shop/a.py": "",
            "tests/conftest.py": "",
            ".github/workflows/ci.yml": "",
            "Dockerfile": "FROM a",
            "compose.yaml": "",
        },
    )
    shown = found.as_dict()
    facts = shown.pop("facts")
    assert shown == {
        "languages": ["python"],
        "frameworks": ["fastapi", "sqlalchemy"],
        "test_framework": "pytest",
        "package_manager": "uv",
        "has_ci": True,
        "has_docker": True,
        "deployment_type": "container",
        "security_level": "high",
        "quality_tools": ["ruff"],
        "services": [],
    }
    assert {
        "kind": "ci",
        "value": "github actions",
        "file": ".github/workflows/ci.yml",
        "detail": "",
    } in facts
    assert ProjectFact("python_version", ">=3.12", "pyproject.toml") in found.facts
    assert ProjectFact("security", "logins", "pyproject.toml", "PyJWT") in found.facts


def test_the_services_of_a_monorepo(tmp_path: Path):
    found = made(
        tmp_path,
        {
            "services/api/pyproject.toml": PYPROJECT.format(name="api"),
            "services/api/api.py": "",
            "web/package.json": PACKAGE,
            "web/a.tsx": "",
            "pay/go.mod": GO,
            "pay/a_test.go": "",
            "engine/Cargo.toml": CARGO,
            "engine/src/main.rs": "",
            "deploy/k8s/a.yaml": "",
        },
    )
    shown = found.as_dict()
    assert shown["services"] == [
        {"name": "engine", "path": "engine", "language": "rust"},
        {"name": "example.org/pay", "path": "pay", "language": "go"},
        {"name": "shop", "path": "web", "language": "typescript"},
        {"name": "api", "path": "services/api", "language": "python"},
    ]
    assert sorted(shown["languages"]) == ["go", "python", "rust", "typescript"]
    assert set(found.values("framework")) == {
        *("axum", "gin", "react", "next", "fastapi", "sqlalchemy")
    }
    assert set(found.values("test_framework")) == {"rstest", "vitest", "pytest", "go test"}
    assert set(found.values("package_manager")) == {"cargo", "go", "pnpm", "uv"}
    assert shown["deployment_type"] == "kubernetes"
    assert all((real_folder(tmp_path) / fact.path).is_file() for fact in found.facts)


@pytest.mark.parametrize("text", ["{", "[]", '{"dependencies": 3}', "[[" * 2000, "\x00"])
@pytest.mark.parametrize("path", ["package.json", "pyproject.toml", "Cargo.toml", "go.mod"])
def test_a_broken_manifest_proves_nothing(tmp_path: Path, path: str, text: str):
    found = made(tmp_path, {path: text})
    assert not [fact for fact in found.facts if fact.kind in {"framework", "service"}]


def test_a_manifest_that_is_a_link_is_not_read(tmp_path: Path):
    (tmp_path / "out.json").write_text(PACKAGE)
    root = tmp_path / "p"
    root.mkdir()
    (root / "package.json").symlink_to(tmp_path / "out.json")
    assert made(root, {"a.js": ""}).values("framework") == []
