"""A file, a name or a root is of a kind that readers do not expect: a refusal, no internal error.

`Member.ask` and the fixture `mallory` assert that.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from typing import Final

import pytest

from tests.support.member import CODE, Member

_SERVICE: Final = "services:\n  a:\n    image: x:1\n    environment:\n      B: {}\n    cpus: {}\n"
VALUES: Final = {
    "a hexadecimal number that no decimal one can be": f"0x{'f' * 20_000}",
    "a binary number that no decimal one can be": f"0b{'1' * 60_000}",
    "a number to the base of sixty, too large for a float": f"1{':59' * 400}.5",
    "a number to the base of sixty with nothing in it": "!!int ''",
    "a number of signs only": "!!int '-'",
    "a word that is called a truth value": "!!bool perhaps",
    "a word that is called a moment": "!!timestamp yesterday",
    "a moment with an offset of days": "2001-01-01 00:00:00 +99:99",
    "bytes that are none": "!!binary '\u20ac'",
    "a float without digits": "!!float .",
    "letters that are no text": '"\\uD800"',
    "a letter that databases refuse": '"\\0"',
    "a value that is not a number": ".nan",
    "a mapping with a list for a key": "{[1, 2]: 3}",
    "a set": "!!set {a, b}",
}


@pytest.mark.parametrize("value", VALUES.values(), ids=list(VALUES))
def test_a_value_of_a_compose_file(mallory: Member, value: str) -> None:
    mallory.write("compose.yaml", _SERVICE.format(value, value))
    mallory.ask("validate_config", file_path="compose.yaml")
    mallory.ask("quality_gate", file_path="compose.yaml")


@pytest.mark.parametrize("name", ['"\\uD800"', '"\\0"', "1e999", "!!bool x", "? [a]\n "])
def test_a_name_in_a_compose_file(mallory: Member, name: str) -> None:
    mallory.write("compose.yaml", f"services:\n  {name}:\n    privileged: true\n")
    mallory.ask("validate_config", file_path="compose.yaml")
    mallory.ask("quality_gate", file_path="compose.yaml")


_DEEP: Final = f"{'[' * 50_000}{']' * 50_000}"
MANIFESTS: Final = {
    "inner/package.json": json.dumps({"name": "\ud800", "packageManager": "\udfff@1"}),
    "package.json": json.dumps({"name": "a\0b", "packageManager": "a\0b@1"}),
    "pyproject.toml": f"a = {_DEEP}\n",
    "inner/pyproject.toml": '[project]\nname = "a\\u0000b"\nrequires-python = ">=3.99999999"\n',
    "Cargo.toml": f"a = {'9' * 5_000}\nb = 9999-99-99\n",
    "go.mod": f"module {'/v1' * 50_000}\n",
    "requirements.txt": f"{'a-' * 50_000}==1\n\0\n",
}


@pytest.mark.parametrize("path", MANIFESTS)
def test_a_manifest(mallory: Member, path: str) -> None:
    mallory.write(path, MANIFESTS[path])
    mallory.write(CODE, "package prices\n")
    mallory.ask("project_profile")
    mallory.ask("quality_gate", file_path=CODE)


DOCKERFILES: Final = {
    "a list in lists": f"FROM a:1\nRUN {_DEEP}\nUSER app\n",
    "a number of many digits": f"FROM a:1\nCMD [{'9' * 5_000}]\nUSER app\n",
    "a list that is no text": 'FROM a:1\nCMD ["\\ud800"]\nENV A_TOKEN="\\0"\n',
    "a stage on itself": "FROM a AS a\nFROM a AS a\nCOPY --from=9 / /\nUSER a\n",
    "only arguments": "ARG A=${A:-${A}}\nFROM ${A\n",
}


@pytest.mark.parametrize("text", DOCKERFILES.values(), ids=list(DOCKERFILES))
def test_a_dockerfile(mallory: Member, text: str) -> None:
    mallory.write("Dockerfile", text)
    mallory.ask("validate_config", file_path="Dockerfile")
    mallory.ask("quality_gate", file_path="Dockerfile")


PYTHON: Final = {
    "names in names": f"import a\n\na{'.b' * 4_000}\n",
    "operations in operations": f"a = {'-' * 4_000}1\n",
    "a number of many digits": f"a = 0x{'f' * 20_000}\n",
    "an encoding that is no encoding of text": "# -*- coding: hex -*-\na = 1\n",
    "letters that are no text": 'A = "\\ud800"\npassword = "\\ud800\\0secret"\n',
    "imports above everything": f"from {'.' * 500}a import b\n",
}


@pytest.mark.parametrize("text", PYTHON.values(), ids=list(PYTHON))
def test_a_python_file(mallory: Member, text: str) -> None:
    mallory.write("prices.py", text)
    mallory.ask("impact_analysis", file_path="prices.py")
    mallory.ask("security_scan", file_path="prices.py")


@pytest.mark.parametrize(
    "data",
    [b"", b"SQLite format 3\0" + bytes(4_000), b"{", _DEEP.encode()],
    ids=["empty", "no tables", "a brace", "lists"],
)
def test_coverage_data(mallory: Member, data: bytes) -> None:
    mallory.write("prices.py", "A = 1\n")
    mallory.write(".coverage", data)
    mallory.ask("security_scan", file_path="prices.py")
    mallory.ask("score_file", file_path="prices.py", categories=["test_coverage"])


def test_a_name_that_is_no_text(mallory: Member) -> None:
    """Also as a companion of another file."""
    mallory.git("init", "-q", "-b", "main")
    other = os.fsencode(mallory.root) + b"/\xff\xfe\xed\xa0\x80.go"
    for number in range(4):
        mallory.write(CODE, f"package prices\n\nconst Rate = {number}\n")
        with open(other, "w") as file:  # noqa: PTH123 - a path has no such name
            file.write(f"package other // {number}\n")
        mallory.git("add", "-A")
        mallory.git("commit", "-qm", "x")
    with open(other, "w") as file:  # noqa: PTH123 - a path has no such name
        file.write("package changed\n")
    mallory.ask_all("main")


def gone(mallory: Member) -> None:
    shutil.rmtree(mallory.root)


def a_file(mallory: Member) -> None:
    gone(mallory)
    mallory.root.write_text("no folder\n")


def a_fifo(mallory: Member) -> None:
    gone(mallory)
    os.mkfifo(mallory.root)


def a_link_to_itself(mallory: Member) -> None:
    gone(mallory)
    mallory.root.symlink_to(mallory.root)


def a_link_to_nothing(mallory: Member) -> None:
    gone(mallory)
    mallory.root.symlink_to(mallory.root.with_name("nothing"))


@pytest.mark.parametrize("change", [gone, a_file, a_fifo, a_link_to_itself, a_link_to_nothing])
def test_a_root_that_is_no_folder(mallory: Member, change: Callable[[Member], None]) -> None:
    mallory.commit()
    change(mallory)
    mallory.ask_all("main")
    mallory.ask("project_profile")
    mallory.ask("project_profile", project_root="inner")
    mallory.ask("score_file", file_path=CODE, quick=True)
    mallory.ask("validate_config", file_path="Dockerfile")
    mallory.ask("report")
