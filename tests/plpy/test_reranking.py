from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

from quartermaster_db import reranking
from quartermaster_db.model_folder import ModelError
from quartermaster_db.reranking import CrossEncoder, rerank_cached
from tests.support.cross_encoder import (
    reference_score,
    tiny_cross_weights,
    write_tiny_cross_encoder,
)
from tests.support.model import cached_model_dir

TEXTS = ("red green blue green", "", "green", "blue red " * 8, "an unknown word", "green")
_IDS = {"red": 3, "green": 4, "blue": 5}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_tiny_cross_encoder(tmp_path / "tiny")


def by_hand(query: str, text: str) -> float:
    first, second = ([_IDS[word] for word in part.split()] for part in (query, text))
    ids = [1, *first, 2, *second, 2]
    types = [0] * (len(first) + 2) + [1] * (len(second) + 1)
    return reference_score(tiny_cross_weights(), ids, types)


def test_scores_are_those_of_the_weights(folder: Path) -> None:
    found = CrossEncoder(folder).score("red blue", ["green", "blue blue red"])
    assert (found.shape, found.dtype) == ((2,), np.float32)
    expected = [by_hand("red blue", "green"), by_hand("red blue", "blue blue red")]
    np.testing.assert_allclose(found, expected, atol=1e-5)


def test_a_score_depends_on_its_pair_alone(folder: Path) -> None:
    model = CrossEncoder(folder)
    together = model.score("red", TEXTS)
    assert together[2] == together[5]
    for text, score in zip(TEXTS, together, strict=True):
        assert model.score("red", [text])[0] == score


def test_more_threads_give_the_same_scores_in_order(folder: Path) -> None:
    assert np.array_equal(
        CrossEncoder(folder, threads=2).score("red", TEXTS),
        CrossEncoder(folder).score("red", TEXTS),
    )


def test_padded_batches_give_the_same_scores_in_order(folder: Path) -> None:
    np.testing.assert_allclose(
        CrossEncoder(folder, batch=4).score("red", TEXTS),
        CrossEncoder(folder).score("red", TEXTS),
        atol=1e-5,
    )


def test_pairs_of_several_queries_are_scored_at_once(folder: Path) -> None:
    model = CrossEncoder(folder)
    found = model.score_pairs([("red", "green"), ("blue", "green")])
    assert found.tolist() == [*model.score("red", ["green"]), *model.score("blue", ["green"])]
    assert model.score("red", []).shape == (0,)


def test_the_text_is_cut_before_the_query(folder: Path) -> None:
    # Nine tokens, three of them marks: six for the pair, of which the query keeps three.
    model = CrossEncoder(folder, max_tokens=9)

    def score(query: str, text: str) -> float:
        return float(model.score(query, [text])[0])

    assert score("red red", "blue " * 9) == score("red red", "blue " * 4)
    assert score("red red", "blue " * 4) != score("red red", "blue " * 3)
    assert score("red green red red", "blue " * 9) == score("red green red", "blue " * 3)
    # A short text leaves the query its room.
    assert score("red green red red blue blue", "blue") == score("red green red red blue", "blue")
    assert score("red green red red blue", "blue") != score("red green red red", "blue")


def test_two_numbers_are_one_difference(folder: Path) -> None:
    expected = CrossEncoder(folder).score("red", TEXTS)
    path = folder / "model.onnx"
    graph = onnx.load(path)
    for name, axes in (("zero", "Sub"), ("both", "Concat")):
        inputs = ["logits", "logits"] if axes == "Sub" else ["zero", "logits"]
        graph.graph.node.append(
            onnx.helper.make_node(axes, inputs, [name], **({"axis": 1} if axes == "Concat" else {}))
        )
    del graph.graph.output[0]
    graph.graph.output.append(
        onnx.helper.make_tensor_value_info("both", onnx.TensorProto.FLOAT, ["batch", 2])
    )
    path.write_bytes(graph.SerializeToString())
    np.testing.assert_allclose(CrossEncoder(folder).score("red", TEXTS), expected, atol=1e-6)


@pytest.mark.parametrize("file", ["model.onnx", "tokenizer.json"])
def test_missing_file_is_named(folder: Path, file: str) -> None:
    (folder / file).unlink()
    with pytest.raises(ModelError) as caught:
        CrossEncoder(folder)
    assert (caught.value.status, caught.value.slug) == (404, "model_file_missing")
    assert file in caught.value.message


@pytest.mark.parametrize(
    ("file", "content"),
    [("model.onnx", "not a graph"), ("tokenizer.json", "{}"), ("model.json", "[]")],
)
def test_unreadable_model_says_so(folder: Path, file: str, content: str) -> None:
    (folder / file).write_text(content)
    with pytest.raises(ModelError) as caught:
        CrossEncoder(folder)
    assert (caught.value.status, caught.value.slug) == (422, "model_unreadable")
    assert "cross-encoder" in caught.value.hint


def test_more_tokens_than_the_model_has_positions_are_refused(folder: Path) -> None:
    with pytest.raises(ModelError) as caught:
        CrossEncoder(folder, max_tokens=301)
    assert caught.value.slug == "model_unreadable"
    assert CrossEncoder(folder, max_tokens=300).max_tokens == 300


def test_an_embedding_model_is_no_reranker() -> None:
    with pytest.raises(ModelError, match="384 numbers for a pair"):
        CrossEncoder(cached_model_dir())


def test_session_loads_a_model_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gd: dict[Any, Any] = {}
    first = rerank_cached(gd, str(folder), "red", TEXTS)
    assert first == CrossEncoder(folder).score("red", TEXTS).tolist()
    monkeypatch.delattr(reranking, "CrossEncoder")
    assert rerank_cached(gd, str(folder), "red", TEXTS) == first


def test_description_names_the_model_and_its_tokens(folder: Path) -> None:
    (folder / "model.json").write_text(json.dumps({"name": "judge", "max_tokens": 40}))
    model = CrossEncoder(folder)
    assert (model.name, model.max_tokens) == ("judge", 40)
