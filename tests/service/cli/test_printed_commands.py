"""Commands that a command prints are about the same Quartermaster, wherever they are pasted."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path

import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from quartermaster.cli import output
from quartermaster.cli.options import without_secrets
from tests.support.instance import QM, Instance, environment_of_commands

NOTE = """---
domain: databases
title: Rota
version: 1
source: "Runbook"
verified: true
reviewed: 2026-11-26
---

Kept for 35 days.
"""


def pasted(command: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Returns a line of a shell that knows of no Quartermaster."""
    environment = environment_of_commands() | variables
    environment["PATH"] = os.pathsep.join((str(Path(QM).parent), environment["PATH"]))
    return subprocess.run(
        command, shell=True, env=environment, cwd="/", capture_output=True, text=True
    )


@pytest.mark.parametrize("option", ["--data-dir", "--dsn"])
def test_an_undo_command_works_when_it_is_pasted(instance: Instance, option: str):
    name = f"pia-{option.strip('-')}"
    assert instance.qm("principal", "create", name).returncode == 0
    database = conninfo_to_dict(instance.admin_dsn)
    password = {"PGPASSWORD": str(database.pop("password"))}
    value = str(instance.data_dir) if option == "--data-dir" else make_conninfo("", **database)
    options = shlex.join([option, value])
    done = pasted(f"qm principal disable {name} --yes {options}", **password)
    assert done.returncode == 0, done.stderr
    undone = pasted(done.stdout.partition("To undo: ")[2].strip().removesuffix("."), **password)
    assert undone.stdout.startswith("Enabled."), undone.stderr
    missing = pasted(f"qm origin show nosuch {options}", **password)
    hint = missing.stderr.partition("Next: ")[2]
    assert f"{shlex.quote(value)} qm origin list" in " ".join(hint.split())


def test_an_undo_command_is_about_the_same_project(instance: Instance, tmp_path: Path):
    (tmp_path / "rota.md").write_text(NOTE)
    for name in ("harbour", "mill"):
        (tmp_path / name).mkdir()
        assert instance.qm("project", "add", tmp_path / name).returncode == 0
    add = instance.qm("knowledge", "add", tmp_path / "rota.md", "--project", "mill")
    assert add.returncode == 0, add.stderr
    done = instance.qm("knowledge", "remove", "rota", "--project", "mill")
    report, _, undo = done.stdout.partition(": ")
    assert report == "Removed rota. To undo, in the folder with its file"
    place = {"QM_DATA_DIR": str(instance.data_dir)}
    undone = pasted(f"cd {shlex.quote(str(tmp_path))} && {undo}", **place)
    assert undone.returncode == 0, undone.stderr
    notes = instance.qm_json("knowledge", "list")
    assert [each["project"] for each in notes if each["name"] == "rota"] == ["mill"]


def test_what_comes_from_the_environment_is_not_repeated(instance: Instance):
    assert instance.qm("principal", "create", "pia").returncode == 0
    done = instance.qm("principal", "disable", "pia", "--yes")
    assert done.stdout.endswith("Disabled. To undo: qm principal enable pia.\n")


def test_a_password_is_not_printed():
    for dsn, shown in (
        ("postgresql://me:secret@h/db", "'user=me dbname=db host=h'"),
        ("host=h password=secret", "host=h"),
        ("postgresql://h/?password=secret", "host=h"),
        ("postgresql://h/db?passw%6Frd=secret", "'dbname=db host=h'"),
        ("postgresql://h/db?oauth_client_secret=secret", "'dbname=db host=h'"),
        ("postgresql://me:sec/ret@host/db", "DSN"),
        ("postgresql://me:sec%ret@host/db", "DSN"),
    ):
        output.repeat("QM_DATABASE__DSN", without_secrets(dsn))
        assert output.pasteable("To undo: qm policy pin.") == (
            f"To undo: QM_DATABASE__DSN={shown} qm policy pin."
        )
    output.repeat("QM_DATABASE__DSN", without_secrets("host=h dbname=d"))
    assert output.pasteable("Run qm up; qm_user and /bin/qm stay.") == (
        "Run QM_DATABASE__DSN='host=h dbname=d' qm up; qm_user and /bin/qm stay."
    )
    named = "First qm install --dsn 'host=h dbname=e'. To undo: qm uninstall --dsn DSN, then wait."
    assert output.pasteable(named) == named
