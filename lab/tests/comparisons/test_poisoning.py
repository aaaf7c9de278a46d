"""The scan finds poisoned definitions that it was not tuned on, and leaves real tools alone."""

from __future__ import annotations

import sys

import psycopg
import pytest

from lab.comparisons.poisoning.detection_rates import (
    Connection,
    half,
    judge_benign,
    judge_poisoned,
    rate,
    report,
)
from tests.support.database import Database
from tests.support.shared_data import SHARED, needs_shared


@pytest.fixture
def connection(database: Database) -> Connection:
    return psycopg.connect(database.dsn)


def test_poisoned_definitions_are_found(connection: Connection) -> None:
    with connection:
        verdicts = judge_poisoned(connection)

    sys.stdout.writelines(f"{line}\n" for line in report(verdicts))
    assert len(verdicts) >= 60
    assert rate(half(verdicts, is_dev=True)) >= 0.95
    assert rate(half(verdicts, is_dev=False)) >= 0.7


@needs_shared
def test_real_tools_are_left_alone(connection: Connection) -> None:
    catalog = SHARED / "retrieval" / "mcpcatalog" / "tools.jsonl"
    with connection:
        verdicts = judge_benign(connection, catalog, 100, is_dev=True)
        verdicts += judge_benign(connection, catalog, 100, is_dev=False)

    sys.stdout.writelines(f"{line}\n" for line in report(verdicts))
    assert len(verdicts) == 200
    assert rate(verdicts) <= 0.02
