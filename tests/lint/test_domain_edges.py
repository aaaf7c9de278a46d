"""Which domain may use which: a directed graph without cycles, written in domain_edges.toml."""

from __future__ import annotations

import re
import tomllib
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from tests.support.error_files import registered
from tests.support.sql_files import (
    FUNCTION_FILES,
    OPERATION_SCHEMAS,
    OTHER_SQL,
    ROOT,
    SCHEMAS,
    FunctionFile,
    code_of,
    files,
    relative,
)

pytestmark = pytest.mark.lint

_EDGES = tomllib.loads(Path(__file__).with_name("domain_edges.toml").read_text(encoding="utf-8"))
ALLOWED: dict[str, list[str]] = _EDGES["uses"]
KINDS: list[str] = _EDGES["kinds"]
ASKS_API: list[str] = _EDGES["asks_api"]
_REFERENCE = re.compile(rf"(?:(?<![\w.'])|(?<=')(?=[\w.]+'::regclass))({'|'.join(SCHEMAS)})\.\w")
_RAISED = re.compile(r"\bcore\.fail\(\s*(?:p_slug\s*=>\s*)?'([a-z0-9_]+)'")
# In strings, too: a setting of a kind, or the name of a function that is called by its name.
_OF_KIND = re.compile(rf"(?<![\w.])({'|'.join(KINDS)})\.\w")


def files_of_domains() -> list[tuple[str, Path]]:
    """Functions, views and triggers, each with the domain it belongs to."""
    functions = [(FunctionFile(path).parts[0], path) for path in FUNCTION_FILES]
    rest = [
        (path.stem, path)
        for folder in ("views", "triggers")
        for path in files(f"sql/{folder}/*.sql")
    ]
    rest += [("api", path) for path in files("sql/views/api/*.sql")]
    return functions + rest


def used_edges() -> dict[tuple[str, str], str]:
    """Returns each (from, to) with one file that shows it."""
    edges: dict[tuple[str, str], str] = {}
    for domain, path in files_of_domains():
        for target in _REFERENCE.findall(code_of(path.read_text(encoding="utf-8"))):
            if target != domain and not (target == "api" and domain in ASKS_API):
                edges.setdefault((domain, target), relative(path))
    return edges


def test_no_file_uses_a_domain_it_may_not():
    new = {
        edge: path for edge, path in used_edges().items() if edge[1] not in ALLOWED.get(edge[0], [])
    }
    assert not new, "add it to tests/lint/domain_edges.toml only if the layers stay clear"


def test_only_a_kind_itself_names_what_is_in_its_domain():
    for path in [*FUNCTION_FILES, *OTHER_SQL]:
        if path.parent.name == "kinds":
            continue
        names = {path.stem, *path.relative_to(ROOT).parts}
        code = code_of(path.read_text(encoding="utf-8"))
        others = set(_OF_KIND.findall(code)) - names
        assert not others, f"{relative(path)}: use a hook (core.hook_point) instead of {others}"


def test_an_error_that_only_a_kind_raises_stands_beside_its_sql():
    raised: dict[str, set[str]] = {}
    for path in FUNCTION_FILES:
        schema, domain, *_ = FunctionFile(path).parts
        for slug in _RAISED.findall(code_of(path.read_text(encoding="utf-8"))):
            raised.setdefault(slug, set()).add(domain if schema in OPERATION_SCHEMAS else schema)
    owners = {
        slug: domains.pop() if len(domains) == 1 and domains <= {*KINDS} else "error_codes"
        for slug, domains in raised.items()
    }
    files = {slug: error.path.stem for slug, error in registered().items()}
    assert not {slug: owner for slug, owner in owners.items() if files.get(slug) != owner}


def test_every_allowed_edge_is_used():
    allowed = {(domain, target) for domain, targets in ALLOWED.items() for target in targets}
    assert allowed <= set(used_edges())


def test_the_graph_has_no_cycle_and_ends_at_core_and_api():
    list(TopologicalSorter(ALLOWED).static_order())
    assert ALLOWED["core"] == []
    assert not [domain for domain, targets in ALLOWED.items() if {*OPERATION_SCHEMAS} & {*targets}]
