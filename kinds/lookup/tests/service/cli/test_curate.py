"""``qm lookup alias`` and the rest: what curators say of rows, from the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
from mcp import Client, StdioServerParameters

from tests.support.instance import QM, Instance

FILE = '{"id": "1", "value": "Betula pendula"}\n{"id": "2", "value": "Magnetic susceptibility"}\n'


def loaded(instance: Instance, folder: Path, table: str) -> None:
    file = folder / "rows.jsonl"
    file.write_text(FILE)
    done = instance.qm("lookup", "load", table, file)
    assert done.returncode == 0, done.stderr


def row_of(instance: Instance, table: str, row: str) -> dict[str, Any]:
    return instance.qm_json("lookup", "show", table, row)


def test_a_dry_run_changes_nothing_and_a_wrong_row_is_told(instance: Instance, tmp_path: Path):
    loaded(instance, tmp_path, "dry")
    would = instance.qm("lookup", "alias", "add", "dry", "1", "silver birch", "--dry-run")
    assert (would.returncode, "nothing was changed" in would.stdout) == (0, True)
    assert instance.qm("lookup", "retire", "dry", "1", "--dry-run").returncode == 0
    assert (row_of(instance, "dry", "1")["aliases"], row_of(instance, "dry", "1")["active"]) == (
        [],
        True,
    )
    wrong = instance.qm("lookup", "retire", "dry", "9")
    assert (wrong.returncode, "lookup_row_not_found" in wrong.stderr) == (1, True)
    taken = instance.qm("lookup", "alias", "remove", "dry", "1", "silver birch")
    assert (taken.returncode, "alias_not_curated" in taken.stderr) == (1, True)


def test_what_is_said_of_rows_stays_when_they_are_loaded_anew(instance: Instance, tmp_path: Path):
    loaded(instance, tmp_path, "kept")
    said = instance.qm("lookup", "alias", "add", "kept", "1", "silver birch", "--reason", "asked")
    assert "also silver birch" in said.stdout, said.stderr
    assert instance.qm("lookup", "retire", "kept", "2").returncode == 0
    report = instance.qm("lookup", "provenance", "kept", "1", "source=SEAD").stdout
    assert "from source=SEAD." in report
    loaded(instance, tmp_path, "kept")
    assert row_of(instance, "kept", "1")["aliases"] == ["silver birch"]
    assert row_of(instance, "kept", "1")["provenance"] == {"source": "SEAD"}
    assert row_of(instance, "kept", "2")["active"] is False
    listed = instance.qm_json("lookup", "curations", "kept")
    assert {each["kind"] for each in listed} == {"alias", "retirement", "provenance"}
    changes = instance.qm("lookup", "curations", "kept").stdout
    assert all(change in changes for change in ("also silver birch", "from source=SEAD", "retired"))
    shared = instance.qm("lookup", "alias", "add", "kept", "2", "silver birch")
    assert (
        "Other rows with this name: 1. A name that several rows share matches none" in shared.stdout
    )
    assert instance.qm("lookup", "alias", "remove", "kept", "2", "silver birch").returncode == 0
    assert instance.qm("lookup", "restore", "kept", "2").returncode == 0
    assert instance.qm("lookup", "alias", "remove", "kept", "1", "silver birch").returncode == 0
    assert row_of(instance, "kept", "1")["aliases"] == []


def test_strings_that_people_use_are_suggested(instance: Instance, tmp_path: Path):
    loaded(instance, tmp_path, "asked")
    strings = tmp_path / "strings.txt"
    strings.write_text("Betula pendula\nXyzzy\nXyzzy\n")
    # The one is a match today, the other means nothing that is there.
    assert instance.qm_json("lookup", "suggest-aliases", "asked", strings) == []
    nothing = instance.qm("lookup", "suggest-aliases", "asked", strings)
    assert "No suggestions" in nothing.stdout
    absent = instance.qm("lookup", "suggest-aliases", "asked", tmp_path / "none.txt")
    assert (absent.returncode, "file_not_found" in absent.stderr) == (1, True)


def test_administrators_appoint_curators(instance: Instance):
    assert instance.qm("principal", "create", "cora").returncode == 0
    assert instance.qm("principal", "curator", "cora").returncode == 0
    assert "curator" in instance.qm("principal", "list").stdout
    assert instance.qm("principal", "curator", "cora", "--remove").returncode == 0
    assert instance.qm("principal", "curator", "nobody").returncode == 1
    [row] = [row for row in instance.qm_json("principal", "list") if row["name"] == "cora"]
    assert row["is_curator"] is False


def test_the_lookup_tables_can_be_a_stdio_server(instance: Instance):
    server = StdioServerParameters(
        command=str(QM), args=["stdio", "--toolset", "reconcile"], env=instance.environment
    )

    async def names() -> set[str]:
        async with Client(server) as client:
            return {tool.name for tool in (await client.list_tools()).tools}

    assert {"search_lookup", "add_alias"} <= anyio.run(names)


def test_a_change_is_the_curators_who_is_named(instance: Instance, tmp_path: Path):
    loaded(instance, tmp_path, "signed")
    assert instance.qm("principal", "create", "signe").returncode == 0
    stranger = instance.qm("lookup", "retire", "signed", "1", "--as", "signe")
    assert (stranger.returncode, "curator_required" in stranger.stderr) == (1, True)
    assert instance.qm("principal", "curator", "signe").returncode == 0
    assert instance.qm("lookup", "retire", "signed", "1", "--as", "signe").returncode == 0
    [change] = instance.qm_json("lookup", "curations", "signed")
    assert change["curator"] == "signe"


def test_a_search_says_that_the_row_is_retired(instance: Instance, tmp_path: Path):
    loaded(instance, tmp_path, "gone")
    [row] = instance.qm_json("lookup", "search", "gone", "Betula pendula")[:1]
    assert instance.qm("lookup", "retire", "gone", row["id"]).returncode == 0
    report = instance.qm("lookup", "search", "gone", "Betula pendula").stdout
    assert report == f"Row {row['id']} (Betula pendula) has this name, but the row is retired.\n"
    nothing = instance.qm("lookup", "search", "gone", "Xyzzy quux").stdout
    assert nothing == "No row reaches the threshold. To see the nearest rows, add --all.\n"
    assert (
        instance.qm("lookup", "search", "gone", "N/A", "--all").stdout
        == "No similar row was found.\n"
    )


def test_rows_below_the_threshold_can_be_hidden(instance: Instance, tmp_path: Path):
    loaded(instance, tmp_path, "shy")
    would = instance.qm_json("lookup", "configure", "shy", "--no-near", "--dry-run")
    assert (would["shows_near"], would["dry_run"]) == (False, True)
    assert instance.qm_json("lookup", "configure", "shy")["shows_near"] is True
    report = instance.qm("lookup", "configure", "shy", "--no-near", "--gap", "0.2").stdout
    assert "gap 0.20; the reconciliation API does not return rows below the threshold" in report
