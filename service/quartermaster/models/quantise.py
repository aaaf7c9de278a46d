"""Builds encoders from their weights, and writes them as model files in float32 or int8."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import onnx
from onnxruntime.quantization import (
    QuantType,
    quantize_dynamic,  # pyright: ignore[reportUnknownVariableType]
)
from safetensors.numpy import load_file  # pyright: ignore[reportUnknownVariableType]

from quartermaster.models.graph import BertShape, build_encoder


def write_model(
    weights: Path,
    trained: Path | None,
    output: Path,
    precision: Literal["int8", "fp32"],
    report: Callable[[str, float], None],
) -> int:
    """Builds an encoder from its weights, and writes the model file.

    Args:
        weights: a folder with model.safetensors and config.json.
        trained: safetensors file whose tensors replace the tensors of `weights` with the same
            names; None replaces nothing.
        output: the file to write.
        precision: int8 quantises weights per channel and activations dynamically.
        report: function that is called with the current step and the completed share of the whole
            conversion.

    Returns:
        The dimension of the model's vectors.
    """
    shape = read_shape(weights)
    tensors = load_file(weights / "model.safetensors")
    if trained is not None:
        tensors |= {
            name: retained.astype("float32") for name, retained in load_file(trained).items()
        }
    model = build_encoder(tensors, shape)
    if precision == "fp32":
        output.write_bytes(model.SerializeToString())
    else:
        report("quantising to int8", 0.6)
        write_int8(model, output)
    return shape.hidden


def read_shape(weights: Path) -> BertShape:
    """Reads the sizes of an encoder from config.json in a folder."""
    config = json.loads((weights / "config.json").read_text(encoding="utf-8"))
    return BertShape(
        layers=config["num_hidden_layers"],
        heads=config["num_attention_heads"],
        hidden=config["hidden_size"],
        epsilon=config["layer_norm_eps"],
    )


def write_int8(model: onnx.ModelProto, output: Path) -> None:
    """Writes a BERT graph with int8 weights per channel and dynamically quantised activations.

    Args:
        model: a model made by `quartermaster.models.graph.BertBuilder`; it is changed in place.
        output: the file to write.
    """
    # This property tells the quantiser that shapes and constants need no clean-up. Without it, a
    # warning is printed.
    model.metadata_props.add(key="onnx.quant.pre_process", value="onnxruntime.quant")
    quantize_dynamic(
        model,
        output,
        op_types_to_quantize=["MatMul", "Gather"],
        per_channel=True,
        # Unsigned: signed 8-bit weights saturate 16-bit sums on CPUs without VNNI. Saturation
        # reduces accuracy, and the vectors would differ from the vectors on CPUs with VNNI.
        weight_type=QuantType.QUInt8,
        nodes_to_exclude=_narrowing_layers(model),
    )


def _narrowing_layers(model: onnx.ModelProto) -> list[str]:
    """Returns the names of the nodes to keep in float32: the second layer of each feed-forward
    block.

    The inputs of this layer have outliers, so one scale does not fit all activations. If this layer
    were quantised, it would cause half of the total error, mostly on short texts such as queries.
    """
    narrowing = {
        tensor.name
        for tensor in model.graph.initializer
        if len(tensor.dims) == len(("rows", "columns")) and tensor.dims[0] > tensor.dims[1]
    }
    return [
        node.name
        for node in model.graph.node
        if node.op_type == "MatMul" and node.input[1] in narrowing
    ]
