"""The built wheel is complete: installed outside the repository it does what a checkout does."""

from __future__ import annotations

import re
import subprocess
import sys
import zipfile
from collections.abc import Generator
from pathlib import Path

import pytest

from quartermaster.cli.welcome import EXAMPLES
from tests.support.database import ROOT
from tests.support.instance import QM, Instance, environment_of_commands, new_instance
from tests.support.place import new_place
from tests.support.upstreams import link_node_starters
from tests.support.wheel import install_tool, python_for_everybody

pytestmark = [pytest.mark.install, pytest.mark.slow]


@pytest.fixture(scope="module")
def running(qm_of_wheel: Path) -> Generator[Instance]:
    with new_instance(qm=[qm_of_wheel]) as instance:
        yield instance.start()


def test_it_carries_every_sql_file_and_nothing_of_the_tests(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for folder in ("extensions", "migrations", "functions", "sql"):
        for path in (ROOT / folder).rglob("*.sql"):
            assert f"quartermaster/database/{path.relative_to(ROOT)}" in names
    assert "quartermaster/settings/default_settings.yaml" in names
    assert "quartermaster/starter/starter.json" in names
    assert "quartermaster/database/extensions/plpy/quartermaster_db/glosses.tsv.gz" in names
    package = ROOT / "service/quartermaster"
    carried = [
        *(package / "starter/locks").rglob("*.*"),
        *(package / "knowledge/notes").rglob("*.md"),
        *(package / "models").glob("*.safetensors"),
    ]
    assert {f"quartermaster/{path.relative_to(package)}" for path in carried} <= names
    assert not [name for name in names if name.startswith("tests") or "__pycache__" in name]


def test_its_commands_start(qm_of_wheel: Path) -> None:
    helped = _run(qm_of_wheel, "--help")
    assert helped.returncode == 0, helped.stderr
    for command in ("up", "import", "search", "call", "doctor", "bundle"):
        assert f" {command} " in helped.stdout
    assert (qm_of_wheel.parent / "quartermaster").exists()


def test_its_bundle_is_that_of_the_checkout(qm_of_wheel: Path) -> None:
    bundled = _run(qm_of_wheel, "bundle")
    assert bundled.returncode == 0, bundled.stderr
    assert _without_revision(bundled.stdout) == _without_revision(_run(QM, "bundle").stdout)
    assert "create or replace function api.select_tools" in bundled.stdout


def test_it_serves_and_psql_selects_tools(running: Instance, tmp_path: Path) -> None:
    file = tmp_path / "tools.jsonl"
    file.write_text('{"origin": "socks", "name": "mend", "description": "Mends socks"}\n')
    assert running.qm_json("import", file)["tools"] == {"added": 1}
    selected = running.qm(
        "psql", "--admin", "-At", "-c", "select name from select_tools('mend my socks')"
    )
    assert selected.stdout == "socks__mend\n"
    assert running.qm_json("doctor")["problems"] == []


@pytest.mark.parametrize("installer", ["pipx", "uv"])
def test_it_starts_as_a_clone_does_whoever_has_installed_it(installer: str, wheel: Path) -> None:
    # A Python below a home, as uv keeps its own, and one of the system.
    own = Path(sys.executable).resolve()
    python = own if installer == "uv" else python_for_everybody() or own
    with new_place(f"qm-{installer}-", on_disk=True) as folder:
        qm = install_tool(installer, wheel, folder, python)
        with new_instance(qm=[qm]) as instance:
            instance.options.remove("--no-starter")
            link_node_starters(instance.data_dir)
            instance.start()
            assert "Result:" in instance.stdout
            example = EXAMPLES[0]
            assert instance.qm_json("search", example.goal)["tools"][0]["name"] == example.tool
            made = (instance.data_dir / "upstreams" / "time" / "pyvenv.cfg").read_text()
            assert str(qm.resolve().parent) in made
            scanned = instance.qm("quality", "scan", str(ROOT / "service/quartermaster/cli/up.py"))
            inside = qm.resolve().with_name("python")
            assert f"Install it: `{inside} -m pip install" in scanned.stdout + scanned.stderr


def test_a_second_install_into_the_same_database_changes_nothing(running: Instance) -> None:
    release = "select version, digest, installed_at from core.release"
    before = running.rows(release)
    installed = running.qm("install")
    assert installed.returncode == 0, installed.stderr
    assert running.rows(release) == before


def _without_revision(bundle: str) -> str:
    """Only a checkout knows its git revision."""
    return re.sub(r"\('([\d.]+)', (?:null|'\w+'), ", r"('\1', ", bundle)


def _run(qm: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = environment_of_commands()
    return subprocess.run(
        [qm, *arguments], cwd="/", env=environment, capture_output=True, text=True
    )
