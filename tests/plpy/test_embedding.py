from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from quartermaster_db import embedding
from quartermaster_db.embedding import SentenceEncoder, embed_cached
from tests.support.model import cached_model_dir

TEXTS = ("what time is it in Tokyo", "a " * 90, "", "查询天气", "list open pull requests")


@pytest.fixture(scope="module")
def model_dir() -> Path:
    return cached_model_dir()


@pytest.fixture(scope="module")
def encoder(model_dir: Path) -> SentenceEncoder:
    return SentenceEncoder(model_dir)


def test_vectors_are_float32_of_norm_one(encoder: SentenceEncoder) -> None:
    vectors = encoder.embed(TEXTS)
    assert (vectors.shape, vectors.dtype) == ((len(TEXTS), 384), np.float32)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)


def test_a_vector_depends_on_its_text_alone(encoder: SentenceEncoder) -> None:
    together = encoder.embed(TEXTS)
    for text, vector in zip(TEXTS, together, strict=True):
        assert np.array_equal(encoder.embed([text])[0], vector)


def test_more_threads_give_the_same_vectors_in_order(
    model_dir: Path, encoder: SentenceEncoder
) -> None:
    assert np.array_equal(SentenceEncoder(model_dir, threads=2).embed(TEXTS), encoder.embed(TEXTS))


def test_no_text_gives_no_vector(encoder: SentenceEncoder) -> None:
    assert encoder.embed([]).shape == (0, 384)


def test_what_comes_after_the_last_token_read_changes_nothing(encoder: SentenceEncoder) -> None:
    room = encoder.max_tokens - 2
    full = "tool " * room
    exact, longer, shorter = encoder.embed([full, full + "weather", "tool " * (room - 1)])
    assert np.array_equal(exact, longer)
    assert not np.array_equal(exact, shorter)


def test_lone_surrogates_are_read_as_unknown_characters(encoder: SentenceEncoder) -> None:
    broken, replaced = encoder.embed(["price in \ud83d", "price in ?"])
    assert np.array_equal(broken, replaced)


def test_cached_literal_is_exactly_the_encoder_s_vector(
    model_dir: Path, encoder: SentenceEncoder
) -> None:
    literal = embed_cached({}, str(model_dir), "find flights to Oslo", is_name=True)
    assert (literal[0], literal[-1]) == ("[", "]")
    found = np.array(literal[1:-1].split(","), dtype=np.float32)
    assert np.array_equal(found, encoder.embed(["find flights to Oslo"])[0])


def test_a_goal_is_put_into_english_for_a_model_that_reads_only_english(
    encoder: SentenceEncoder,
) -> None:
    assert encoder.goal_text("zeig mir die Rechnungen") == "show me the invoices"


def test_the_sentences_of_a_goal_have_the_room_of_one_text(encoder: SentenceEncoder) -> None:
    steps = ["Read the weather in Oslo.", "Then book a flight there!", "Send me a mail about it."]
    goal = " ".join(steps)
    assert encoder.goal_texts(goal) == [goal, *steps]
    for sentence, fit in (("%_(*|& " * 30, 1), ("%_(*|& " * 60, 1), ("read a big file " * 20, 3)):
        goal = (sentence + ". ") * 8
        assert encoder.goal_texts(goal) == [goal, *[f"{sentence}."] * fit]


def test_in_the_database_a_goal_is_put_into_english_and_a_name_is_not(model_dir: Path) -> None:
    gd: dict[Any, Any] = {}
    folder, text, english = str(model_dir), "zeig mir die Rechnungen", "show me the invoices"
    as_goal = embed_cached(gd, folder, text, is_name=False)
    as_name = embed_cached(gd, folder, text, is_name=True)
    assert as_goal == embed_cached(gd, folder, english, is_name=True)
    assert as_name != as_goal


def test_session_loads_a_model_once(model_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gd: dict[Any, Any] = {}
    first = embed_cached(gd, str(model_dir), "hello", is_name=True)
    monkeypatch.delattr(embedding, "SentenceEncoder")
    assert embed_cached(gd, str(model_dir), "hello", is_name=True) == first


def test_signals_are_blocked_while_a_model_loads_and_not_after(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[set[Any]] = []

    class Probe:
        def __init__(self, _model_dir: str) -> None:
            seen.append(signal.pthread_sigmask(signal.SIG_BLOCK, ()))

        query_prefix = ""

        def embed(self, texts: list[str]) -> list[list[float]]:
            return [[1.0, 0.0] for _ in texts]

    monkeypatch.setattr(embedding, "SentenceEncoder", Probe)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    assert embed_cached({}, "any", "hello", is_name=True) == "[1,0]"
    assert {signal.SIGTERM, signal.SIGINT, signal.SIGUSR1} <= seen[0]
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == before


def test_no_texts_have_no_vectors(model_dir: Path) -> None:
    assert SentenceEncoder(model_dir, threads=2).embed([]).shape == (0, 384)
