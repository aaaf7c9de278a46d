"""Some of the databases of tests/install/databases.py; `make test-databases` tries all."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.install.databases import ALL_SETTINGS, LOCALES, Case, outcome, plain_answers
from tests.support.database import Server
from tests.support.fixtures import on_each_server

pytestmark = pytest.mark.install

_BY_NAME = {case.name: case for case in LOCALES}


@pytest.mark.slow
def test_neither_turkish_nor_settings_of_the_database_change_an_answer(debian_server: Server):
    both = replace(_BY_NAME["ICU tr-TR"], settings=ALL_SETTINGS.settings)
    assert outcome(debian_server, both, plain_answers(debian_server)).endswith("equal")


@pytest.mark.slow
def test_settings_of_the_database_change_no_answer(embedded_server: Server):
    report = outcome(embedded_server, ALL_SETTINGS, plain_answers(embedded_server))
    assert report.endswith("equal")


@on_each_server
@pytest.mark.parametrize("name", ["LATIN1", "SQL_ASCII", "EUC_JP", "libc C"])
def test_a_database_without_letters_is_refused_in_one_sentence(server: Server, name: str):
    assert outcome(server, _BY_NAME[name], []).startswith("refused: ")


def test_a_database_without_triggers_is_refused_in_one_sentence(server: Server):
    case = Case(
        "replica", settings=(("session_replication_role", "replica"),), refused="triggers_disabled"
    )
    assert outcome(server, case, []).startswith("refused: ")
