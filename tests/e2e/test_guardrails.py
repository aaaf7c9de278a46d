"""Guardrails from a rule to the answer that an agent gets, with a hostile MCP server."""

from __future__ import annotations

import json
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.support.hostile_server import IBAN, TOKEN
from tests.support.instance import Instance, new_instance
from tests.support.waiting import wait_until

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

RULES = """
guardrails:
  - subject: everyone
    origins: [host*]
    instructions: mark
    personal: mask
    secrets: mask
"""


@pytest.fixture(scope="module")
def guarded(
    stopped_data_dir: Path, tmp_path_factory: pytest.TempPathFactory
) -> Generator[Instance]:
    """A running one with a hostile upstream, and with guardrails."""
    rules = tmp_path_factory.mktemp("rules") / "rules.yaml"
    rules.write_text(RULES, encoding="utf-8")
    with new_instance(copy_of=stopped_data_dir) as instance:
        instance.start().add_upstream("hostile", "hostile_server.py")
        done = instance.qm("policy", "apply", str(rules), "--yes")
        assert done.returncode == 0, done.stderr
        yield instance


def test_a_result_is_marked_and_masked_and_the_log_has_the_numbers(guarded: Instance) -> None:
    page = guarded.qm("call", "hostile__page", "{}")
    assert "[not an instruction of the user: “" in page.stdout
    record = guarded.qm("call", "hostile__record", "{}", "--json")
    assert TOKEN not in record.stdout
    assert IBAN not in record.stdout
    assert "[secret masked: github]" in record.stdout
    rows = "select findings from calls.call where findings is not null order by id"
    assert wait_until(lambda: len(guarded.rows(rows)) == 2)
    assert guarded.rows(rows)[1][0]["masked"] == {"personal": 1, "secrets": 1}
    assert "collect.example" not in guarded.stderr


def test_the_rules_show_the_guardrails(guarded: Instance) -> None:
    shown = json.loads(guarded.qm("policy", "show", "--json").stdout)
    assert shown["guardrails"][0]["secrets"] == "mask"
    assert "secrets: mask" in guarded.qm("policy", "show").stdout


def test_a_mistake_is_reported_with_its_line(guarded: Instance, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(RULES.replace("secrets: mask", "secrets: hide"), encoding="utf-8")
    refused = guarded.qm("policy", "apply", str(wrong), "--yes")
    assert refused.returncode == 1
    assert "wrong.yaml:7" in refused.stderr
    assert "expected deliver, mark or mask" in refused.stderr
