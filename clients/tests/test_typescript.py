"""The TypeScript client: its types, and the programs of the page with the real SDKs."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from clients.tests.asked import ASKED, answers_of
from clients.tests.programs import ROOT, environment_of, programs
from clients.tests.vendors import GOAL, MOVED, SAID, Vendors
from quartermaster_client import Quartermaster
from tests.support.instance import Instance
from tests.support.node_tools import NODE, package_folder

pytestmark = pytest.mark.slow

NODE_PROGRAM = str(NODE / "bin" / "node")
SOURCES = ROOT / "clients" / "typescript"
PINNED: dict[str, str] = json.loads((SOURCES / "package.json").read_text())["devDependencies"]
VENDORS = {"anthropic": 'from "@anthropic-ai/sdk"', "openai": 'from "openai"'}


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package, built, with the programs of the page and of these tests beside it."""
    installed = package_folder("model-apis", [f"{name}@{one}" for name, one in PINNED.items()])
    folder = tmp_path_factory.mktemp("package")
    for name in ("package.json", "tsconfig.json"):
        shutil.copy(SOURCES / name, folder)
    shutil.copytree(SOURCES / "src", folder / "src")
    (folder / "node_modules").symlink_to(installed / "node_modules")
    compile_types(folder, "tsconfig.json")
    beside = folder / "programs"
    beside.mkdir()
    for vendor, imported in VENDORS.items():
        [program] = [each for each in programs("typescript") if imported in each]
        (beside / f"{vendor}.ts").write_text(program)
    shutil.copy(Path(__file__).with_name("asked.ts"), beside)
    # Elsewhere than dist, or the name of the package would stand for these programs.
    options = {"rootDir": ".", "outDir": "out", "noEmit": True}
    settings = {"extends": "../tsconfig.json", "compilerOptions": options, "include": ["*.ts"]}
    (beside / "tsconfig.json").write_text(json.dumps(settings))
    return folder


def compile_types(folder: Path, settings: str) -> None:
    compiler = folder / "node_modules" / ".bin" / "tsc"
    done = subprocess.run(
        [NODE_PROGRAM, compiler, "-p", settings],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout


def run(
    package: Path, program: str, shop: Instance, vendors: Vendors, *arguments: str, **more: str
) -> str:
    done = subprocess.run(
        [NODE_PROGRAM, f"programs/{program}.ts", *arguments],
        cwd=package,
        env=environment_of(shop, vendors) | more,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_the_programs_have_types(package: Path):
    compile_types(package, "programs/tsconfig.json")


@pytest.mark.parametrize("vendor", VENDORS)
def test_the_programs_of_the_page_search_call_and_end(
    package: Path, shop: Instance, vendors: Vendors, vendor: str
):
    vendors.begin()
    assert run(package, vendor, shop, vendors) == SAID
    assert vendors.problems == []
    assert len(vendors.requests) == 3


def test_found_tools_are_appended_and_keep_their_places(
    package: Path, shop: Instance, vendors: Vendors
):
    for vendor in VENDORS:
        vendors.begin(GOAL, {"text": "a"}, "tell a story", GOAL, {"text": "b"})
        assert run(package, vendor, shop, vendors) == "b"
        assert vendors.problems == []


@pytest.mark.parametrize("vendor", VENDORS)
def test_both_languages_answer_the_same(
    package: Path, shop: Instance, vendors: Vendors, vendor: str
):
    for key in (shop.run_file.token, "qm_nobody"):
        asked = (vendor, key, json.dumps(ASKED[vendor]))
        printed = json.loads(run(package, "asked", shop, vendors, *asked))
        with Quartermaster(shop.run_file.url, key) as quartermaster:
            same = answers_of(vendor, quartermaster)
        for found in (*printed[2], *same[2]):
            del found["receipt"]
        assert printed == same


def test_a_request_that_is_sent_elsewhere_is_not_sent_again(
    package: Path, shop: Instance, vendors: Vendors
):
    vendors.begin()
    for vendor, items in ASKED.items():
        asked = (vendor, "none", json.dumps(items[:1]))
        printed = run(package, "asked", shop, vendors, *asked, QM_URL=f"{vendors.url}{MOVED}")
        assert json.loads(printed)[0][0]["code"] == "HTTP307"
    assert vendors.requests == vendors.problems == []


@pytest.mark.parametrize("key", ["", "qm_a\nb", "qm_é"])
def test_what_is_no_key_is_refused_without_being_shown(package: Path, key: str):
    program = "new (require('./dist/client.js').Quartermaster)('http://localhost', process.argv[1])"
    done = subprocess.run(
        [NODE_PROGRAM, "-e", program, key], cwd=package, capture_output=True, text=True, timeout=60
    )
    assert "no key has" in done.stderr
    assert not key or key not in done.stderr
