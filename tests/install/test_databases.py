"""Some of the databases of tests/install/databases.py; `make test-databases` tries all."""

from __future__ import annotations

import pytest

from tests.install.databases import ALL_SETTINGS, LOCALES, PLAIN, Case, answers, outcome
from tests.support.database import Server
from tests.support.fixtures import on_each_server

pytestmark = pytest.mark.install

_BY_NAME = {case.name: case for case in LOCALES}


def report(server: Server, case: Case) -> str:
    return outcome(server, case, answers(server, PLAIN))


@pytest.mark.slow
def test_a_turkish_database_answers_like_a_plain_one(debian_server: Server):
    assert report(debian_server, _BY_NAME["ICU tr-TR"]).endswith("equal")


@pytest.mark.slow
@on_each_server
def test_settings_of_the_database_change_no_answer(server: Server):
    assert report(server, ALL_SETTINGS).endswith("equal")


@on_each_server
@pytest.mark.parametrize("name", ["LATIN1", "SQL_ASCII", "EUC_JP", "libc C"])
def test_a_database_without_letters_is_refused_in_one_sentence(server: Server, name: str):
    assert outcome(server, _BY_NAME[name], []).startswith("refused: ")


def test_a_database_without_triggers_is_refused_in_one_sentence(server: Server):
    case = Case(
        "replica", settings=(("session_replication_role", "replica"),), refused="triggers_disabled"
    )
    assert outcome(server, case, []).startswith("refused: ")
