"""Python packages import downwards only, as layers.toml has them."""

from __future__ import annotations

import ast
import os
import re
import tomllib
from pathlib import Path

import pytest

from tests.lint.test_domain_edges import KINDS
from tests.support.sql_files import PACKAGES, ROOT, modules

pytestmark = pytest.mark.lint

PACKAGES_OF_KINDS = [f"quartermaster_{kind}" for kind in KINDS]
LAYERS: dict[str, list[list[str]]] = tomllib.loads(
    Path(__file__).with_name("layers.toml").read_text(encoding="utf-8")
)


def sources() -> dict[str, str]:
    """Returns dotted name to source text of each module of ours."""
    return {name: path.read_text(encoding="utf-8") for name, path in modules().items()}


def imported(module: str, text: str) -> set[str]:
    """Returns every name that a module imports, wherever in it: in functions, and for types only,
    too.
    """
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
        for (own, other), by in arrows(package, sources()).items()
        if depth[own] >= depth[other]
    }
    assert not wrong


def layer_rows() -> list[str]:
    """The rows of the table in service/README.md: the members of each layer, topmost first."""
    paths = modules()
    rows: list[str] = []
    for number, layer in enumerate(LAYERS["quartermaster"]):
        for name in layer:
            path = paths[f"quartermaster.{name}"]
            docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
            first = re.split(r"(?<=[.!?])\s", " ".join(docstring.split("\n\n")[0].split()))[0]
            shown = f"{name}/" if path.name == "__init__.py" else path.name
            rows.append(f"| {number + 1} | `{shown}` | {first.replace('``', '`')} |")
    return rows


def test_the_readme_lists_the_layers():
    readme = ROOT / "service" / "README.md"
    text = readme.read_text(encoding="utf-8")
    begin, table = re.split(r"(?<=\|---\|---\|---\|\n)", text, maxsplit=1)
    end = re.sub(r"\A(?:\|.*\n)*", "", table)
    wanted = begin + "".join(f"{row}\n" for row in layer_rows()) + end
    if os.environ.get("QM_WRITE_SNAPSHOTS"):
        readme.write_text(wanted, encoding="utf-8")
    assert readme.read_text(encoding="utf-8") == wanted, "run: make docs"


def kind_of(name: str) -> str | None:
    """Returns the package of a kind that a module is or is in; None for the core and for packages
    of others.
    """
    found = (each for each in PACKAGES_OF_KINDS if name == each or name.startswith(f"{each}."))
    return next(found, None)


def test_the_packages_of_kinds_are_known():
    # The first is the core, the last the library for programs.
    assert [kind_of(package.name) for package in PACKAGES] == [
        None,
        *(package.name for package in PACKAGES[1:-1]),
        None,
    ]
    assert kind_of("quartermaster_knowledge_of_others") is None


def test_no_module_imports_a_kind_but_its_own():
    wrong = {
        module: sorted(others)
        for module, text in sources().items()
        if (
            others := {kind for name in imported(module, text) if (kind := kind_of(name))}
            - {kind_of(module)}
        )
    }
    assert not wrong, "let the kind bring it (core/kind_packages.py)"


def test_no_module_imports_what_no_wheel_contains():
    wrong = {
        module: sorted(found)
        for module, text in sources().items()
        if (found := {n for n in imported(module, text) if n.partition(".")[0] in {"lab", "tests"}})
    }
    assert not wrong


def test_no_module_of_the_core_is_called_like_a_kind():
    named = {each for each in modules() if not kind_of(each) and {*each.split(".")} & {*KINDS}}
    assert not named


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
