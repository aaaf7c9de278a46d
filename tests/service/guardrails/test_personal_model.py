"""The learned part of the search for personal data, on texts that it did not learn from."""

from __future__ import annotations

import time

import pytest

from quartermaster.guardrails import health
from quartermaster.guardrails.addresses import whole_address
from quartermaster.guardrails.personal_features import has_trigger, read_tokens
from quartermaster.guardrails.personal_model import shipped_model
from quartermaster.guardrails.scan import find_spans
from quartermaster.guardrails.spans import Bytes


def found(text: str) -> list[tuple[str, str]]:
    return [(s.type, text[s.start : s.end]) for s in shipped_model().find(Bytes(text))]


@pytest.mark.parametrize(
    ("text", "datum"),
    [
        ('{"guest": "Edda Rauch", "dob": "1974-02-11"}', ("birth_date", "1974-02-11")),
        ("Name;Geburtsdatum;Ort\nEdda Rauch;11.02.1974;Trier", ("birth_date", "11.02.1974")),
        ("mobile: 07700 900 555, after six", ("phone", "07700 900 555")),
        ("Please write to edda.rauch@letters.example.", ("email", "edda.rauch@letters.example")),
        ('{"diagnosis": "type 2 diabetes"}', ("health", "type 2 diabetes")),
    ],
)
def test_a_datum_is_found_with_its_type(text: str, datum: tuple[str, str]):
    assert datum in found(text)


@pytest.mark.parametrize(
    "text",
    [
        "Released on 2026-03-14, build 20260314.2, commit 4f1c9e07.",
        '{"order": "B-2026-0417", "created": "2026-04-17T10:11:12Z", "total": "19.90"}',
        "Opening hours: 9 to 5. Please ring the bell and wait.",
    ],
)
def test_what_is_about_nobody_is_left(text: str):
    assert found(text) == []


def test_a_text_without_a_sign_of_personal_data_is_not_read():
    text = "The service starts the origin and waits for its answer. " * 200
    assert not has_trigger(text.encode())
    assert list(read_tokens(Bytes(text))) == []


@pytest.mark.parametrize(
    ("text", "is_read"),
    [
        ("7 rue Haute", True),
        ("é 7 écoles, rue Haute", True),
        ("7 " + "x" * 24 + "rue Haute", True),
        ("7 " + "x" * 25 + "rue Haute", False),
        ("7\nrue Haute", False),
        ("x rue Haute", False),
    ],
)
def test_a_number_a_few_words_before_a_street_is_such_a_sign(text: str, is_read: bool):
    assert has_trigger(text.encode()) == is_read
    assert bool(list(read_tokens(Bytes(text)))) == is_read


@pytest.mark.parametrize(
    "piece",
    [
        "a@b.example 1234 ",
        "日本 12345 é ",
        "1-1-1-1-1-1 ",
        "+(0 )",
        "1 rue ",
        "asthma ",
        "a@b.example ill, ",
    ],
)
def test_the_time_grows_with_the_length_only(piece: str):
    def took(text: str) -> float:
        begin = time.process_time()
        list(shipped_model().find(Bytes(text)))
        return time.process_time() - begin

    short = piece * (20_000 // len(piece))
    took(short)
    assert took(short * 8) < 8 * 4 * max(took(short), 0.01)


def test_a_long_text_comes_in_pieces():
    text = Bytes("call 07700 900555 now, " * 20_000)
    sizes = [len(tokens.parts) for tokens in read_tokens(text)]
    assert len(sizes) > 10
    assert max(sizes) < 20_000


@pytest.mark.parametrize(
    "text", ["у гостя аллергия", "une épilepsie", "卵アレルギー", "수술 후", "has diabetes"]
)
def test_words_about_health_are_known_in_each_script(text: str):
    assert health.CLAUSE_WORDS.search(text.encode())


def test_an_invalid_token_is_nobodys_health():
    assert not health.CLAUSE_WORDS.search(b"invalid token, the request was disabled")


@pytest.mark.parametrize(
    ("text", "part", "whole"),
    [
        # Up to the end of the word, and over what stands before the town.
        ("12 rue Basse, 99310 Saint-Aubin-sur-Loue.", "12 rue Basse, 99310 Saint",
         "12 rue Basse, 99310 Saint-Aubin-sur-Loue"),
        ("Adresse: Elmegade 41, 2. th., 8999 Lillerup\nTlf.", "Elmegade 41, 2. th",
         "Elmegade 41, 2. th., 8999 Lillerup"),
        # No further than its sentence.
        ("I live at 9 Larch Close now. It is quiet there.", "9 Larch Close", "9 Larch Close"),
    ],
)  # fmt: skip
def test_an_address_is_widened_to_its_field(text: str, part: str, whole: str):
    start = text.index(part)
    low, high = whole_address(text, start, start + len(part))
    assert text[low:high] == whole


@pytest.mark.parametrize(
    ("text", "clause"),
    [
        ('{"guest":"Ida","tel":"07700 900555","allergies":"peanuts, latex"}', "peanuts, latex"),
        ("Клиент: +7 916 555-01-42. Примечание: аллергия на орехи", "аллергия на орехи"),
    ],
)
def test_a_clause_about_somebodys_health_is_found(text: str, clause: str):
    assert clause in [text[s.start : s.end] for s in find_spans(text, ("personal",))]


@pytest.mark.parametrize(
    "text",
    [
        "Leaflet: people with asthma should use their inhaler every day. Helpline 0300 555 0112.",
        "The asthma clinic is open on Mondays, the diabetes clinic on Fridays, 01632 960404.",
        '{"check":"heart-of-gold","state":"sick","node":"10.0.4.12"}',
    ],
)
def test_a_clause_about_health_in_general_is_left(text: str):
    assert not [s for s in find_spans(text, ("personal",)) if s.type == "health"]
