"""Python packages import downwards only, as layers.toml has them."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.lint.test_domain_edges import KINDS
from tests.support.sql_files import ROOT

pytestmark = pytest.mark.lint

SERVICE = ROOT / "service"
LAYERS: dict[str, list[list[str]]] = tomllib.loads(
    Path(__file__).with_name("layers.toml").read_text(encoding="utf-8")
)


def modules() -> dict[str, str]:
    """Dotted name to source text of each module of ours."""
    found: dict[str, str] = {}
    for path in sorted((SERVICE / "quartermaster").rglob("*.py")):
        parts = path.relative_to(SERVICE).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found[name] = path.read_text(encoding="utf-8")
    return found


def imported(module: str, text: str) -> set[str]:
    """Every name that a module imports, wherever in it: in functions, and for types only, too."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = module.split(".")[: -node.level] if node.level else []
            base = ".".join([*above, *filter(None, [node.module])])
            found |= {base, *(f"{base}.{alias.name}" for alias in node.names)}
    return found


def arrows(package: str, sources: dict[str, str]) -> dict[tuple[str, str], set[str]]:
    """From and to which member of a package there are imports, with the modules that import."""
    found: dict[tuple[str, str], set[str]] = {}
    inside = f"{package}."
    for module, text in sources.items():
        if not module.startswith(inside):
            continue
        own = module.removeprefix(inside).partition(".")[0]
        for name in imported(module, text):
            other = name.removeprefix(inside).partition(".")[0]
            is_member = any(f"{inside}{other}" == one for one in sources)
            if name.startswith(inside) and is_member and other != own:
                found.setdefault((own, other), set()).add(module)
    return found


@pytest.mark.parametrize("package", LAYERS)
def test_every_member_has_one_layer(package: str):
    listed = sorted(name for layer in LAYERS[package] for name in layer)
    members = {
        name.removeprefix(f"{package}.").partition(".")[0]
        for name in modules()
        if name.startswith(f"{package}.")
    }
    assert listed == sorted(members)


@pytest.mark.parametrize("package", LAYERS)
def test_imports_go_down_only(package: str):
    depth = {name: number for number, layer in enumerate(LAYERS[package]) for name in layer}
    wrong = {
        f"{own} -> {other}": sorted(by)
        for (own, other), by in arrows(package, modules()).items()
        if depth[own] >= depth[other]
    }
    assert not wrong


def test_no_module_of_the_core_imports_a_kind():
    kinds = tuple(f"quartermaster.{kind}" for kind in KINDS)
    importing = {
        module
        for module, text in modules().items()
        if not is_in(module, kinds) and any(is_in(name, kinds) for name in imported(module, text))
    }
    assert not importing, "let the kind bring it (core/kind_packages.py)"


def test_no_module_of_the_core_is_called_like_a_kind():
    kinds = tuple(f"quartermaster.{kind}" for kind in KINDS)
    named = {each for each in modules() if not is_in(each, kinds) and {*each.split(".")} & {*KINDS}}
    assert not named


def is_in(module: str, packages: Sequence[str]) -> bool:
    """Whether a module is one of these packages, or in one."""
    return any(module == each or module.startswith(f"{each}.") for each in packages)


@pytest.mark.parametrize(
    "text",
    [
        "import p.high.one",
        "from p import high",
        "from p.high.one import thing",
        "from ..high import thing",
        "def work():\n    from p.high import one",
        "if TYPE_CHECKING:\n    from p.high.one import thing",
    ],
)
def test_an_import_is_seen_wherever_it_stands(text: str):
    sources = {"p": "", "p.high": "", "p.high.one": "", "p.low": "", "p.low.two": text}
    assert arrows("p", sources) == {("low", "high"): {"p.low.two"}}
