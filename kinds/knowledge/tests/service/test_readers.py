"""A package that cannot be read within bounds is named, and costs no other package."""

from __future__ import annotations

import sys
import tracemalloc
from pathlib import Path

import pytest

from kinds.knowledge.tests.libraries import install
from quartermaster_knowledge import readers
from quartermaster_knowledge.environment import InstalledDistribution, installed
from quartermaster_knowledge.readers import read_all, read_distribution

# Its tree of syntax takes about a gigabyte and some seconds.
BULKY = f"HEAP = [{'(), ' * 1_500_000}]\n"


def _packages(folder: Path, *names: str) -> list[InstalledDistribution]:
    for name in names:
        text = BULKY if name == "bulky" else "def weigh() -> int:\n    return 1\n"
        install(folder, name, "1.0", {f"{name}.py": text})
    return list(installed(folder))


@pytest.mark.parametrize(
    ("bound", "most", "reason"),
    [
        ("MOST_MEMORY", 300_000_000, "needs more than 0.3 GB of memory to be read"),
        ("MOST_SECONDS", 0, "its reading process was ended, or took more than 0 s"),
    ],
)
@pytest.mark.parametrize("names", [("bulky",), ("bulky", "chalk", "slate", "stones")])
def test_what_needs_too_much_is_unread_and_the_others_are_read(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    bound: str,
    most: int,
    reason: str,
    names: tuple[str, ...],
) -> None:
    monkeypatch.setattr(readers, bound, most)
    read = {each.distribution.name: each for each in read_all(_packages(tmp_path, *names))}
    assert set(read) == set(names)
    assert (read["bulky"].rows, read["bulky"].unread) == ([], [reason])
    for name in set(names) - {"bulky"}:
        assert [row["path"] for row in read[name].rows] == [name, f"{name}.weigh"]
        assert read[name].unread == []


def test_a_module_that_cannot_be_parsed_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "lib" / "python3.12" / "site-packages"
    files = {
        "basin/__init__.py": "DEPTH = 3\n",
        "basin/old.py": "X = 1\nprint X\n",
        "basin/deep/__init__.py": "",
        "basin/deep/empty.py": "\0",
        "basin/tests/bad.py": "(",
    }
    install(folder, "basin", "1.0", files)
    [found] = installed(folder)
    read = read_distribution(found)
    assert [row["path"] for row in read.rows] == ["basin", "basin.DEPTH", "basin.deep"]
    python = f"Python {sys.version_info.major}.{sys.version_info.minor}"
    assert sorted(read.unread) == [
        f"basin.deep.empty: line 1 is not valid syntax in {python}",
        f"basin.old: line 2 is not valid syntax in {python}",
    ]


def test_a_file_with_holes_does_not_fill_the_memory(tmp_path: Path) -> None:
    install(tmp_path, "hollow", "1.0", {"hollow.py": "ROOM = 1\n"})
    with (tmp_path / "hollow.py").open("ab") as file:
        file.truncate(300_000_000)
    tracemalloc.start()
    try:
        [found] = installed(tmp_path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert found.modules == ("hollow",)
    assert peak < 100_000_000
