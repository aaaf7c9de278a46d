"""Scores are monotone: nothing that makes a file worse raises a category or the whole."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from psycopg.types.json import Jsonb

pytestmark = pytest.mark.sql

Connection = psycopg.Connection[tuple[object, ...]]
_SEVERITIES = ("low", "medium", "high", "critical")
_RULES = {
    "ruff": ("F401", "S608", "PERF401", "D103", "PLR0913", "C901", "B006"),
    "bandit": ("B608", "B105", "B301"),
    "taint": ("taint-sql", "taint-path"),
    "mypy": ("attr-defined", "arg-type"),
    "vulture": ("unused-variable",),
    "radon": ("complexity",),
    "secrets": ("aws-key",),
}
_CWES = (None, 22, 23, 78, 89, 502, 798, 703)
_TOOLS = sorted(_RULES)
_findings = st.lists(
    st.sampled_from(_TOOLS).flatmap(
        lambda tool: st.tuples(
            st.just(tool),
            st.sampled_from(_RULES[tool]),
            st.integers(1, 6),
            st.sampled_from(_SEVERITIES),
            st.sampled_from(_CWES),
            st.booleans(),
        )
    ),
    max_size=8,
)
_metrics = st.fixed_dictionaries(
    {
        "coverage_percent": st.integers(0, 100),
        "complexity_mean": st.integers(1, 30),
        "complexity_max": st.integers(1, 80),
        "lines_of_code": st.sampled_from((1, 100, 1000)),
    }
)
_statuses = st.dictionaries(
    st.sampled_from([*_TOOLS, "coverage"]),
    st.sampled_from(["skipped", "degraded", "error"]),
    max_size=2,
)
Scores = dict[str, float | None]
Finding = tuple[str, str, int, str, int | None, bool]
_quick = settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture
def score(rolled_back: Connection) -> Callable[..., Scores]:
    """Scores a file with these findings, statuses and metrics."""
    rolled_back.execute("select t.make_project('shop', 'alice')")

    def ask(findings: list[Finding], statuses: dict[str, str], metrics: dict[str, int]) -> Scores:
        by_tool: dict[str, list[Any]] = {}
        for tool, rule, line, severity, cwe, is_hint in findings:
            finding = rolled_back.execute(
                "select t.finding(%s, %s, %s, %s, %s)", (rule, line, severity, cwe, is_hint)
            ).fetchone()
            assert finding is not None
            by_tool.setdefault(tool, []).append(finding[0])
        rolled_back.execute(
            "select t.scan_file('alice', 'a.py', t.scans(%s, %s, %s))",
            (Jsonb(by_tool), Jsonb(statuses), Jsonb(metrics)),
        )
        rows = rolled_back.execute("select category, score from api.score('a.py')").fetchall()
        rolled_back.execute("select t.act_as_superuser()")
        return {str(name): None if value is None else float(str(value)) for name, value in rows}

    return ask


def assert_no_higher(worse: Scores, better: Scores) -> None:
    assert worse.keys() == better.keys()
    for name, value in worse.items():
        other = better[name]
        assert (value is None) == (other is None), name
        if value is not None and other is not None:
            assert value <= other, name
            assert 0 <= value <= (100 if name == "overall" else 10), name


@given(_findings, st.data(), _statuses, _metrics)
@_quick
def test_one_more_finding_never_raises_a_score(
    score: Callable[..., Scores],
    findings: list[Finding],
    data: st.DataObject,
    statuses: dict[str, str],
    metrics: dict[str, int],
):
    [more] = data.draw(_findings.filter(lambda found: len(found) == 1))
    before = score(findings, statuses, metrics)
    assert_no_higher(score([*findings, more], statuses, metrics), before)


@given(_findings, _statuses, _metrics, st.integers(0, 40), st.integers(0, 40), st.integers(0, 100))
@_quick
def test_more_complexity_or_less_coverage_never_raises_a_score(
    score: Callable[..., Scores],
    findings: list[Finding],
    statuses: dict[str, str],
    metrics: dict[str, int],
    mean: int,
    worst: int,
    lost: int,
):
    before = score(findings, statuses, metrics)
    worse = metrics | {
        "complexity_mean": metrics["complexity_mean"] + mean,
        "complexity_max": metrics["complexity_max"] + worst,
        "coverage_percent": max(0, metrics["coverage_percent"] - lost),
    }
    assert_no_higher(score(findings, statuses, worse), before)


def test_a_serious_finding_does_cost_points(score: Callable[..., Scores]):
    metrics = {"coverage_percent": 90, "complexity_mean": 2, "complexity_max": 4}
    clean = score([], {}, metrics)
    hole = score([("taint", "taint-sql", 3, "high", 89, False)], {}, metrics)
    assert (clean["security"], hole["security"]) == (10, 6)
    assert (hole["overall"] or 0) < (clean["overall"] or 0)
