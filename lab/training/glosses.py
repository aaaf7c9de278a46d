"""Makes the list of words with which goals in other languages are put into English.

The list is counted from parallel texts, such as the translated messages of programs: words that
often stand in the same texts translate each other (IBM model 1, in both directions). Common phrases
of daily speech, which such messages lack, are written by hand in phrases.tsv.
"""

from __future__ import annotations

import argparse
import gzip
import re
import sys
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quartermaster_db.glossing import GLOSSES

PHRASES: Final = Path(__file__).with_name("phrases.tsv")
LATIN: Final = ("de", "es", "fr", "pt", "sv")
_WITHOUT_SPACES: Final = ("ja", "zh")
_ROUNDS: Final = 5
# Longer texts say less about each of their words, and a text without spaces has many runs.
_MOST_WORDS: Final = 25
_MOST_WORDS_OF_SIGNS: Final = 12
# A word is listed if it is translated so in at least this share of its texts, if it is at least
# this share of how the English word is translated, and if it was counted so often.
_LEAST_SHARE: Final = 0.1
_LEAST_SHARE_BACK: Final = 0.005
_LEAST_COUNT: Final = 0.9
_WORD: Final = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
# Vowels of Hindi and Arabic are marks, not letters.
_MARKED_WORD: Final = re.compile(r"[^\W\d_]+[\u0900-\u0963\u0970-\u097f]*")
_SIGNS: Final = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]+")
# No Chinese or Japanese word begins with these.
_NEVER_FIRST: Final = frozenset("的をのがーンァィゥェォッャュョんっゃゅょ")
_ELIDED_PATTERN: Final = re.compile(r"\b(l|d|j|n|s|c|m|t|qu)'")
# Where a message has a place as an example, its translation often has another one.
_PLACES: Final = frozenset(
    {
        *("angeles", "atlanta", "austin", "berlin", "boston", "chicago", "diego", "francisco"),
        *("houston", "jose", "kansas", "lawrence", "portland", "seattle", "spokane"),
    }
)


class Meaning(NamedTuple):
    """What words mean in English, and how often that was counted."""

    english: str
    count: float


Meanings = dict[str, Meaning]
Texts = Sequence[tuple[str, str]]
Doubles = NDArray[np.float64]
Numbers = NDArray[np.int64]


def make_list(pairs: Mapping[str, Texts], phrases: Mapping[str, Mapping[str, str]]) -> list[str]:
    """Returns the sorted lines of the list: a language, words of it, and the same in English.

    Args:
        pairs: for each language, pairs of an English text and the same text in that language.
        phrases: for each language, phrases and the same in English; they take precedence.
    """
    english = Counter(
        word
        for text in {text for some in pairs.values() for text, _ in some}
        for word in set(_WORD.findall(_plain(text)))
    )
    lines: list[str] = []
    for language in sorted({*pairs, *phrases}):
        known = _without_english(align(pairs.get(language, ()), language), english, language)
        known |= {
            words: Meaning(meaning, float("inf"))
            for words, meaning in phrases.get(language, {}).items()
        }
        if language in LATIN:
            known = _without_accents(known, english) | known
        lines += [
            f"{language}\t{words}\t{meaning.english}"
            for words, meaning in known.items()
            if words != meaning.english
        ]
    return sorted(lines)


def align(texts: Texts, language: str) -> Meanings:
    """Finds the most probable meaning of each word in parallel texts.

    Args:
        texts: pairs of an English text and the same text in the language.
        language: the language.
    """
    english: dict[str, int] = defaultdict(lambda: len(english))
    others: dict[str, int] = defaultdict(lambda: len(others))
    most_words = _MOST_WORDS_OF_SIGNS if language in _WITHOUT_SPACES else _MOST_WORDS
    links = _Links.of(
        (
            [english[word] for word in dict.fromkeys(_WORD.findall(one))],
            [others[word] for word in dict.fromkeys(_words(other, language))],
        )
        for one, other in sorted({(_plain(one), _plain(other)) for one, other in texts})
        if len(one.split()) <= most_words
    )
    if not len(links.english):
        return {}
    back, _ = links.translate(links.other_place, links.english)
    share, count = links.translate(links.english_place, links.other)
    score = share * np.sqrt(back)
    listed = (share > _LEAST_SHARE) & (back > _LEAST_SHARE_BACK) & (count > _LEAST_COUNT)
    # Of several meanings, the last one stays: the best.
    best = np.flatnonzero(listed)[np.argsort(score[listed], kind="stable")]
    names, words = list(english), list(others)
    known = {
        words[links.other[link]]: Meaning(names[links.english[link]], float(count[link]))
        for link in best
    }
    return {word: meaning for word, meaning in known.items() if meaning.english not in _PLACES}


class _Links(NamedTuple):
    """Which words stand in the same pair of texts.

    Attributes:
        english, other: the two words of each different link.
        link: for each time that two words stand in the same pair: which link that is.
        english_place, other_place: likewise, at which place in all texts each word stands.
    """

    english: Numbers
    other: Numbers
    link: Numbers
    english_place: Numbers
    other_place: Numbers

    @classmethod
    def of(cls, pairs: Iterable[tuple[list[int], list[int]]]) -> _Links:
        columns: list[list[Numbers]] = [[], [], [], []]
        english_places = other_places = 0
        for english, other in pairs:
            one, two = len(english), len(other)
            columns[0].append(np.repeat(english, two))
            columns[1].append(np.tile(other, one))
            columns[2].append(np.repeat(np.arange(one), two) + english_places)
            columns[3].append(np.tile(np.arange(two), one) + other_places)
            english_places += one
            other_places += two
        joined = [np.concatenate([np.empty(0), *some]).astype(np.int64) for some in columns]
        width = int(joined[1].max(initial=0)) + 1
        keys, link = np.unique(joined[0] * width + joined[1], return_inverse=True)
        return cls(keys // width, keys % width, link, joined[2], joined[3])

    def translate(self, place: Numbers, given: Numbers) -> tuple[Doubles, Doubles]:
        """Shares each place among the links there, and counts the links, again and again.

        Args:
            place: the places of the words that are explained.
            given: the words that explain them.

        Returns:
            The share that a link has of all that its given word explains, and its count.
        """
        share = count = np.ones(len(given))
        for _ in range(_ROUNDS):
            part = share[self.link]
            part = part / np.bincount(place, part)[place]
            count = np.bincount(self.link, part, len(given))
            share = count / np.bincount(given, count)[given]
        return share, count


def _plain(text: str) -> str:
    return unicodedata.normalize("NFC", text).lower().replace("’", "'")


def _words(text: str, language: str) -> list[str]:
    if language in _WITHOUT_SPACES:
        # All runs of two to four characters that can be words.
        return [
            run[start : start + length]
            for run in _SIGNS.findall(text)
            for length in (2, 3, 4)
            for start in range(len(run) - length + 1)
            if run[start] not in _NEVER_FIRST
        ]
    if language in ("ar", "hi"):
        return _MARKED_WORD.findall(text)
    return _WORD.findall(_ELIDED_PATTERN.sub(r"\1' ", text) if language == "fr" else text)


def _without_english(known: Meanings, english: Counter[str], language: str) -> Meanings:
    """Leaves out English words, which stand in texts of other languages, too."""
    return {
        word: meaning
        for word, meaning in known.items()
        if language in _WITHOUT_SPACES or english[word] <= meaning.count
    }


def _without_accents(known: Meanings, english: Counter[str]) -> Meanings:
    """Returns how words look without accents, unless that is an English word; the more frequent
    wins.
    """
    folded: Meanings = {}
    for words, meaning in sorted(known.items(), key=lambda one: (one[1].count, one[0])):
        plain = "".join(
            letter
            for letter in unicodedata.normalize("NFKD", words)
            if not unicodedata.combining(letter)
        )
        if english[plain] <= meaning.count:
            folded[plain] = meaning
    return folded


def read_pairs(file: Path) -> dict[str, list[tuple[str, str]]]:
    """Reads parallel texts: a language, an English text, and the same text in that language."""
    pairs: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for line in file.read_text(encoding="utf-8").splitlines():
        language, english, other = line.split("\t")
        pairs[language].append((english, other))
    return pairs


def read_phrases(file: Path) -> dict[str, dict[str, str]]:
    """Reads phrases: a column for each language, English first; its first meaning stays.

    A row can leave languages out.
    """
    header, *lines = file.read_text(encoding="utf-8").splitlines()
    phrases: dict[str, dict[str, str]] = defaultdict(dict)
    for line in lines:
        english, *others = line.split("\t")
        for language, phrase in zip(header.split("\t")[1:], others, strict=True):
            words = _plain(phrase.strip("¿"))
            words = _ELIDED_PATTERN.sub(r"\1' ", words) if language == "fr" else words
            if words:
                phrases[language].setdefault(" ".join(words.split()), english)
    return phrases


def main(arguments: Sequence[str]) -> None:
    """Makes the list, compressed; the same input gives the same file."""
    parser = argparse.ArgumentParser(prog="python -m lab.training.glosses")
    parser.add_argument("pairs", type=Path, help="parallel texts: language, English, other")
    parser.add_argument("--phrases", type=Path, default=PHRASES, help="phrases written by hand")
    parser.add_argument("--output", type=Path, default=GLOSSES, help="the list, compressed")
    given = parser.parse_args(arguments)
    lines = make_list(read_pairs(given.pairs), read_phrases(given.phrases))
    made = "".join(f"{line}\n" for line in lines).encode()
    given.output.write_bytes(gzip.compress(made, 9, mtime=0))
    sys.stdout.write(f"{len(lines)} words\n")


if __name__ == "__main__":
    main(sys.argv[1:])
