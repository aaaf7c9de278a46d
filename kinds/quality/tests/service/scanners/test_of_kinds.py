"""A scanner that a package brings, here that of decisions."""

from __future__ import annotations

import json

import anyio
import pytest

from quartermaster.core.findings import Scan, Status
from quartermaster_quality.scanners.code import code_digest
from quartermaster_quality.scanners.concurrent_scan import Scanners, full
from quartermaster_quality.scanners.interface import ScanOptions, SourceFile
from quartermaster_quality.scanners.of_kinds import of_kinds

NAME = "decisions"
DECISION = {
    "id": 7,
    "pattern": "Print nothing",
    "polarity": "avoid",
    "instead": "log.info(...)",
    "rationale": "",
    "confidence": "high",
    "health": "fresh",
    "check": {"form": "call_through", "old": ["print"], "new": ["log.info"], "tests": False},
}
FACTS = json.dumps({"module": "a", "decisions": [DECISION]}).encode()


def scanned(data: bytes, facts: bytes) -> Scan:
    async def scan() -> Scan:
        scanners = Scanners(1)
        try:
            extra = {NAME: {"facts": facts}}
            [done] = await scanners.scan(SourceFile("a.py", data), ScanOptions(), [NAME], extra)
            return done
        finally:
            await scanners.aclose()

    return anyio.run(scan)


def test_it_is_one_of_all_scanners_and_its_code_counts(monkeypatch: pytest.MonkeyPatch):
    assert NAME in full()
    code_digest.cache_clear()
    known = code_digest()
    monkeypatch.delitem(of_kinds(), NAME)
    code_digest.cache_clear()
    assert code_digest() != known
    assert NAME not in full()
    code_digest.cache_clear()


def test_it_gets_the_facts():
    done = scanned(b"import os\nprint(os)\n", FACTS)
    assert done.status is Status.OK
    assert [(each.rule, each.line) for each in done.findings] == [("decision-7", 2)]


def test_it_is_not_asked_about_a_file_that_cannot_be_parsed():
    done = scanned(b"print(\n", FACTS)
    assert done.status is Status.ERROR
    assert "decisions cannot parse the file" in done.reason


def test_without_facts_there_is_nothing_to_look_for():
    assert scanned(b"print(\n", b"").status is Status.OK
