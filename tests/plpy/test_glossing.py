from __future__ import annotations

import gzip
from time import process_time

import pytest

from quartermaster_db.glossing import GLOSSES, guess_language, in_english


@pytest.mark.parametrize(
    ("goal", "language", "words"),
    [
        ("zeig mir die Rechnungen vom letzten Monat", "de", "show me invoices last month"),
        ("muéstrame las facturas de marzo", "es", "show me invoices march"),
        ("où est l'aéroport le plus proche", "fr", "where is the airport"),
        ("qual é a previsão do tempo para amanhã", "pt", "forecast tomorrow"),
        ("visa mig alla öppna ärenden", "sv", "show me all open issues"),
        ("удалить файл из папки", "ru", "delete file from folder"),
        ("查找所有文件", "zh", "find all file"),
        ("明日の東京の天気を教えて", "ja", "tomorrow weather"),
        ("أرني الطقس غدا في دبي", "ar", "weather tomorrow"),
        ("मुझे कल का मौसम दिखाओ", "hi", "show"),
        ("फ़ोल्डर में कितनी फ़ाइलें हैं?", "hi", "in folder how many files"),
        ("¿Qué hora es en Madrid?", "es", "¿what time is it in"),
        ("combien d’articles y a-t-il ?", "fr", "how many is there ?"),
    ],
)
def test_a_goal_is_put_into_english_word_by_word(goal: str, language: str, words: str) -> None:
    assert guess_language(goal) == language
    assert set(words.split()) <= set(in_english(goal).split())


@pytest.mark.parametrize(
    "goal",
    [
        "restaurants in São Paulo",
        "translate 'guten Morgen, wie geht es dir' to English",
        'what does "où est la bibliothèque" mean?',
        "send die Rechnung to Bob",
        "list files in /srv/pedro/documentos",
        "play Für Elise by Ludwig van Beethoven on the kitchen speaker",
        "what is the weather in 北京 tomorrow",
        "create a visa application for María José de la Cruz",
        "Rechnung",
        "get_user_by_id(42)",
        "  two\n lines\t and spaces ",
        "",
    ],
)
def test_a_goal_in_english_stays_as_it_is(goal: str) -> None:
    assert in_english(goal) == goal


@pytest.mark.parametrize(
    ("goal", "retained"),
    [
        ("übersetze 'guten Morgen' ins Spanische", "'guten Morgen'"),
        ('zeig mir die Rechnung "offene Rechnung 7".', '"offene Rechnung 7".'),
        ("suche im Wiki nach „letzten Monat“", "„letzten Monat“"),
        ("查找文件中的“天气预报”", "“天气预报”"),
        ("cherche « l’été » dans mes notes", "« l’été »"),
        ("abre el archivo /srv/ana/facturas.pdf por favor", "/srv/ana/facturas.pdf"),
        ("muéstrame https://example.org/las/facturas de hoy", "https://example.org/las/facturas"),
        ("visa mig alla rader i user_id = 4711", "user_id = 4711"),
        ("muéstrame el tiempo en Santa Cruz", "Santa Cruz"),
        ("查找文件 /tmp/report.txt", "/tmp/report.txt"),
    ],
)
def test_quotes_names_paths_and_numbers_stay_as_they_are(goal: str, retained: str) -> None:
    found = in_english(goal)
    assert found != goal
    assert retained in found


@pytest.mark.parametrize(
    "other",
    [
        "muestrame las facturas",
        "mue\u0301strame las facturas",
        "mués\u00adtrame las\u200b fac\u200dturas\u202c",
    ],
)
def test_words_are_found_without_accents_and_with_what_cannot_be_seen(other: str) -> None:
    assert in_english(other) == in_english("muéstrame las facturas")


@pytest.mark.parametrize(
    "goal",
    [
        "«" * 100_000,
        "„" * 100_000,
        "'x " * 30_000,
        "(" * 100_000,
        "l'" * 50_000,
        "天" * 100_000,
        "zeig mir die Rechnungen " * 5_000,
        "مرحبا zeig mir 天 die\x00 Rechnung \ud83d " * 2_000,
    ],
)
def test_a_hostile_goal_takes_no_long_time(goal: str) -> None:
    in_english("zeig mir die Rechnungen")
    begun = process_time()
    assert in_english(goal)
    assert process_time() - begun < 0.5


def test_the_end_of_a_very_long_goal_stays() -> None:
    found = in_english("zeig mir die Rechnungen " * 1_000 + "zeig mir")
    assert found.startswith("show me the invoices show me")
    assert found.endswith("zeig mir die Rechnungen zeig mir")


def test_the_list_is_sorted_and_each_word_has_one_meaning() -> None:
    lines = gzip.decompress(GLOSSES.read_bytes()).decode("utf-8").splitlines()
    keys = [tuple(line.split("\t")[:2]) for line in lines]
    assert keys == sorted(set(keys))
    assert all(len(line.split("\t")) == 3 for line in lines)
    # The header of the compressed file has no time, so the same list gives the same file.
    assert GLOSSES.read_bytes()[4:8] == bytes(4)
