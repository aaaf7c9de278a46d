"""docs/dependencies.md has a row for each package that we depend on, and for no other."""

from __future__ import annotations

import re
import tomllib

import pytest

from tests.support.sql_files import ROOT

pytestmark = pytest.mark.lint

_NAME = re.compile(r"[a-z0-9-]+")


def test_each_dependency_has_its_reason():
    declared: set[str] = set()
    for path in [ROOT / "pyproject.toml", *ROOT.glob("kinds/*/pyproject.toml")]:
        project = tomllib.loads(path.read_text(encoding="utf-8"))["project"]
        more = project.get("optional-dependencies", {}).values()
        lists = [project.get("dependencies", []), *more]
        declared |= {_NAME.match(each)[0] for names in lists for each in names}
    page = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `")]
    listed = {name for row in rows for name in re.findall("`([^`]+)`", row)}
    assert listed == {name for name in declared if name != "pgquartermaster"}
