"""Names, attributes and keywords that installed packages do not have are found."""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import anyio
import pytest

from quartermaster.core.errors import QmError
from quartermaster.projects.workers import close_readers
from quartermaster_knowledge import call_sites
from quartermaster_knowledge.call_sites import (
    Checked,
    Members,
    Mistake,
    check,
    mistake_text,
    root_of,
)
from quartermaster_knowledge.environment import packages_folder

ENVIRONMENT = packages_folder(Path(sys.prefix)).parents[2]


def _members(modules: Sequence[str], owner: str) -> list[dict[str, Any]]:
    row: dict[str, Any] = {"kind": "method", "signature": "", "parameters": [], "file": "a.py"}
    row |= {"line": 1, "deprecated": None}
    rows = {
        "Response": [{**row, "name": "json", "path": "httpx2.Response.json"}],
        "Client.get": [
            {**row, "name": "get", "path": "httpx2.Client.get", "parameters": ["url", "params"]}
        ],
        "pydantic.BaseModel": [
            {**row, "name": "model_dump", "path": "pydantic.BaseModel.model_dump"},
            {**row, "name": "parse_obj", "path": "pydantic.BaseModel.parse_obj", "deprecated": "1"},
            {**row, "name": "parse_any", "path": "pydantic.BaseModel.parse_any"},
        ],
    }
    return rows.get(owner, []) if modules else []


def _checked(
    files: Mapping[str, bytes], root: Path | None = None, members: Members = _members
) -> Checked:
    async def run() -> Checked:
        try:
            return await check(files, ENVIRONMENT, members, root)
        finally:
            await close_readers()

    return anyio.run(run)


def _check(code: str) -> list[Mistake]:
    return list(_checked({"case.py": code.encode()}).mistakes)


def _check_files(*paths: Path) -> Checked:
    files = {str(path): path.read_bytes() for path in paths}
    return _checked(files, root_of(files))


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


_OVERLOADS = """
from typing import overload
import subprocess
class Box:
    @overload
    def __init__(self, side: int, *, lid: bool = ...) -> None: ...
    @overload
    def __init__(self, side: str, /, *, tape: str) -> None: ...
    def __init__(self, side, **options): ...
    @overload
    def fold(self, at: int) -> "Box": ...
    @overload
    def fold(self, at: str, *, twice: bool = ...) -> "Box": ...
    def fold(self, at, **options): return self
"""


@pytest.mark.parametrize(
    ("call", "wrong"),
    [
        ("Box(1, lidd=True)", ["lidd"]),
        ("Box(1, lid=True, width=2)", ["width"]),
        ("Box(1, lid=True).fold(2, thrice=True).fold(2)", ["thrice"]),
        ("['é', Box('a', tape='é').fold(2, thrice=True, once=True)]", ["thrice", "once"]),
        ("subprocess.run(['ls'], captur_output=True)", ["captur_output"]),
        # What one of the overloads takes exists, whatever else is wrong.
        ("Box(1, tape='x')", []),
        ("Box(1, 2, 3, lid=True)", []),
        ("Box(1).fold(2, twice=True)", []),
        ("Box(1, **{'lidd': True})", []),
    ],
)
def test_a_keyword_that_no_overload_takes_is_a_mistake(call: str, wrong: list[str]) -> None:
    found = _check(f"{_OVERLOADS}{call}\n")
    assert [each.name for each in found] == wrong
    for each in found:
        assert each.line == len(_OVERLOADS.splitlines()) + 1
        assert call[each.column - 1 :].startswith(f"{each.name}=")


@pytest.mark.parametrize(
    ("wrong", "nearest"),
    [("parse_objs", "parse_obj"), ("parse_obx", "parse_any"), ("zzz", None)],
)
def test_what_is_suggested_is_similar_and_not_deprecated(wrong: str, nearest: str | None) -> None:
    code = "import pydantic\nclass M(pydantic.BaseModel):\n    a: int\n"
    [found] = _check(f"{code}M(a=1).{wrong}()\n")
    assert found.is_known
    assert (found.nearest[0]["name"] if found.nearest else None) == nearest
    assert ("It has nothing with a similar name." in mistake_text(found)) == (nearest is None)


def test_what_no_type_of_a_union_has_is_one_mistake() -> None:
    code = "import httpx2\ndef f(x: httpx2.Response | httpx2.Client) -> None:\n    x.jsn()\n"
    [found] = _check(code)
    assert (found.name, found.nearest[0]["name"]) == ("jsn", "json")
    assert _check(code.replace("jsn", "json")) == []  # one of them has it


def test_what_a_checker_takes_for_none_is_not_reported() -> None:
    assert _check("def f():\n    x = None\n    x.jsn()\n") == []


def test_a_keyword_that_no_function_of_a_union_has_is_one_mistake() -> None:
    code = "import httpx2\ndef f(x: httpx2.Client, y: bool) -> None:\n"
    code += "    (x.get if y else x.head)('x', paramz={})\n"
    assert [each.name for each in _check(code)] == ["paramz"]


def test_a_name_is_one_mistake_for_each_place() -> None:
    [first, second] = _check("import httpx2\nhttpx2.get('x').jsn(); httpx2.get('y').jsn()\n")
    assert (first.line, second.line) == (2, 2)
    assert first.column < second.column


def test_what_exists_is_not_reported() -> None:
    assert _check("import httpx2\nhttpx2.get('x', params={}).json()\n") == []


def test_nothing_of_the_file_runs() -> None:
    assert _check("import sys\nsys.exit(7)\n") == []


def test_a_file_that_is_no_python_does_not_stop_the_check_of_others() -> None:
    files = {"syn.py": b"a = 1\ndef (:\n", "uses.py": b"import httpx2\nhttpx2.get('x').jsn()\n"}
    done = _checked(files)
    assert [each.name for each in done.mistakes] == ["jsn"]
    assert done.unparsed == {"syn.py": "cannot be parsed at line 2: invalid syntax"}
    other = _checked({"web/app.js": b"let a = 1;\n"})
    assert other.unparsed == {"web/app.js": "not Python"}


def test_a_file_that_cannot_be_read_does_not_stop_the_check_of_others() -> None:
    broken = {"deep.py": b"x = " + b"-" * 200_000 + b"1\n", "\udcff.py": b"import json\n"}
    files = {**broken, "case.py": b"import json\njson.nothing()\n"}
    done = _checked(files)
    assert [each.name for each in done.mistakes] == ["nothing"]
    assert done.unparsed == {
        "deep.py": "cannot be parsed at line 1: it is nested too deeply",
        "\udcff.py": "its name is not valid Unicode",
    }


def test_the_suggested_keyword_is_shown_in_a_long_signature() -> None:
    signature = "send(" + ", ".join(f"option_{n}: int = 0" for n in range(40)) + ")"
    nearest = {"name": "option_30", "signature": signature, "file": "a.py", "line": 1}
    keyword = Mistake("case.py", 1, 1, "keyword", "optoin_30", "acme.send", (nearest,))
    assert "option_30: int = 0" in mistake_text(keyword)
    assert len(mistake_text(keyword)) < 400


def test_what_cannot_be_checked_is_said() -> None:
    code = b"import moon_dust.rocks, httpx2.nothing\nfrom moon_dust import grain\nimport os.path\n"
    done = _checked({"case.py": code})
    assert done.mistakes == ()
    assert (done.missing, done.unread) == (("moon_dust",), ("httpx2.nothing",))


def test_a_single_file_is_checked_with_its_siblings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = {
        "app/__init__.py": "",
        "app/part.py": "def here() -> None: ...\n",
        "app/uses.py": "from .part import here, gone\nimport app.part\napp.part.lost()\n",
        "tool/sib.py": "from helper import deep\n",
        "tool/helper.py": "class Deep:\n    pass\ndeep = Deep()\n",
        "tool/uses.py": "import sib\nimport httpx2\nsib.deep.nothing\nsib.absent\n",
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "pyproject.toml").touch()
    for here in (tmp_path, tmp_path.parent):
        monkeypatch.chdir(here)
        for folder, names in (("app", {"gone", "lost"}), ("tool", {"nothing", "absent"})):
            alone = _check_files(tmp_path / folder / "uses.py")
            assert {each.name for each in alone.mistakes} == names
            assert (alone.missing, alone.unread) == ((), ())
            whole = _check_files(*sorted((tmp_path / folder).glob("*.py")))
            assert whole == alone


def test_a_file_above_the_current_folder_can_be_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "sib.py").touch()
    (tmp_path / "uses.py").write_text("from sib import gone\n")
    monkeypatch.chdir(tmp_path / "here")
    [found] = _check_files(Path("../uses.py")).mistakes
    assert (found.path, found.name) == ("../uses.py", "gone")


def test_a_module_beside_a_file_does_not_fill_the_memory(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").touch()
    code = "import vast, far_off\nfrom .vast import more\nimport httpx2\nhttpx2.get('x').jsn()\n"
    (tmp_path / "uses.py").write_text(code)
    with (tmp_path / "vast.py").open("wb") as file:
        file.truncate(3_000_000_000)
    tracemalloc.start()
    found = _check_files(tmp_path / "uses.py")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [each.name for each in found.mistakes] == ["jsn"]
    assert (found.missing, found.unread, found.too_large) == (("far_off",), (), ("vast.py",))
    assert peak < 100_000_000


def test_a_checked_file_is_no_settings_of_the_checker() -> None:
    files = {
        "bad.py": b"import httpx2\nhttpx2.get('x').jsn()\n",
        "ty.toml": b'rules.all = "ignore"\n',
    }
    done = _checked(files)
    assert [each.name for each in done.mistakes] == ["jsn"]
    assert done.unparsed == {"ty.toml": "not Python"}


def test_a_long_chain_of_attributes_asks_the_database_seldom() -> None:
    asked: list[str] = []

    def members(modules: Sequence[str], owner: str) -> list[dict[str, Any]]:
        asked.append(owner)
        return _members(modules, owner)

    code = f"import httpx2\nx = httpx2{'.b' * 300}\n".encode()
    _checked({"deep.py": code}, members=members)
    assert len(asked) < 50


def test_a_comparison_that_takes_too_long_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(call_sites, "_COMPARED_S", -1.0)
    with pytest.raises(QmError, match="Check fewer files"):
        _check("import httpx2\nhttpx2.get\n")
