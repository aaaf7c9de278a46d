"""A package index delivers other packages than those that were locked, or packages that run code
while they are installed.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import shutil
import tarfile
from pathlib import Path

import pytest

from quartermaster.starter import catalog
from quartermaster.starter.install import Installer, StarterResult

LOCKS = Path(catalog.__file__).with_name("locks")
needs_node = pytest.mark.skipif(shutil.which("npm") is None, reason="npm is not installed")
# A source package that brings its own program for building it.
BUILDING = """
import pathlib
pathlib.Path({touched!r}).touch()
"""
BUILT_BY = """
[build-system]
requires = []
build-backend = "evil"
backend-path = ["."]
"""


@pytest.fixture
def locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the lock files."""
    copied = tmp_path / "locks"
    shutil.copytree(LOCKS, copied)
    monkeypatch.setattr(catalog, "_LOCKS", copied)
    return copied


def install(tmp_path: Path, name: str) -> StarterResult:
    (result,) = Installer(tmp_path / "data").install(only=[name])
    return result


def packed(path: Path, files: dict[str, str]) -> bytes:
    with tarfile.open(path, "w:gz") as archive:
        for name, text in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(text.encode())
            archive.addfile(member, io.BytesIO(text.encode()))
    return path.read_bytes()


def test_another_python_package(locks: Path, tmp_path: Path) -> None:
    lock = locks / "time" / "requirements.txt"
    other = re.sub(r"sha256:[0-9a-f]{64}", "sha256:" + "0" * 64, lock.read_text())
    lock.write_text(other)
    result = install(tmp_path, "time")
    assert result.status == "skipped"
    assert not (tmp_path / "data" / "upstreams" / "time" / "bin" / "mcp-server-time").exists()


@needs_node
def test_another_node_package(locks: Path, tmp_path: Path) -> None:
    lock = locks / "memory" / "package-lock.json"
    content = json.loads(lock.read_text())
    content["packages"]["node_modules/zod"]["integrity"] = "sha512-" + "A" * 86 + "=="
    lock.write_text(json.dumps(content))
    result = install(tmp_path, "memory")
    assert result.status == "skipped"
    assert "npm failed" in str(result.reason)


def test_a_python_package_that_runs_code(
    locks: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    touched = tmp_path / "touched"
    shop = tmp_path / "shop"
    shop.mkdir()
    files = {"evil.py": BUILDING.format(touched=str(touched)), "pyproject.toml": BUILT_BY}
    source = packed(
        shop / "evil-1.tar.gz", {f"evil-1/{name}": text for name, text in files.items()}
    )
    digest = hashlib.sha256(source).hexdigest()
    (locks / "time" / "requirements.txt").write_text(f"evil==1 --hash=sha256:{digest}\n")
    monkeypatch.setenv("PIP_FIND_LINKS", str(shop))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    assert install(tmp_path, "time").status == "skipped"
    assert not touched.exists()


@needs_node
def test_a_node_package_that_runs_code(locks: Path, tmp_path: Path) -> None:
    touched = tmp_path / "touched"
    manifest = {
        "name": "evil",
        "version": "1.0.0",
        "scripts": {"install": f"touch {touched}", "postinstall": f"touch {touched}"},
        "bin": {"mcp-server-memory": "evil.js"},
    }
    archive = tmp_path / "evil.tgz"
    packed(archive, {"package/package.json": json.dumps(manifest), "package/evil.js": ""})
    wanted = {"evil": f"file:{archive}"}
    (locks / "memory" / "package.json").write_text(json.dumps({"dependencies": wanted}))
    (locks / "memory" / "package-lock.json").write_text(
        json.dumps(
            {
                "lockfileVersion": 3,
                "requires": True,
                "packages": {
                    "": {"dependencies": wanted},
                    "node_modules/evil": {
                        "version": "1.0.0",
                        "resolved": f"file:{archive}",
                        "hasInstallScript": True,
                    },
                },
            }
        )
    )
    install(tmp_path, "memory")
    assert (tmp_path / "data" / "upstreams" / "memory" / "node_modules" / "evil").exists()
    assert not touched.exists()
