"""The built wheels are complete: installed outside the repository they do what a checkout does, and
that of the core does all that is of no kind, alone.
"""

from __future__ import annotations

import re
import subprocess
import sys
import zipfile
from collections import Counter
from collections.abc import Generator
from pathlib import Path

import pytest

from quartermaster import DISTRIBUTION, __version__
from quartermaster.cli.welcome import EXAMPLES
from tests.lint.test_repository import tracked_files
from tests.support.database import ROOT
from tests.support.instance import NOTES, QM, Instance, environment_of_commands, new_instance
from tests.support.place import new_place
from tests.support.upstreams import link_starters
from tests.support.wheel import (
    KINDS,
    install_tool,
    install_wheels,
    modules_of_kinds,
    python_for_everybody,
)

pytestmark = [pytest.mark.install, pytest.mark.slow]


@pytest.fixture(scope="module")
def running(qm_of_wheels: Path) -> Generator[Instance]:
    with new_instance(qm=[qm_of_wheels]) as instance:
        yield instance.start()


@pytest.fixture(scope="module")
def core(wheels: list[Path]) -> Generator[Instance]:
    """The core alone, where no package can be imported that only kinds need."""
    absent = modules_of_kinds()
    assert "griffe" in absent
    with new_place("qm-core-", on_disk=True) as place:
        qm = install_wheels(wheels[:1], place / "venv", python_for_everybody(), absent)
        with new_instance(qm=[qm]) as instance:
            # A setting of knowledge.
            del instance.environment[NOTES]
            yield instance.start()


def test_each_file_is_in_one_wheel_and_nothing_else(wheels: list[Path]) -> None:
    homes = {"quartermaster": (ROOT / "service", ROOT)}
    homes |= {f"quartermaster_{kind.name}": (kind, kind) for kind in KINDS}
    files: set[Path] = set()
    for package, (beside, folder) in homes.items():
        carried = {beside / package: Path(package)}
        for part in ("extensions", "migrations", "functions", "sql"):
            carried[folder / part] = Path(package, "database", part)
        files |= {
            inside / path.relative_to(outside)
            for path in tracked_files()
            for outside, inside in carried.items()
            if path.is_relative_to(outside)
        }
    found = Counter(name for wheel in wheels for name in zipfile.ZipFile(wheel).namelist())
    assert set(found.values()) == {1}
    assert {Path(name) for name in found if ".dist-info/" not in name} == files


def test_neither_the_lab_nor_tests_are_in_one(wheels: list[Path]) -> None:
    names = [Path(name) for wheel in wheels for name in zipfile.ZipFile(wheel).namelist()]
    ours = {"lab", "training", "bench", "comparisons", "tests"}
    assert not [name for name in names if not ours.isdisjoint(name.parts)]


def test_all_have_the_same_version_and_need_it(wheels: list[Path]) -> None:
    assert [one.name.split("-")[:2] for one in wheels] == [
        [DISTRIBUTION, __version__],
        *([f"{DISTRIBUTION}_{kind.name}", __version__] for kind in KINDS),
    ]
    for kind in wheels[1:]:
        [report] = (
            archive.read(name).decode()
            for archive in [zipfile.ZipFile(kind)]
            for name in archive.namelist()
            if name.endswith(".dist-info/METADATA")
        )
        assert f"\nRequires-Dist: {DISTRIBUTION}=={__version__}\n" in report


def test_their_commands_start(qm_of_wheels: Path) -> None:
    helped = _run(qm_of_wheels, "--help")
    assert helped.returncode == 0, helped.stderr
    for command in ("up", "import", "search", "call", "doctor", "bundle"):
        assert f" {command} " in helped.stdout
    assert (qm_of_wheels.parent / "quartermaster").exists()


def test_their_bundle_and_their_help_are_those_of_the_checkout(qm_of_wheels: Path) -> None:
    for command in ("bundle", "--help"):
        report = _run(qm_of_wheels, command)
        assert report.returncode == 0, report.stderr
        assert _without_revision(report.stdout) == _without_revision(_run(QM, command).stdout)


def test_they_serve_and_psql_selects_tools(running: Instance, tmp_path: Path) -> None:
    _import_socks(running, tmp_path)
    selected = running.qm(
        "psql", "--admin", "-At", "-c", "select name from select_tools('mend my socks')"
    )
    assert selected.stdout == "socks__mend\n"
    assert running.qm_json("doctor")["problems"] == []
    assert _door_of_knowledge(running) == 400


def test_the_core_alone_searches_calls_and_is_in_order(core: Instance, tmp_path: Path) -> None:
    _import_socks(core, tmp_path)
    [first, *_] = core.qm_json("search", "mend my socks")["tools"]
    assert first["name"] == "socks__mend"
    core.add_upstream("leaf", "leaf_server.py", "stdio")
    assert core.qm("call", "leaf__echo", '{"text": "socks"}').stdout == "socks\n"
    assert core.qm_json("doctor")["problems"] == []
    assert _door_of_knowledge(core) == 404


@pytest.mark.parametrize("command", ["ask x", "docs find x", "task x", "eval knowledge"])
def test_the_core_says_where_a_command_of_a_kind_comes_from(core: Instance, command: str) -> None:
    done = core.qm(*command.split())
    assert done.returncode == 2
    report = " ".join(done.stderr.split())
    assert f"the package {DISTRIBUTION}-knowledge. In a clone, run make setup." in report
    assert f"-m pip install ./{DISTRIBUTION}_knowledge-{__version__}-py3-none-any.whl." in report


@pytest.mark.parametrize("installer", ["pipx", "uv"])
def test_they_start_as_a_clone_does_whoever_has_installed_them(
    installer: str, wheels: list[Path], stopped_data_dir: Path
) -> None:
    # A Python below a home, as uv keeps its own, and one of the system.
    own = Path(sys.executable).resolve()
    python = own if installer == "uv" else python_for_everybody() or own
    with new_place(f"qm-{installer}-", on_disk=True) as folder:
        qm = install_tool(installer, wheels, folder, python)
        inside = qm.resolve().with_name("python")
        with new_instance(qm=[qm], copy_of=stopped_data_dir) as instance:
            instance.options.remove("--no-starter")
            link_starters(instance.data_dir, inside)
            instance.start()
            assert "Result:" in instance.stdout
            assert instance.qm("ask", "--help").returncode == 0
            example = EXAMPLES[0]
            assert instance.qm_json("search", example.goal)["tools"][0]["name"] == example.tool
            made = (instance.data_dir / "upstreams" / "time" / "pyvenv.cfg").read_text()
            assert str(qm.resolve().parent) in made
            scanned = instance.qm("quality", "scan", str(ROOT / "service/quartermaster/cli/up.py"))
            assert f"Install it: `{inside} -m pip install" in scanned.stdout + scanned.stderr


def test_a_second_install_into_the_same_database_changes_nothing(running: Instance) -> None:
    release = "select version, digest, installed_at from core.release"
    before = running.rows(release)
    installed = running.qm("install")
    assert installed.returncode == 0, installed.stderr
    assert running.rows(release) == before


def _import_socks(instance: Instance, folder: Path) -> None:
    file = folder / "tools.jsonl"
    file.write_text('{"origin": "socks", "name": "mend", "description": "Mends socks"}\n')
    assert instance.qm_json("import", file)["tools"] == {"added": 1}


def _door_of_knowledge(instance: Instance) -> int:
    """Returns the status of the answer to a message that is none."""
    with instance.http() as http:
        return http.post("/mcp/knowledge", json={}).status_code


def _without_revision(bundle: str) -> str:
    """Only a checkout knows its git revision."""
    return re.sub(r"\('([\d.]+)', (?:null|'\w+'), ", r"('\1', ", bundle)


def _run(qm: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = environment_of_commands()
    return subprocess.run(
        [qm, *arguments], cwd="/", env=environment, capture_output=True, text=True
    )
