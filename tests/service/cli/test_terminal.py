"""Lists in a terminal of 80 columns: every time, name and word is whole."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Generator
from typing import LiteralString

import psycopg
import pytest

from tests.support.instance import QM, Instance

_NOTE = "The catalog before the servers of the payments team arrive"
_DENIED: LiteralString = """
insert into policy.decision
    (principal_id, door, kind, ref, name, is_allowed, version_id, rule, reason)
select p.id, 'call', 'tool', 1, 'payments__refund_order', false, 1, 2,
    'rule 2 denies the tools of payments to agents'
from policy.principal as p where p.name = 'local'
"""
_STYLE = re.compile(r"\x1b\[[0-9;]*m")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d")


@pytest.fixture(scope="module")
def used(instance: Instance) -> Generator[Instance]:
    """With a snapshot, a server that fails, and a denied call."""
    assert instance.qm("snapshot", "create", "before-payments", "--note", _NOTE).returncode == 0
    assert instance.qm("origin", "add", "broken", "--command", "no-such-program").returncode == 1
    with psycopg.connect(instance.admin_dsn, autocommit=True) as connection:
        connection.execute(_DENIED)
        yield instance
        connection.execute("delete from policy.decision where name = 'payments__refund_order'")
    assert instance.qm("origin", "remove", "broken", "--yes").returncode == 0
    assert instance.qm("snapshot", "drop", "before-payments", "--yes").returncode == 0


@pytest.mark.parametrize(
    ("command", "words", "moments"),
    [
        ("snapshot list", ["before-payments", *_NOTE.split()], 1),
        ("origin list", ["broken", "stdio", "failing", "'no-such-program',"], 0),
        ("job list", ["evaluate_lookups", "refresh_lookups"], 6),
        ("doctor", ["pg_cron", "absent", "scheduled", "'no-such-program',", "Instead:"], 0),
        ("policy decisions", ["local", "call", "payments__refund_order", "payments"], 1),
    ],
)
def test_a_list_has_whole_words(
    used: Instance, command: str, words: list[str], moments: int
) -> None:
    terminal = used.environment | {"FORCE_COLOR": "1", "COLUMNS": "80"}
    shown = subprocess.run([QM, *command.split()], env=terminal, capture_output=True, text=True)
    # A program that is missing is a problem to the doctor.
    assert shown.returncode == (command == "doctor"), shown.stderr
    report = _STYLE.sub("", shown.stdout)
    assert all(len(line) <= 80 for line in report.splitlines()), report
    assert "…" not in report
    assert set(report.split()) >= set(words), report
    assert len(_MOMENT.findall(report)) >= moments, report
