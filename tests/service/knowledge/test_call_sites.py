"""Names, attributes and keywords that installed packages do not have are found."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import anyio
import pytest

from quartermaster.core.errors import QmError
from quartermaster.knowledge.call_sites import Mistake, check
from quartermaster.knowledge.environment import packages_folder

ENVIRONMENT = packages_folder(Path(sys.prefix)).parents[2]


def _members(modules: Sequence[str], owner: str) -> list[dict[str, Any]]:
    row = {"kind": "method", "signature": "", "parameters": [], "file": "a.py", "line": 1}
    rows = {
        "Response": [{**row, "name": "json", "path": "httpx2.Response.json"}],
        "Client.get": [
            {**row, "name": "get", "path": "httpx2.Client.get", "parameters": ["url", "params"]}
        ],
        "pydantic.BaseModel": [
            {**row, "name": "model_dump", "path": "pydantic.BaseModel.model_dump"}
        ],
    }
    return rows.get(owner, []) if modules else []


def _check(code: str) -> list[Mistake]:
    return anyio.run(check, {"case.py": code.encode()}, ENVIRONMENT, _members)


@pytest.mark.parametrize(
    ("code", "wrong", "right"),
    [
        ("import httpx2\nhttpx2.get('x').jsn()\n", "jsn", "json"),
        ("import httpx2\nhttpx2.Client().get('x', paramz={})\n", "paramz", "params"),
        (
            "import pydantic\nclass M(pydantic.BaseModel):\n    a: int\nM(a=1).model_dumps()\n",
            "model_dumps",
            "model_dump",
        ),
    ],
)
def test_the_nearest_real_name_is_given(code: str, wrong: str, right: str) -> None:
    [found] = _check(code)
    assert found.name == wrong
    assert found.nearest[0]["name"] == right


def test_what_exists_is_not_reported() -> None:
    assert _check("import httpx2\nhttpx2.get('x', params={}).json()\n") == []


def test_nothing_of_the_file_runs() -> None:
    assert _check("import sys\nsys.exit(7)\n") == []


def test_a_file_that_is_no_python_is_refused() -> None:
    with pytest.raises(QmError) as refused:
        _check("def (:\n")
    assert refused.value.slug == "file_not_parsed"
