"""Writes a reranker's folder: a BERT cross-encoder as an ONNX graph, built from its weights.

A cross-encoder reads a goal and a text together, and returns a number for how well they fit.
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
    """Writes a cross-encoder as an ONNX model.

    Args:
        weights: float32 tensors named as in BERT checkpoints, with `classifier.weight` [1, hidden]
            and `classifier.bias` [1]. If `pooler.dense.weight` and `.bias` exist, the first token's
            vector passes through that layer and tanh; otherwise, it passes directly to the
            classifier.
        shape: sizes of the encoder.

    Returns:
        A model with three inputs, int64 [batch, tokens]: `input_ids`, `attention_mask` and
        `token_type_ids` (0 for the goal, 1 for the text). Its output is `logits`, float32 [batch,
        1].

    Raises:
        KeyError: the checkpoint lacks a tensor.
    """
    graph = BertBuilder(weights, shape)
    retained = graph.op("Cast", "attention_mask", to=FLOAT)
    tokens = graph.tokens(retained, "token_type_ids")
    # The graph contains no Gather node, because the quantiser would treat it as an access to a
    # table.
    zero, one = graph.integers(0), graph.integers(1)
    first = graph.op("Squeeze", graph.op("Slice", tokens, zero, one, one), one)
    if "pooler.dense.weight" in weights:
        first = graph.op("Tanh", graph.dense(first, "pooler.dense"))
    logits = graph.dense(first, "classifier")
    return graph.model("cross_encoder", _INPUTS, {"logits": (logits, ["batch", 1])})


def write_cross_encoder(
    weights: Path, folder: Path, precision: Literal["int8", "fp32"] = "int8", max_tokens: int = 256
) -> None:
    """Writes a model folder that `quartermaster_db.reranking.CrossEncoder` opens.

    Args:
        weights: a folder with model.safetensors (names may start with `bert.`), config.json and
            tokenizer.json.
        folder: folder for model.onnx, tokenizer.json and model.json, which is created if it does
            not exist. Its name becomes the model's name.
        precision: fp32, or int8, which quantises the weights in the same way as for the embedding
            model.
        max_tokens: largest number of word pieces read from a pair.

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
