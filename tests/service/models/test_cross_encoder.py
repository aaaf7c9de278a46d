"""The cross-encoder's graph, against a plain forward pass over the same weights."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from safetensors.numpy import save_file

from quartermaster.models.cross_encoder import build_cross_encoder, write_cross_encoder
from tests.support.cross_encoder import reference_score, tiny_cross_weights
from tests.support.model import TINY, TINY_CONFIG, tiny_tokenizer

PAIRS = [([1, 3, 2, 4, 5, 2], [0, 0, 0, 1, 1, 1]), ([1, 4, 2, 5, 2], [0, 0, 0, 1, 1])]


def scores(model: bytes | Path, pairs: list[tuple[list[int], list[int]]]) -> np.ndarray:
    """Returns logits of pairs of ids and types, padded to one length."""
    session = onnxruntime.InferenceSession(model)
    length = max(len(ids) for ids, _ in pairs)
    inputs = {
        "input_ids": [ids + [0] * (length - len(ids)) for ids, _ in pairs],
        "attention_mask": [[1] * len(ids) + [0] * (length - len(ids)) for ids, _ in pairs],
        "token_type_ids": [types + [0] * (length - len(types)) for _, types in pairs],
    }
    return session.run(["logits"], {k: np.array(v, np.int64) for k, v in inputs.items()})[0]


@pytest.mark.parametrize("pooler", [True, False])
def test_graph_computes_what_the_weights_say(pooler: bool) -> None:
    weights = tiny_cross_weights(pooler=pooler)
    found = scores(build_cross_encoder(weights, TINY).SerializeToString(), PAIRS)
    assert found.shape == (2, 1)
    expected = [reference_score(weights, ids, types) for ids, types in PAIRS]
    assert abs(expected[0] - expected[1]) > 0.001
    np.testing.assert_allclose(found[:, 0], expected, atol=1e-5)


def test_the_side_a_token_is_on_matters() -> None:
    model = build_cross_encoder(tiny_cross_weights(), TINY).SerializeToString()
    (ids, types), _ = PAIRS
    there, here = scores(model, [(ids, types)]), scores(model, [(ids, [0] * len(ids))])
    assert abs(there - here).max() > 0.01


@pytest.mark.parametrize("prefix", ["", "bert."])
def test_folder_is_written_quantised_and_described(tmp_path: Path, prefix: str) -> None:
    checkpoint, folder = tmp_path / "checkpoint", tmp_path / "small"
    checkpoint.mkdir()
    weights = tiny_cross_weights()
    named = {
        name if name.startswith("classifier") else prefix + name: tensor
        for name, tensor in weights.items()
    }
    save_file(named, checkpoint / "model.safetensors")
    (checkpoint / "config.json").write_text(TINY_CONFIG)
    tiny_tokenizer().save(str(checkpoint / "tokenizer.json"))
    write_cross_encoder(checkpoint, folder)
    assert {path.name for path in folder.iterdir()} == {
        "model.onnx",
        "model.json",
        "tokenizer.json",
    }
    kinds = {node.op_type for node in onnx_nodes(folder / "model.onnx")}
    assert "MatMulInteger" in kinds
    (ids, types), _ = PAIRS
    found = scores(folder / "model.onnx", [(ids, types)])
    # Eight random dimensions are coarse in eight bits; real models are checked by their rankings.
    assert found[0, 0] == pytest.approx(reference_score(weights, ids, types), abs=0.5)


def onnx_nodes(path: Path):
    import onnx

    return onnx.load(path).graph.node
