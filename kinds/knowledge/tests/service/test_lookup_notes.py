"""Sentences about a look-up."""

from __future__ import annotations

import time
from typing import Any

from quartermaster_knowledge.lookup_notes import is_word, names_library, notes_of_lookup

ROW: dict[str, Any] = {
    "name": "acme.Client.set_timeout",
    "distribution": "acme",
    "version": "2.0",
    "waiting": 0,
    "is_near_miss": False,
    "has_topic": False,
}


def test_an_order_that_may_change_is_called_so_once():
    rows = [ROW | {"waiting": 1000}] * 3
    assert notes_of_lookup("acme", "send mail", [], rows) == [
        "Vectors are still being computed (objects without one: at least 1,000), so the order may"
        " change."
    ]
    assert notes_of_lookup("acme", "send mail", [], [ROW]) == []


def test_one_ordinary_word_is_no_name_of_its_own():
    assert all(map(is_word, ("timeout", "Timeout", "url2")))
    assert not any(map(is_word, ("set_timeout", "setTimeout", "a.b", "two words", "")))


def test_a_name_that_only_another_version_has_is_told():
    old = {"version": "1.0", "has_it": True, "deprecated": None}
    new = {"version": "2.0", "has_it": False, "deprecated": None}
    assert notes_of_lookup("acme", "send", [new, old], [ROW]) == [
        "send does not exist in version 2.0. It exists in 1.0. The nearest follow."
    ]
    assert notes_of_lookup(
        "acme", "send", [new | {"has_it": True, "deprecated": "use post"}], [ROW]
    ) == ["send is deprecated: use post"]


def test_a_library_with_another_name_is_said():
    assert notes_of_lookup("acne", "send", [], [ROW | {"is_near_miss": True}]) == [
        "acne is not indexed. The nearest is acme."
    ]


def test_a_version_that_is_not_installed_is_said():
    rows = [ROW | {"version": "1.2"}]
    assert notes_of_lookup("acme", None, [], rows, "9.9") == [
        "Version 9.9 is not installed. This answer is from version 1.2, which is."
    ]
    assert notes_of_lookup("acme", None, [], rows, "1.2.0.0") == []
    assert notes_of_lookup("acme", None, [], rows, "1.20") != []
    assert notes_of_lookup("acme", None, [], rows, None) == []


def test_a_version_with_many_zeros_takes_no_time():
    started = time.process_time()
    assert notes_of_lookup("acme", None, [], [ROW], "1" + ".0" * 50_000 + "x")
    assert time.process_time() - started < 1


def test_an_ordinary_word_is_no_name_that_is_missing():
    missing = [{"version": "2.0", "has_it": False, "deprecated": None}]

    assert notes_of_lookup("acme", "timeouts", missing, [ROW, ROW | {"has_topic": True}]) == []
    assert notes_of_lookup("acme", "set_timeouts", missing, [ROW, ROW]) == [
        "set_timeouts does not exist in version 2.0. The nearest follow."
    ]


def test_a_note_stands_in_for_a_library_only_if_it_names_the_library():
    passage: dict[str, Any] = {
        "title": "CORS and browser isolation",
        "source": "Fetch Standard; MDN CORS",
        "cites": [],
        "text": "Requests with JSON content type trigger a preflight.",
    }

    assert not names_library(passage, "requests")
    for about in ({"title": "Timeouts of requests"}, {"source": "Requests docs"}):
        assert names_library(passage | about, "requests")
    assert names_library(passage | {"cites": ["src/a.py", "Requests 2.32"]}, "requests")
    assert not names_library(passage | {"title": "Timeouts of requests-html"}, "requests")
