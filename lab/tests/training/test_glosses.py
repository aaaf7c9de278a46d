"""The list of words with which goals are put into English."""

from __future__ import annotations

import gzip
from pathlib import Path

from lab.training import glosses
from quartermaster_db.glossing import GLOSSES, guess_language, in_english

GERMAN = [
    ("Open the invoice", "Öffne die Rechnung"),
    ("Delete the invoice", "Lösche die Rechnung"),
    ("Open the folder", "Öffne den Ordner"),
    ("Delete the folder", "Lösche den Ordner"),
    ("Delete the backup", "Lösche das Backup"),
    ("A backup", "Ein Backup"),
]


def found(lines: list[str], language: str) -> dict[str, str]:
    """Returns the words of a language and their meanings."""
    rows = [line.split("\t") for line in lines]
    return {words: english for of, words, english in rows if of == language}


def test_words_that_stand_in_the_same_texts_mean_the_same():
    known = glosses.align(GERMAN, "de")
    meanings = {word: meaning.english for word, meaning in known.items()}
    assert meanings["öffne"] == "open"
    assert meanings["lösche"] == "delete"
    assert meanings["rechnung"] == "invoice"
    assert meanings["ordner"] == "folder"
    assert known["rechnung"].count > 0.9


def test_english_words_are_left_out_and_accents_may_be_missing():
    words = found(glosses.make_list({"de": GERMAN}, {}), "de")
    assert "backup" not in words
    assert words["öffne"] == words["offne"] == "open"


def test_a_phrase_that_was_written_by_hand_takes_precedence():
    phrases = {"de": {"rechnung": "bill", "zeig mir": "show me", "das backup": "das backup"}}
    words = found(glosses.make_list({"de": GERMAN}, phrases), "de")
    assert (words["rechnung"], words["zeig mir"]) == ("bill", "show me")
    assert "das backup" not in words


def test_runs_of_characters_are_the_words_of_a_text_without_spaces():
    verbs = {"Open": "打开", "Delete": "删除", "Show": "显示", "Rename": "重命名"}
    things = {"file": "文件", "folder": "目录", "image": "图像", "key": "密钥", "page": "页面"}
    texts = [
        (f"{verb} {thing}", f"{verbs[verb]}的{things[thing]}") for verb in verbs for thing in things
    ]
    words = found(glosses.make_list({"zh": texts}, {}), "zh")
    assert (words["打开"], words["文件"], words["目录"]) == ("open", "file", "folder")
    # No word begins with this character.
    assert not any(word.startswith("的") for word in words)


def test_a_place_that_stands_for_another_is_left_out():
    texts = [(f"San Jose, {one}", f"Boston, {other}") for one, other in GERMAN]
    known = glosses.align(texts, "de")
    assert known["rechnung"].english == "invoice"
    assert "boston" not in known or known["boston"].english not in {"san", "jose"}


def test_a_full_stop_of_hindi_is_no_part_of_a_word():
    things = {"file": "फ़ाइल", "folder": "फ़ोल्डर", "page": "पेज"}
    texts = [(f"The {one} is here.", f"{other} यहाँ है।") for one, other in things.items()]
    assert "है" in glosses.align(texts, "hi")


def test_no_texts_give_no_words():
    assert glosses.make_list({}, {}) == []
    assert glosses.align([], "de") == {}


def test_the_same_input_gives_the_same_file(tmp_path: Path):
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("".join(f"de\t{one}\t{other}\n" for one, other in GERMAN), encoding="utf-8")
    made: list[bytes] = []
    for name in ("one.gz", "two.gz"):
        glosses.main([str(pairs), "--output", str(tmp_path / name)])
        made.append((tmp_path / name).read_bytes())
    assert made[0] == made[1]
    lines = gzip.decompress(made[0]).decode().splitlines()
    assert lines == sorted(lines)
    assert found(lines, "fr")["montre-moi"] == "show me"


def test_the_list_that_ships_has_the_phrases_that_were_written_by_hand():
    shipped = gzip.decompress(GLOSSES.read_bytes()).decode().splitlines()
    for language, phrases in glosses.read_phrases(glosses.PHRASES).items():
        listed = found(shipped, language)
        expected = {words: english for words, english in phrases.items() if words != english}
        assert len(expected) > 250
        assert {words: listed.get(words) for words in expected} == expected


def test_a_goal_that_is_a_phrase_written_by_hand_is_put_into_english_by_it():
    for language, phrases in glosses.read_phrases(glosses.PHRASES).items():
        known = {words: phrases[words] for words in phrases if guess_language(words) == language}
        assert len(known) > 50
        assert {words: in_english(words) for words in known} == known
