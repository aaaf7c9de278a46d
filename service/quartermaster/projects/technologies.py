"""Tables for the profile of a project: which files and dependencies prove that a project uses a
technology.
"""

from __future__ import annotations

import re
from typing import Final

# Kind and value of a fact.
Said = tuple[str, str]

LANGUAGES: Final[dict[str, str]] = {
    **dict.fromkeys((".py", ".pyi"), "python"),
    **dict.fromkeys((".js", ".mjs", ".cjs", ".jsx"), "javascript"),
    **dict.fromkeys((".ts", ".tsx"), "typescript"),
    ".go": "go",
    ".rs": "rust",
    ".java": "java",
    ".kt": "kotlin",
    ".c": "c",
    **dict.fromkeys((".cpp", ".cc"), "c++"),
    ".cs": "c#",
    ".rb": "ruby",
    ".php": "php",
    ".swift": "swift",
    ".scala": "scala",
    ".sql": "sql",
    ".sh": "shell",
    ".vue": "vue",
    ".svelte": "svelte",
}
MANIFESTS: Final = frozenset({"pyproject.toml", "Pipfile", "package.json", "go.mod", "Cargo.toml"})

_MANAGER, _TEST, _QUALITY, _FRAMEWORK = (
    "package_manager",
    "test_framework",
    "quality_config",
    "framework",
)


def _each(kind: str, *names: str) -> dict[str, Said]:
    return {name: (kind, name) for name in names}


MARKERS: Final[dict[str, Said]] = {
    "uv.lock": (_MANAGER, "uv"),
    "poetry.lock": (_MANAGER, "poetry"),
    "pdm.lock": (_MANAGER, "pdm"),
    "Pipfile": (_MANAGER, "pipenv"),
    "environment.yml": (_MANAGER, "conda"),
    "requirements.txt": (_MANAGER, "pip"),
    "package-lock.json": (_MANAGER, "npm"),
    "yarn.lock": (_MANAGER, "yarn"),
    "pnpm-lock.yaml": (_MANAGER, "pnpm"),
    **dict.fromkeys(("bun.lock", "bun.lockb"), (_MANAGER, "bun")),
    "Cargo.lock": (_MANAGER, "cargo"),
    "go.sum": (_MANAGER, "go"),
    **dict.fromkeys(("pytest.ini", "conftest.py"), (_TEST, "pytest")),
    "tox.ini": (_QUALITY, "tox"),
    "noxfile.py": (_QUALITY, "nox"),
    "manage.py": (_FRAMEWORK, "django"),
    ".pre-commit-config.yaml": (_QUALITY, "pre-commit"),
    **dict.fromkeys(("ruff.toml", ".ruff.toml"), (_QUALITY, "ruff")),
    **dict.fromkeys(("mypy.ini", ".mypy.ini"), (_QUALITY, "mypy")),
    "ty.toml": (_QUALITY, "ty"),
    "pyrightconfig.json": (_QUALITY, "pyright"),
    ".pylintrc": (_QUALITY, "pylint"),
    ".flake8": (_QUALITY, "flake8"),
    ".bandit": (_QUALITY, "bandit"),
    ".coveragerc": (_QUALITY, "coverage"),
    **dict.fromkeys((".eslintrc.json", ".eslintrc.js", ".eslintrc.cjs"), (_QUALITY, "eslint")),
    **dict.fromkeys(
        ("eslint.config.js", "eslint.config.mjs", "eslint.config.ts"), (_QUALITY, "eslint")
    ),
    "biome.json": (_QUALITY, "biome"),
    ".prettierrc": (_QUALITY, "prettier"),
    "tsconfig.json": (_QUALITY, "typescript"),
    **dict.fromkeys((".golangci.yml", ".golangci.yaml"), (_QUALITY, "golangci-lint")),
    "rustfmt.toml": (_QUALITY, "rustfmt"),
    "clippy.toml": (_QUALITY, "clippy"),
    ".hadolint.yaml": (_QUALITY, "hadolint"),
    ".editorconfig": (_QUALITY, "editorconfig"),
    "sonar-project.properties": (_QUALITY, "sonar"),
    "codecov.yml": (_QUALITY, "codecov"),
    **dict.fromkeys(("jest.config.js", "jest.config.ts"), (_TEST, "jest")),
    "vitest.config.ts": (_TEST, "vitest"),
    "playwright.config.ts": (_TEST, "playwright"),
    "cypress.config.ts": (_TEST, "cypress"),
    **dict.fromkeys(("next.config.js", "next.config.mjs"), (_FRAMEWORK, "next")),
    "angular.json": (_FRAMEWORK, "angular"),
}
# Tables [tool.NAME] of a pyproject.toml.
TOOL_TABLES: Final[dict[str, Said]] = {
    **_each(
        _QUALITY,
        *("ruff", "mypy", "pyright", "pylint", "black", "isort", "bandit", "coverage", "ty"),
        *("vulture", "importlinter", "sqlfluff"),
    ),
    "pytest": (_TEST, "pytest"),
    **_each(_MANAGER, "poetry", "uv", "pdm", "hatch"),
}
# What the path of a file says, with the kind and value of the fact.
PATHS: Final = (
    (re.compile(r"^\.github/workflows/[^/]+\.ya?ml$"), "ci", "github actions"),
    (re.compile(r"^\.gitlab-ci\.yml$"), "ci", "gitlab"),
    (re.compile(r"^\.circleci/config\.yml$"), "ci", "circleci"),
    (re.compile(r"^azure-pipelines\.ya?ml$"), "ci", "azure pipelines"),
    (re.compile(r"^bitbucket-pipelines\.yml$"), "ci", "bitbucket"),
    (re.compile(r"^Jenkinsfile$"), "ci", "jenkins"),
    (re.compile(r"^\.travis\.yml$"), "ci", "travis"),
    (re.compile(r"^\.drone\.yml$"), "ci", "drone"),
    (re.compile(r"^\.woodpecker(?:\.yml|/.+\.ya?ml)$"), "ci", "woodpecker"),
    (re.compile(r"^\.buildkite/pipeline\.yml$"), "ci", "buildkite"),
    (re.compile(r"(?:^|/)(?:Chart|kustomization)\.ya?ml$"), "deployment", "kubernetes"),
    (re.compile(r"(?:^|/)(?:k8s|kubernetes)/.*\.ya?ml$"), "deployment", "kubernetes"),
    (re.compile(r"\.tf$"), "deployment", "terraform"),
    (re.compile(r"(?:^|/)serverless\.ya?ml$"), "deployment", "serverless"),
    (
        re.compile(
            r"(?:^|/)(?:vercel\.json|netlify\.toml|fly\.toml|render\.yaml|app\.yaml|Procfile)$"
        ),
        "deployment",
        "cloud",
    ),
)


DEPENDENCIES: Final[dict[str, dict[str, Said]]] = {
    "python": {
        **_each(
            _FRAMEWORK,
            *("aiohttp", "celery", "click", "dash", "django", "fastapi", "flask", "grpcio"),
            *("langchain", "litestar", "mcp", "numpy", "pandas", "pydantic", "pyramid", "quart"),
            *("sanic", "scrapy", "sqlalchemy", "starlette", "streamlit", "tornado", "typer"),
            *("airflow", "dramatiq", "kafka-python", "paho-mqtt", "influxdb-client", "websockets"),
            *("tensorflow", "scikit-learn"),
        ),
        "djangorestframework": (_FRAMEWORK, "django rest framework"),
        "torch": (_FRAMEWORK, "pytorch"),
        "apache-airflow": (_FRAMEWORK, "airflow"),
        **_each(_TEST, "pytest", "nose2", "behave", "robotframework"),
        **_each(_QUALITY, "ruff", "mypy", "pyright", "pylint", "flake8", "black", "bandit", "ty"),
    },
    "javascript": {
        **_each(
            _FRAMEWORK,
            *("react", "next", "vue", "nuxt", "svelte", "express", "fastify", "koa", "astro"),
            *("electron", "gatsby", "hono", "preact", "solid-js", "vite"),
        ),
        "@angular/core": (_FRAMEWORK, "angular"),
        "@nestjs/core": (_FRAMEWORK, "nest"),
        "@remix-run/react": (_FRAMEWORK, "remix"),
        "@sveltejs/kit": (_FRAMEWORK, "sveltekit"),
        "react-native": (_FRAMEWORK, "react native"),
        **_each(_TEST, "vitest", "jest", "mocha", "ava", "cypress"),
        "@playwright/test": (_TEST, "playwright"),
        **_each(_QUALITY, "eslint", "prettier", "typescript"),
        "@biomejs/biome": (_QUALITY, "biome"),
    },
    "go": {
        "github.com/gin-gonic/gin": (_FRAMEWORK, "gin"),
        "github.com/labstack/echo": (_FRAMEWORK, "echo"),
        "github.com/gofiber/fiber": (_FRAMEWORK, "fiber"),
        "github.com/go-chi/chi": (_FRAMEWORK, "chi"),
        "github.com/spf13/cobra": (_FRAMEWORK, "cobra"),
        "google.golang.org/grpc": (_FRAMEWORK, "grpc"),
        "gorm.io/gorm": (_FRAMEWORK, "gorm"),
        "github.com/stretchr/testify": (_TEST, "testify"),
    },
    "rust": {
        **_each(
            _FRAMEWORK,
            *("actix-web", "axum", "rocket", "warp", "tokio", "tonic", "clap", "diesel", "sqlx"),
            *("bevy", "leptos", "tauri"),
        ),
        **_each(_TEST, "criterion", "proptest", "rstest"),
    },
}
# Dependencies of projects that handle logins, payments or keys.
SENSITIVE_DEPENDENCIES: Final[dict[str, str]] = {
    **dict.fromkeys(
        ("pyjwt", "python-jose", "authlib", "django-allauth", "passlib", "argon2-cffi", "bcrypt"),
        "logins",
    ),
    **dict.fromkeys(("passport", "next-auth", "jsonwebtoken", "@auth0/auth0-react"), "logins"),
    **dict.fromkeys(("github.com/golang-jwt/jwt", "golang.org/x/oauth2"), "logins"),
    **dict.fromkeys(("stripe", "braintree", "paypalrestsdk", "@stripe/stripe-js"), "payments"),
    **dict.fromkeys(("cryptography", "pynacl", "pycryptodome", "ring", "rustls"), "keys"),
    **dict.fromkeys(("fhir-resources", "hl7", "pydicom"), "health"),
}
