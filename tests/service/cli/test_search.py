"""qm search on a database given by its DSN, without a service."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from quartermaster.cli import tool
from quartermaster.cli.card import search_command as search_cards
from quartermaster.cli.command import Command, Qm
from quartermaster.cli.goal_models import embed_goals
from quartermaster.cli.origin import list_command as list_origins
from quartermaster.cli.search import search, search_command
from quartermaster.cli.service_client import ServiceClient
from quartermaster.cli.session import Row
from quartermaster.cli.status import status_command
from quartermaster.core.api_call import ApiCall
from quartermaster.core.errors import QmError
from quartermaster.core.paths import RunFile
from tests.support.database import Database
from tests.support.instance import shared_runtime_dir


@pytest.mark.parametrize("command", [search_command, search_cards])
@pytest.mark.parametrize(
    ("goal", "advice"),
    [
        ("a ticket", None),
        (
            "ein Ticket für den Fehler",
            "This goal seems to be in German. Ask in English for better results.",
        ),
    ],
)
def test_a_goal_that_is_not_in_english_is_told(
    database: Database,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    command: Callable[..., object],
    goal: str,
    advice: str | None,
):
    command(goal, json=True, data_dir=tmp_path, dsn=database.dsn)
    assert json.loads(capsys.readouterr().out).get("advice") == advice
    command(goal, data_dir=tmp_path, dsn=database.dsn)
    shown = capsys.readouterr()
    assert ("Ask in English" in " ".join((shown.out + shown.err).split())) == (advice is not None)


def test_goals_get_the_vector_of_the_model_that_answers(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("QM_RUNTIME_DIR", str(shared_runtime_dir()))

    def vector() -> str | None:
        with Qm(data_dir=tmp_path, dsn=database.dsn) as qm:
            return embed_goals(qm, ["a ticket"])[0]

    assert vector() is None, "there is none"
    with database.connect() as connection:
        connection.execute("select api.put_model('elsewhere', 384, true)")
    assert vector() is None, "that of the settings would compare with other vectors"
    with database.connect() as connection:
        connection.execute("select api.put_model('minilm-tools-4', 384, false)")
        connection.execute("select api.activate_model('minilm-tools-4')")
    assert vector() is not None
    with Qm(data_dir=tmp_path, dsn=database.dsn) as qm:
        german, english = embed_goals(qm, ["zeig mir die Rechnungen", "show me the invoices"])
        assert german == english


def test_the_past_is_searched_and_listed(
    database: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    with database.connect() as connection:
        connection.execute("select t.make_origin('o'), t.make_tool('o', 'x', 'Counts zebras.')")
        [(moment,)] = connection.execute("select clock_timestamp()").fetchall()
        connection.execute("select t.make_tool('o', 'x', 'Counts horses.')")
    place = {"data_dir": tmp_path, "dsn": database.dsn}

    def briefs(as_of: object) -> list[str]:
        search_command("counting zebras", as_of=as_of, json=True, **place)
        return [tool["brief"] for tool in json.loads(capsys.readouterr().out)["tools"]]

    assert briefs(None) == ["Counts horses."]
    assert briefs(moment) == ["Counts zebras."]
    [list_tools] = [each.callback for each in tool.noun.registered_commands if each.name == "list"]
    list_tools(as_of=moment, **place)
    assert "Counts zebras." in capsys.readouterr().out
    list_origins(as_of=moment, **place)
    assert "made for a test" in capsys.readouterr().out


def test_what_is_on_its_way_is_told(
    database: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    place = {"data_dir": tmp_path, "dsn": database.dsn}
    with database.connect() as connection:
        connection.execute("select t.make_origin('fresh')")
        connection.execute("select catalog.request_refresh(id) from catalog.origin")
    search_command("a ticket", **place)
    assert "servers being installed: 0, being listed: 1" in report(capsys)
    search_command("a ticket", json=True, **place)
    assert json.loads(capsys.readouterr().out)["on_their_way"] == {"installing": 0, "listing": 1}
    status_command(**place)
    assert "being listed: 1" in report(capsys)


def test_weak_matches_come_with_what_is_on_its_way(
    database: Database,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
):
    call = Qm.call

    def with_vector(qm: Qm, asked: ApiCall[Any], /) -> list[Row]:
        vector = {"query_vector": "[1,0,0,0]"} if asked.operation == "search_cards" else {}
        return call(qm, replace(asked, arguments=asked.arguments | vector))

    monkeypatch.setattr(Qm, "call", with_vector)
    with database.connect() as connection:
        connection.execute(
            "select t.make_catalog(), t.make_origin('fresh');"
            "select catalog.request_refresh(id) from catalog.origin where name = 'fresh';"
            "delete from search.coefficient; select search.put_model('test-4', 4, true);"
            "select t.embed_cards('tool', 'test-4');"
            "select search.put_coefficients('tool', 'test-4',"
            """ '{"score": {"dense": 4}, "confidence": {"odds": 0, "intercept": -9}}')"""
        )
    search_command("what time is it in Tokyo", data_dir=tmp_path, dsn=database.dsn)
    said = report(capsys)
    assert "No tools fit this goal" in said
    assert "being listed: 1" in said


def test_a_result_that_cannot_be_used_comes_with_the_reason(
    database: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    with database.connect() as connection:
        connection.execute("select t.make_catalog()")
        connection.execute("select calls.open_breaker(id, 'It failed.') from catalog.origin")
    search_command("a ticket", data_dir=tmp_path, dsn=database.dsn)
    assert "cannot be used now" in report(capsys)


def report(capsys: pytest.CaptureFixture[str]) -> str:
    """Returns what was printed, however it was broken into lines."""
    return " ".join("".join(capsys.readouterr()).split())


def test_definitions_stay_within_the_budget(
    database: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    place = {"data_dir": tmp_path, "dsn": database.dsn}
    with database.connect() as connection:
        connection.execute("select t.make_catalog()")

    def tokens(budget: int | None) -> list[int]:
        search_command("a ticket", budget_tokens=budget, json=True, **place)
        found = json.loads(capsys.readouterr().out)["tools"]
        return [int(tool["scores"]["tokens"]) for tool in found]

    every = tokens(None)
    assert len(every) > 1
    assert tokens(every[0]) == every[:1]
    assert sum(tokens(sum(every) - 1)) < sum(every)
    assert tokens(1) == []
    with pytest.raises(QmError, match="above 0"):
        tokens(0)
    with pytest.raises(QmError, match="cannot be combined with --as-of"):
        search_command("a ticket", budget_tokens=100, as_of="2026-01-01 00:00+00", **place)


def test_what_a_search_found_is_told_on_standard_output(
    database: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    with database.connect() as connection:
        connection.execute("select t.make_catalog()")
    search_command("a ticket", data_dir=tmp_path, dsn=database.dsn)
    report = capsys.readouterr()
    assert "Receipt " in report.out
    assert "Receipt " not in report.err


def test_an_answer_without_tools_is_not_understood(monkeypatch: pytest.MonkeyPatch):
    client = ServiceClient(RunFile("http://127.0.0.1:1", "", 0, None))
    monkeypatch.setattr(client, "post", lambda *_: {})
    monkeypatch.setattr(Command, "service", client)
    with pytest.raises(QmError, match="did not answer the search"):
        search(Command(), {"goal": "what time is it"})
