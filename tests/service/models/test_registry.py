from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import helper

from quartermaster.core.errors import QmError
from quartermaster.models.registry import load_embedding, warm_up
from quartermaster.models.shared_code import shared_code_dir


def _caught(name: str | Path, runtime: Path, dimension: int | None = None) -> QmError:
    with pytest.raises(QmError) as caught:
        load_embedding(name, runtime, dimension=dimension)
    assert caught.value.hint
    return caught.value


@pytest.mark.parametrize("name", ["all-MiniLM-L6-v2", "sentence-transformers/all-MiniLM-L6-v2"])
def test_default_model_loads_by_name(model_dir: Path, name: str) -> None:
    model = load_embedding(name, model_dir.parents[1], dimension=384)
    assert (model.name, model.dimension) == ("all-MiniLM-L6-v2", 384)
    assert model.embed(["a", "b"]).shape == (2, 384)


def test_any_folder_is_a_model(tiny_dir: Path, tmp_path: Path) -> None:
    model = load_embedding(tiny_dir, tmp_path)
    assert (model.name, model.dimension) == ("tiny", 8)
    assert np.array_equal(
        load_embedding(str(tiny_dir), tmp_path).embed(["red"]), model.embed(["red"])
    )


def test_description_names_the_model(tiny_dir: Path, tmp_path: Path) -> None:
    (tiny_dir / "model.json").write_text('{"name": "colours", "dimension": 8, "max_tokens": 3}')
    model = load_embedding(tiny_dir, tmp_path)
    assert model.name == "colours"
    first, second = model.embed(["red green", "red blue"])
    assert np.array_equal(first, second)


@pytest.mark.parametrize(
    ("described", "text"),
    [
        ({}, "zeig mir die Rechnungen"),
        ({"language": "de"}, "zeig mir die Rechnungen"),
        ({"language": "en"}, "show me the invoices"),
        ({"language": "en", "query_prefix": "query: "}, "query: show me the invoices"),
    ],
)
def test_goals_are_put_into_english_only_for_a_model_that_reads_only_english(
    tiny_dir: Path, tmp_path: Path, described: dict[str, str], text: str
) -> None:
    (tiny_dir / "model.json").write_text(json.dumps(described))
    assert load_embedding(tiny_dir, tmp_path).goal_text("zeig mir die Rechnungen") == text


@pytest.mark.parametrize("pooling", ["mean", "cls"])
def test_token_vectors_are_pooled_outside_the_graph(
    tiny_dir: Path, tmp_path: Path, pooling: str
) -> None:
    expected = load_embedding(tiny_dir, tmp_path).embed(["red green blue"])[0]
    path = tiny_dir / "model.onnx"
    graph = onnx.load(path)
    del graph.graph.output[0]
    # An export's pooler has the width of a sentence vector but is not one.
    pool = helper.make_node(
        "ReduceMax", ["last_hidden_state"], ["pooler_output"], axes=[1], keepdims=0
    )
    graph.graph.node.append(pool)
    pooler = helper.make_tensor_value_info("pooler_output", onnx.TensorProto.FLOAT, None)
    graph.graph.output.insert(0, pooler)
    path.write_bytes(graph.SerializeToString())
    (tiny_dir / "config.json").write_text(json.dumps({"hidden_size": 8, "pooling": pooling}))
    found = load_embedding(tiny_dir, tmp_path).embed(["red green blue"])[0]
    assert np.linalg.norm(found) == pytest.approx(1)
    assert np.allclose(found, expected, atol=1e-6) is (pooling == "mean")


@pytest.mark.parametrize("file", ["model.onnx", "tokenizer.json"])
def test_missing_file_is_named(tiny_dir: Path, tmp_path: Path, file: str) -> None:
    (tiny_dir / file).unlink()
    error = _caught(tiny_dir, tmp_path)
    assert (error.code, error.slug) == ("QM404", "model_file_missing")
    assert file in error.message


def test_default_model_not_yet_converted_says_what_converts_it(tmp_path: Path) -> None:
    error = _caught("all-MiniLM-L6-v2", tmp_path)
    assert (error.code, error.slug) == ("QM404", "model_file_missing")
    assert "qm up" in error.hint


def test_unknown_name_gets_the_nearest_ones(tmp_path: Path) -> None:
    error = _caught("all-MiniLM-L12", tmp_path)
    assert (error.code, error.slug) == ("QM404", "model_not_found")
    assert "all-MiniLM-L6-v2" in error.hint


def test_path_that_is_not_there_is_not_found(tmp_path: Path) -> None:
    assert _caught(tmp_path / "absent", tmp_path).slug == "model_not_found"


def test_dimension_of_the_caller_is_held(tiny_dir: Path, tmp_path: Path) -> None:
    error = _caught(tiny_dir, tmp_path, dimension=384)
    assert (error.code, error.slug) == ("QM422", "dimension_mismatch")
    assert "8" in error.message
    assert "384" in error.message


def test_dimension_of_the_description_is_held(tiny_dir: Path, tmp_path: Path) -> None:
    (tiny_dir / "config.json").write_text('{"hidden_size": 12}')
    error = _caught(tiny_dir, tmp_path)
    assert (error.code, error.slug) == ("QM422", "dimension_mismatch")


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("model.onnx", "not a graph"),
        ("tokenizer.json", "{}"),
        ("model.json", "{"),
        ("model.json", "[]"),
        ("model.json", '{"dimension": "wide"}'),
        ("model.json", '{"pooling": "max"}'),
    ],
)
def test_unreadable_model_says_so(tiny_dir: Path, tmp_path: Path, file: str, content: str) -> None:
    (tiny_dir / file).write_text(content)
    error = _caught(tiny_dir, tmp_path)
    assert (error.code, error.slug) == ("QM422", "model_unreadable")
    assert str(tiny_dir) in error.message


def test_graph_with_other_inputs_is_refused(tiny_dir: Path, tmp_path: Path) -> None:
    path = tiny_dir / "model.onnx"
    path.write_bytes(path.read_bytes().replace(b"attention_mask", b"attention_mess"))
    error = _caught(tiny_dir, tmp_path)
    assert error.slug == "model_unreadable"
    assert "attention_mess" in error.message


def test_warm_up_stops_when_its_time_is_over() -> None:
    texts: list[str] = []
    warm_up(texts.append, seconds=0)
    assert texts == []
    assert warm_up(texts.append, seconds=60) < 60
    assert len(texts) == 3


def test_shared_code_is_found_without_any_path_set(tmp_path: Path) -> None:
    service = Path(load_embedding.__code__.co_filename).parents[2]
    script = (
        f"import sys; sys.path.insert(0, {str(service)!r})\n"
        "import quartermaster.models, quartermaster_db.embedding as shared\n"
        "print(shared.__file__, 'onnxruntime' in sys.modules)"
    )
    run = subprocess.run(
        [sys.executable, "-P", "-c", script],
        cwd=tmp_path,
        env={},
        capture_output=True,
        text=True,
        check=True,
    )
    expected = shared_code_dir() / "quartermaster_db" / "embedding.py"
    assert run.stdout.split() == [str(expected), "False"]
