"""Everything that `make new-...` makes is right as it is made, in a copy of the repository."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.sql_files import ROOT

pytestmark = pytest.mark.lint

RECIPES = {
    "function": ("search.zebra",),
    "operation": ("jobs.list_zebras",),
    "migration": ("catalog_zebras",),
    "command": ("zebra",),
    "setting": ("server.max_zebras",),
    "tool": ("tapps_zebra", "--kind=knowledge"),
    "page": ("zebras",),
    "kind": ("zebras",),
}
Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of the repository, without those that git ignores and without the largest."""
    copy = tmp_path_factory.mktemp("copy")
    known = subprocess.run(
        ["git", "ls-files", "-coz", "--exclude-standard", "--", ":!*.safetensors", ":!*.xz"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    for name in filter(None, known.stdout.split("\0")):
        if (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, copy / name)
    return copy


@pytest.fixture(scope="module")
def run(copy: Path) -> Run:
    """Runs Python in the copy, with the code of the copy."""
    folders = [copy / "service", *copy.glob("kinds/*")]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, folders))}

    def run(*command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *command], cwd=copy, env=environment, capture_output=True, text=True
        )

    return run


def test_there_is_a_recipe_for_everything_that_make_offers():
    targets = [line for line in (ROOT / "Makefile").read_text().splitlines() if line[:4] == "new-"]
    offered = {line.partition(":")[0].removeprefix("new-") for line in targets} - {"%"}
    assert offered == {*RECIPES} == {path.stem for path in ROOT.glob("scripts/recipes/*.txt")}


def test_what_is_made_passes_its_checks(copy: Path, run: Run):
    made: list[str] = []
    for what, arguments in RECIPES.items():
        preview = run("scripts/new.py", what, *arguments, "--dry-run")
        done = run("scripts/new.py", what, *arguments)
        assert (done.returncode, done.stdout) == (0, preview.stdout), done.stderr
        made += [
            line.split()[1] for line in done.stdout.splitlines() if line[:6] in ("create", "change")
        ]
    assert all((copy / name).exists() for name in made)
    settings = (copy / "service/quartermaster/settings/default_settings.yaml").read_text()
    assert f"{'  max_zebras: 8':<29} # what it limits, with its unit\n\nauth:" in settings
    code = [name for name in made if name.endswith(".py")]
    ruff = Path(sys.executable).with_name("ruff")
    for command in (("check", "--fix", "--select=I"), ("format",), ("check",)):
        checked = subprocess.run([ruff, *command, *code], cwd=copy, capture_output=True, text=True)
        assert checked.returncode == 0, checked.stdout
    modules = "import quartermaster_knowledge.package, quartermaster.cli.zebra"
    done = run("-c", modules)
    assert done.returncode == 0, done.stderr
    lints = (
        "links",
        "words",
        "layers",
        "domain_edges",
        "functions",
        "function_files",
        "docstrings",
        "names",
        "tests",
    )
    paths = [f"tests/lint/test_{each}.py" for each in lints]
    paths.append("tests/service/settings/test_settings.py")
    done = run("-m", "pytest", "-q", "-p", "no:cacheprovider", *paths)
    assert done.returncode == 0, done.stdout[-3000:]


def test_more_than_one_of_each_can_be_made(run: Run):
    kinds = ["tool", "command", "setting", "operation"]
    for number in range(4):
        for what in kinds:
            name, *more = RECIPES[what]
            done = run("scripts/new.py", what, f"{name}{number}", *more)
            assert done.returncode == 0, done.stderr
    done = run("-c", "import quartermaster_knowledge.package, quartermaster.cli.app")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("function", "shorten"), "SCHEMA.NAME"),
        (("function", "search.bm25"), "exists already"),
        (("function", "search.rerank"), "exists already"),
        (("function", "serch.zebra"), "is not there"),
        (("function", "api.zebra"), "is not there"),
        (("operation", "jobs.search_tools"), "exists already"),
        (("setting", "nowhere.size"), "no section nowhere"),
        (("setting", "catalog.size"), "sql/seeds/core.sql"),
        (("setting", "server.port"), "exists already"),
        (("command", "class"), "a word of Python"),
        (("command", "herd", "--kind=knowledge"), "belongs to the core"),
        (("tool", "tapps_other", "--kind=lookup"), "no door"),
        (("tool", "tapps_other"), "KIND=decisions or KIND=knowledge or KIND=quality."),
        (("tool", "tapps_other", "--kind=nothing"), "does not exist"),
        (("kind", "../outside"), "does not fit"),
    ],
    ids=lambda each: each if isinstance(each, str) else " ".join(each),
)
def test_what_cannot_be_made_is_refused_and_nothing_is_written(
    copy: Path, run: Run, arguments: tuple[str, ...], reason: str
):
    before = sorted(copy.rglob("*"))
    refused = run("scripts/new.py", *arguments)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert reason in refused.stderr
    assert sorted(copy.rglob("*")) == before
