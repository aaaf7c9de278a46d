"""What a change touches is read from the files' text; nothing of the project is imported."""

from __future__ import annotations

from pathlib import Path
from subprocess import run

import pytest

from quartermaster.core.errors import QmError
from quartermaster.projects.guard import ProjectFileAccess, real_folder
from quartermaster.projects.project_files import walk
from quartermaster_quality.impact import (
    ChangeType,
    Companion,
    Impact,
    Importer,
    UsageSite,
    impact,
    with_companions,
)
from quartermaster_quality.imports import ImportIndex, module_names

FILES = {
    "src/shop/__init__.py": "raise SystemExit('the project was run')\n",
    "src/shop/prices.py": "RATE = 2\n\n\ndef price(x):\n    return x\n\n\nclass Tax: ...\n",
    "src/shop/cart.py": "from .prices import price as p, RATE\n\n\ndef f():\n    return p(RATE)\n",
    "src/shop/web/__init__.py": "",
    "src/shop/web/page.py": "from ..cart import f\n\nprint(f())\n",
    "src/shop/report.py": "import shop.prices\n\n\ndef f():\n    return shop.prices.Tax()\n",
    "src/shop/other.py": "import json\n\n\ndef price():\n    return json\n\n\nprice()\n",
    "tests/test_page.py": "from shop.web import page\n",
    "tests/test_prices.py": "import importlib\n",
    "tests/test_other.py": "import shop.other\n",
    "tool.py": "import importlib, sys\n\nimportlib.import_module(sys.argv[1])\n",
    "broken.py": "def f(:\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = real_folder(tmp_path) / "p"
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root


def touched(root: Path, path: str, change: ChangeType = ChangeType.MODIFIED) -> Impact:
    guard = ProjectFileAccess(root)
    index = ImportIndex(guard)
    index.update(walk(guard).files)
    return with_companions(guard, impact(guard, index, path, change))


def test_a_shallow_clone_says_how_to_get_older_commits(root: Path, tmp_path: Path):
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "1"]):
        run(["git", *who, *command], cwd=root, check=True)
    run(["git", *who, "commit", "-q", "--allow-empty", "-m", "2"], cwd=root, check=True)
    copy = tmp_path / "copy"
    run(["git", "clone", "-q", "--depth=1", root.as_uri(), copy], check=True)
    assert not any("shallow" in gap for gap in touched(root, "tool.py").gaps)
    gaps = touched(real_folder(copy), "tool.py").gaps
    assert any("git fetch --unshallow" in gap for gap in gaps)


def test_importers_uses_and_tests_of_a_module(root: Path):
    found = touched(root, "src/shop/prices.py")
    assert found.importers == (
        Importer("src/shop/cart.py", 1, 1),
        Importer("src/shop/report.py", 1, 1),
        Importer("src/shop/web/page.py", 2),
        Importer("tests/test_page.py", 3),
    )
    assert found.uses == (
        UsageSite("src/shop/cart.py", 5, "price"),
        UsageSite("src/shop/cart.py", 5, "RATE"),
        UsageSite("src/shop/report.py", 5, "Tax"),
    )
    assert found.tests == ("tests/test_prices.py", "tests/test_page.py")
    assert found.broken == ()


def test_what_cannot_be_seen_is_said(root: Path):
    gaps = " ".join(touched(root, "src/shop/prices.py").gaps)
    assert "broken.py" in gaps
    assert "tool.py" in gaps
    assert "git" in gaps
    assert "only for Python files" in " ".join(touched(root, "README.md").gaps)


def test_a_removed_module_breaks_its_importers(root: Path):
    before = touched(root, "src/shop/prices.py", ChangeType.REMOVED)
    assert [use.path for use in before.broken] == ["src/shop/cart.py", "src/shop/report.py"]
    (root / "src/shop/prices.py").unlink()
    after = touched(root, "src/shop/prices.py", ChangeType.REMOVED)
    assert after.broken == before.broken


def test_the_index_reads_only_what_has_changed(root: Path, monkeypatch: pytest.MonkeyPatch):
    guard = ProjectFileAccess(root)
    index = ImportIndex(guard)
    index.update(walk(guard).files)
    (root / "src/shop/other.py").write_text("from shop.prices import Tax\n")
    read: list[str] = []
    real = guard.read
    monkeypatch.setattr(guard, "read", lambda path: (read.append(path), real(path))[1])
    index.update(walk(guard).files)
    assert read == ["src/shop/other.py"]
    assert "src/shop/other.py" in [
        i.path for i in impact(guard, index, "src/shop/prices.py").importers
    ]


def test_files_that_change_together(root: Path):
    def git(*arguments: str) -> None:
        identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        run(["git", "-C", str(root), *identity, *arguments], check=True, capture_output=True)

    git("init", "-q")
    for n in range(4):
        (root / "src/shop/prices.py").write_text(f"RATE = {n}\n")
        (root / "README.md").write_text(f"{n}\n")
        if n == 1:
            (root / "src/shop/cart.py").write_text("x = 1\n")
        git("add", "-A", *([] if n else ["src/shop/prices.py"]))
        git("commit", "-q", "-m", str(n))
    assert touched(root, "src/shop/prices.py").companions == (Companion("README.md", 3, 0.75),)


def test_a_path_outside_is_refused(root: Path):
    with pytest.raises(QmError) as caught:
        touched(root, "../other.py")
    assert caught.value.slug == "path_denied"


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["a.py"], {"a": "a.py"}),
        (["src/p/__init__.py", "src/p/m.py"], {"p": "src/p/__init__.py", "p.m": "src/p/m.py"}),
        (["p/__init__.py", "p/n/m.py"], {"p": "p/__init__.py", "p.n.m": "p/n/m.py"}),
        (["src/p/__init__.py", "src/q/m.py"], {"p": "src/p/__init__.py", "q.m": "src/q/m.py"}),
        (["a.py", "a.pyi"], {"a": "a.py"}),
        (["__init__.py", "a.py"], {"a": "a.py"}),
    ],
)
def test_modules_are_named_as_they_are_imported(paths: list[str], names: dict[str, str]):
    assert module_names(paths) == names
