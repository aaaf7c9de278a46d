"""qm search with the models of the settings, on a database given by its DSN."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quartermaster.cli.tools import search_command
from tests.support.cross_encoder import write_tiny_cross_encoder
from tests.support.database import Database

SETTINGS = "embedding: {model: nowhere}\nreranker: {provider: onnx_local, model: %s}\n"


def found(database: Database, data_dir: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """The scores that each tool for a ticket has."""
    search_command("a ticket", "balanced", None, False, True, data_dir, database.dsn)
    tools = json.loads(capsys.readouterr().out)["tools"]
    assert tools
    assert all(tool.keys() >= {"rank", "name", "score", "scores"} for tool in tools)
    return [tool["scores"].get("rerank") for tool in tools]


def test_the_reranker_of_the_settings_is_asked(
    database: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    with database.connect() as connection:
        connection.execute("select t.make_catalog()")
    model = write_tiny_cross_encoder(tmp_path / "tiny")
    settings = tmp_path / "quartermaster.yaml"
    settings.write_text(SETTINGS % model)
    assert None not in found(database, tmp_path, capsys)
    settings.write_text("embedding: {model: nowhere}\n")
    assert set(found(database, tmp_path, capsys)) == {None}
