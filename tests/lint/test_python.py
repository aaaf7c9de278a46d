"""Style, types, and what the thin service may not do."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pyright
import pytest

from tests.support.each import for_each
from tests.support.node_tools import NODE
from tests.support.sql_files import PACKAGES, ROOT, files, relative

pytestmark = pytest.mark.lint

RUFF = Path(sys.executable).with_name("ruff")
MODULES = sorted(path for package in PACKAGES for path in package.rglob("*.py"))
# Who may talk SQL: the drivers' modules, what installs or provides a database, and the welcome,
# which shows people a statement to type. The artifact of a snapshot is a SQLite file of its own.
SQL_SPEAKERS = (
    "db/",
    "cli/session.py",
    "cli/welcome.py",
    "kinds/decisions/quartermaster_decisions/file_cache.py",
    "outage/cards.py",
    "install/",
    "snapshots/artifact.py",
    "substrate/",
)
_STATEMENT = re.compile(
    r"\bselect\b.+\bfrom\b|\binsert\s+into\s|\bupdate\s+\S+\s+set\s|\bdelete\s+from\s"
    r"|\b(create|alter|drop)\s+(table|role|database|schema|extension|function|index|view)\s"
    r"|^\s*(set\s+local|listen|notify|truncate|grant|revoke)\s",
    re.IGNORECASE | re.DOTALL,
)


def run_tool(*command: str | Path) -> None:
    """Runs a tool; its output is the failure."""
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    except subprocess.TimeoutExpired:
        pytest.fail(
            "The tool took longer than five minutes. If this machine is busy, run the test alone.",
            pytrace=False,
        )
    if done.returncode != 0:
        pytest.fail(f"{done.stdout}{done.stderr}", pytrace=False)


@cache
def parsed(module: Path) -> ast.Module:
    return ast.parse(module.read_text(encoding="utf-8"))


def literals(module: Path) -> list[tuple[int, str]]:
    """Returns string literals with their lines, f-strings joined, docstrings left out."""
    tree = parsed(module)
    documentation = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    found: list[tuple[int, str]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts = [str(p.value) if isinstance(p, ast.Constant) else "x" for p in node.values]
            found.append((node.lineno, "".join(parts)))
        elif (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in documentation
        ):
            found.append((node.lineno, node.value))
    return found


def imports(module: Path) -> set[str]:
    """Returns top-level packages a module imports."""
    names: set[str] = set()
    for node in ast.walk(parsed(module)):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.partition(".")[0])
    return names


def test_ruff_finds_nothing():
    run_tool(RUFF, "check", "--no-fix", ".")


def test_python_is_laid_out_by_ruff():
    run_tool(RUFF, "format", "--check", ".")


def test_types_are_checked_strictly():
    # A run is too short for code that is compiled thoroughly, and what it makes lives to its end.
    options = ("--no-opt", "--min-semi-space-size=128", "--max-semi-space-size=128")
    program = Path(pyright.__file__).with_name("dist") / "index.js"
    run_tool(NODE / "bin" / "node", *options, program)


def _in_the_core(module: Path) -> str:
    """Returns the path of a module in the core's package; for one of a kind, from the root."""
    return relative(module).removeprefix("service/quartermaster/")


@for_each(MODULES, relative)
def test_only_the_database_modules_speak_sql(module: Path):
    if not _in_the_core(module).startswith(SQL_SPEAKERS):
        assert not [(line, text) for line, text in literals(module) if _STATEMENT.search(text)]


def test_only_db_imports_the_asynchronous_driver():
    users = {_in_the_core(m) for m in MODULES if "asyncpg" in imports(m)}
    assert users <= {"db/database.py", "db/driver.py"}


def test_the_version_is_stated_alike():
    import quartermaster

    for path in files("pyproject.toml"):
        assert f'version = "{quartermaster.__version__}"' in path.read_text(), relative(path)
