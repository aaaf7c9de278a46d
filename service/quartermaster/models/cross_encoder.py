"""Makes a reranker's folder: a BERT cross-encoder as an ONNX graph, straight from its weights.

A cross-encoder reads a goal and a text together and gives one number, how well they fit.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Literal

import onnx
from safetensors.numpy import load_file  # pyright: ignore[reportUnknownVariableType]

from quartermaster.models.graph import FLOAT, BertBuilder, BertShape, Weights
from quartermaster.models.quantise import read_shape, write_int8

_INPUTS = ("input_ids", "attention_mask", "token_type_ids")


def build_cross_encoder(weights: Weights, shape: BertShape) -> onnx.ModelProto:
    """Write a cross-encoder as an ONNX model.

    Args:
        weights: float32 tensors named as in BERT checkpoints, with `classifier.weight` [1, hidden]
            and `classifier.bias` [1]. With `pooler.dense.weight` and `.bias` the first token's
            vector goes through that layer and tanh, else straight to the classifier.
        shape: the sizes.

    Returns:
        A model that takes `input_ids`, `attention_mask` and `token_type_ids` (0 for the goal, 1
        for the text), int64 [batch, tokens], and gives `logits`, float32 [batch, 1].

    Raises:
        KeyError: the checkpoint lacks a tensor.
    """
    graph = BertBuilder(weights, shape)
    kept = graph.op("Cast", "attention_mask", to=FLOAT)
    tokens = graph.tokens(kept, "token_type_ids")
    # Not a Gather: the quantiser takes those for look-ups in a table.
    zero, one = graph.integers(0), graph.integers(1)
    first = graph.op("Squeeze", graph.op("Slice", tokens, zero, one, one), one)
    if "pooler.dense.weight" in weights:
        first = graph.op("Tanh", graph.dense(first, "pooler.dense"))
    logits = graph.dense(first, "classifier")
    return graph.model("cross_encoder", _INPUTS, {"logits": (logits, ["batch", 1])})


def write_cross_encoder(
    weights: Path, folder: Path, precision: Literal["int8", "fp32"] = "int8", max_tokens: int = 256
) -> None:
    """Write a model folder that `quartermaster_db.reranking.CrossEncoder` opens.

    Args:
        weights: a folder with model.safetensors (names may start with `bert.`), config.json and
            tokenizer.json.
        folder: it gets model.onnx, tokenizer.json and model.json; made when absent. Its name
            becomes the model's.
        precision: int8 quantises as the embedding model's recipe does.
        max_tokens: word pieces read of a pair.

    Raises:
        KeyError: the checkpoint lacks a tensor.
    """
    tensors = load_file(weights / "model.safetensors")
    model = build_cross_encoder(
        {name.removeprefix("bert."): tensor for name, tensor in tensors.items()},
        read_shape(weights),
    )
    folder.mkdir(parents=True, exist_ok=True)
    if precision == "int8":
        write_int8(model, folder / "model.onnx")
    else:
        (folder / "model.onnx").write_bytes(model.SerializeToString())
    shutil.copyfile(weights / "tokenizer.json", folder / "tokenizer.json")
    described = {"name": folder.name, "task": "rerank", "max_tokens": max_tokens}
    (folder / "model.json").write_text(json.dumps(described, indent=2) + "\n", encoding="utf-8")
