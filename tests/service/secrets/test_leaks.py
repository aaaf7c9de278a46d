"""The search for credentials finds one that was let out, wherever that was."""

from __future__ import annotations

import base64
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from quartermaster.secrets.credentials import ServiceCredentials
from quartermaster.secrets.signing_key import SigningKey
from tests.support.canary import (
    LeakError,
    canary,
    leaks_in_folder,
    leaks_in_text,
    searched_database,
    searched_folder,
)
from tests.support.database import ROOT, Database


def test_it_finds_a_row(database: Database) -> None:
    with (
        pytest.raises(LeakError, match=r"catalog\.origin"),
        searched_database(database.dsn),
        database.connect() as connection,
    ):
        connection.execute(
            "insert into catalog.origin (name, slug, transport, description)"
            " values ('x', 'x', 'none', %s)",
            [canary()],
        )
    with database.connect() as connection:
        # What the audit has of it, too.
        connection.execute("drop schema audit cascade")
        connection.execute("truncate catalog.origin cascade")


def test_it_passes_rows_without_one(database: Database) -> None:
    with searched_database(database.dsn):
        canary()


@pytest.mark.parametrize("offset", [0, 1, 2])
def test_it_finds_one_in_clear_and_in_base64(offset: int, tmp_path: Path) -> None:
    secret = b"x" * offset + canary().encode()
    written = tmp_path / "service.log"
    for text in (secret, base64.b64encode(secret), b"a" * 2**22 + secret):
        written.write_bytes(text)
        assert leaks_in_folder(tmp_path) == [written]
        assert leaks_in_text(text.decode()) == 1
    with (
        pytest.raises(LeakError, match=r"service\.log"),
        searched_folder(tmp_path, tmp_path, before=lambda: None),
    ):
        canary()
    (tmp_path / "secrets.json").write_text(f'{{"x": "{secret.decode()}"}}')
    written.write_text("nothing")
    assert leaks_in_folder(tmp_path) == []


def test_it_finds_what_quartermaster_made_for_itself(tmp_path: Path) -> None:
    password = ServiceCredentials(tmp_path).get("service_password")
    key = SigningKey.open(tmp_path)
    with searched_folder(tmp_path, tmp_path, before=lambda: None):
        pass
    for leaked in (password, (tmp_path / "signing_key").read_text()):
        (tmp_path / "core").write_text(f"\0{leaked}\0")
        with (
            pytest.raises(LeakError, match="core"),
            searched_folder(tmp_path, tmp_path, before=lambda: None),
        ):
            assert key.public_key


def test_of_a_copy_it_searches_what_was_written_since(tmp_path: Path) -> None:
    original, data = tmp_path / "original", tmp_path / "data"
    original.mkdir()
    (original / "old").write_text(canary())
    shutil.copytree(original, data)
    with searched_folder(data, data, before=lambda: None, copy_of=original):
        pass
    for name in ("old", "new"):
        with (
            pytest.raises(LeakError, match=name),
            searched_folder(data, data, before=lambda: None, copy_of=original),
        ):
            (data / name).write_text(canary())
        (data / name).unlink()


def test_it_finds_one_in_what_a_test_writes(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text('pytest_plugins = ["tests.support.leak_hooks"]\n')
    (tmp_path / "test_it.py").write_text(_TESTS)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", str(tmp_path)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert "1 failed, 1 passed" in done.stdout
    assert "a credential of a test is in its Captured stderr call" in done.stdout
    assert "searched for credentials: 2 canaries" in done.stdout


_TESTS = """
import sys
from tests.support.canary import canary

def test_leak():
    sys.stderr.write(canary())

def test_none():
    sys.stderr.write(str(len(canary())))
"""
