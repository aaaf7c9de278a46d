"""``qm stats``: what was counted, as people and programs read it."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from quartermaster.cli.stats import calls_command, selections_command
from quartermaster.core.errors import QmError
from tests.support.database import Database

ARRANGED = """
select t.make_catalog();
insert into stats.call_hour (
    hour, kind, ref, principal_id, outcome, calls, duration_ms, argument_bytes, result_bytes,
    largest_bytes, durations
)
select date_bin('1 hour', now() - h.age, '2000-01-01'), 'tool', x.id, p.id, h.outcome, h.calls,
    h.calls * h.ms, 10, 5000, 1000, jsonb_build_object(stats.duration_bucket(h.ms), h.calls)
from (values ('1 hour'::interval, 'ok', 9, 100), ('2 days', 'timeout', 1, 60000))
    as h (age, outcome, calls, ms)
inner join catalog.item as x on x.public_name = 'time__convert_time'
inner join policy.principal as p on p.name = 'quartermaster';
insert into stats.selection_hour (
    hour, kind, principal_id, mode, selections, empty, offered, tokens_sent, tokens_full,
    duration_ms, durations
)
select date_bin('1 hour', now(), '2000-01-01'), 'tool', p.id, 'fast', 4, 1, 15, 250, 2500, 40,
    jsonb_build_object(stats.duration_bucket(10), 4)
from policy.principal as p
where p.name = 'quartermaster'
"""


@pytest.fixture
def counted(database: Database) -> Database:
    with database.connect() as connection:
        connection.execute(ARRANGED)
    return database


def test_calls_are_told_by_tool_and_by_day(counted: Database, capsys: pytest.CaptureFixture[str]):
    calls_command(dsn=counted.dsn)
    [_, line] = capsys.readouterr().out.splitlines()
    assert line.split()[:3] == ["time__convert_time", "10", "90.0%"]
    assert line.split()[-2:] == ["timeout", "1"]

    calls_command(per="day", json=True, dsn=counted.dsn)
    assert [row["calls"] for row in json.loads(capsys.readouterr().out)] == [9, 1]
    calls_command(since=datetime.now(UTC), json=True, dsn=counted.dsn)
    assert json.loads(capsys.readouterr().out) == []


def test_selections_tell_what_they_spared(counted: Database, capsys: pytest.CaptureFixture[str]):
    selections_command(dsn=counted.dsn)
    [_, line] = capsys.readouterr().out.splitlines()
    assert line.split()[:6] == ["fast", "4", "1", "250", "2,500", "90.0%"]

    selections_command(by="principal", json=True, dsn=counted.dsn)
    [row] = json.loads(capsys.readouterr().out)
    assert (row["name"], row["tokens_full"]) == ("quartermaster", 2500)


def test_no_database_is_a_clear_error():
    with pytest.raises(QmError) as refused:
        calls_command(dsn="postgresql://127.0.0.1:1/none")
    assert refused.value.slug == "database_unavailable"
