"""The BERT sentence encoder as an ONNX graph, built from its weights.

The graph is written node by node, not traced from a framework. A trace of this model handled the
attention mask incorrectly. Writing the graph also needs no torch and no original code.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

OPSET = 17
# The IR version that was released together with opset 17.
IR_VERSION = 8
# This value is added to the attention scores of padding before the softmax.
MASKED_SCORE = -1e9
FLOAT = TensorProto.FLOAT

Weights = Mapping[str, NDArray[np.float32]]


@dataclass(frozen=True)
class BertShape:
    """The sizes of a BERT encoder, as stated in its config.json.

    Attributes:
        layers: number of transformer blocks.
        heads: number of attention heads in a block.
        hidden: length of a token's vector.
        epsilon: number added to the variance in layer normalisation.
    """

    layers: int
    heads: int
    hidden: int
    epsilon: float


class BertBuilder:
    """Collects the nodes and weights of a graph. Every method that adds a value returns the name of
    the value.

    Args:
        weights: float32 tensors by their names in the published checkpoint.
        shape: sizes of the encoder.
    """

    def __init__(self, weights: Weights, shape: BertShape) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.initializers: list[onnx.TensorProto] = []
        self._weights = weights
        self._shape = shape

    def constant(self, value: NDArray[np.generic]) -> str:
        name = f"const_{len(self.initializers)}"
        self.initializers.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def integers(self, *values: int) -> str:
        return self.constant(np.array(values, dtype=np.int64))

    def number(self, value: float) -> str:
        return self.constant(np.array(value, dtype=np.float32))

    def op(self, kind: str, *inputs: str, **attributes: int | float | list[int]) -> str:
        output = f"{kind.lower()}_{len(self.nodes)}"
        # Nodes have names, because the quantiser derives new names from them.
        node = helper.make_node(kind, inputs, [output], name=output)
        node.attribute.extend(helper.make_attribute(key, attributes[key]) for key in attributes)
        self.nodes.append(node)
        return output

    def dense(self, value: str, layer: str, scale: float = 1.0) -> str:
        weight = self._weights[f"{layer}.weight"].T * np.float32(scale)
        bias = self._weights[f"{layer}.bias"] * np.float32(scale)
        return self.op("Add", self.op("MatMul", value, self.constant(weight)), self.constant(bias))

    def layer_norm(self, value: str, layer: str) -> str:
        weight = self.constant(self._weights[f"{layer}.weight"])
        bias = self.constant(self._weights[f"{layer}.bias"])
        return self.op(
            "LayerNormalization", value, weight, bias, axis=-1, epsilon=self._shape.epsilon
        )

    def embeddings(self, ids: str, types: str | None = None) -> str:
        words = self._weights["embeddings.word_embeddings.weight"]
        # The vector for segment 0 is added to every position; a single sentence has no other
        # segment.
        first, second = self._weights["embeddings.token_type_embeddings.weight"][:2]
        positions = self._weights["embeddings.position_embeddings.weight"] + first
        length = self.op("Shape", ids, start=1, end=2)
        used = self.op(
            "Slice", self.constant(positions), self.integers(0), length, self.integers(0)
        )
        summed = self.op("Add", self.op("Gather", self.constant(words), ids), used)
        if types is not None:
            is_second = self.op("Unsqueeze", self.op("Cast", types, to=FLOAT), self.integers(2))
            shifted = self.op("Mul", is_second, self.constant(second - first))
            summed = self.op("Add", summed, shifted)
        return self.layer_norm(summed, "embeddings.LayerNorm")

    def attention(self, value: str, mask: str, layer: str) -> str:
        shape = self._shape
        width = shape.hidden // shape.heads
        split = self.integers(0, 0, shape.heads, width)

        def heads(part: str, order: list[int], scale: float = 1.0) -> str:
            projected = self.dense(value, f"{layer}.attention.self.{part}", scale)
            return self.op("Transpose", self.op("Reshape", projected, split), perm=order)

        query = heads("query", [0, 2, 1, 3], 1.0 / sqrt(width))
        scores = self.op("Add", self.op("MatMul", query, heads("key", [0, 2, 3, 1])), mask)
        mixed = self.op("MatMul", self.op("Softmax", scores, axis=-1), heads("value", [0, 2, 1, 3]))
        joined = self.op("Transpose", mixed, perm=[0, 2, 1, 3])
        return self.op("Reshape", joined, self.integers(0, 0, shape.hidden))

    def gelu(self, value: str) -> str:
        error = self.op("Erf", self.op("Div", value, self.number(sqrt(2.0))))
        doubled = self.op("Mul", value, self.op("Add", error, self.number(1.0)))
        return self.op("Mul", doubled, self.number(0.5))

    def block(self, value: str, mask: str, layer: str) -> str:
        attended = self.dense(self.attention(value, mask, layer), f"{layer}.attention.output.dense")
        middle = self.layer_norm(
            self.op("Add", attended, value), f"{layer}.attention.output.LayerNorm"
        )
        inner = self.gelu(self.dense(middle, f"{layer}.intermediate.dense"))
        outer = self.dense(inner, f"{layer}.output.dense")
        return self.layer_norm(self.op("Add", outer, middle), f"{layer}.output.LayerNorm")

    def tokens(self, attended: str, types: str | None = None) -> str:
        """Adds the encoder to the graph. Its output is the token vectors of `input_ids`, [batch,
        tokens, hidden].

        Args:
            attended: name of the attention mask: 1 for tokens to attend to, 0 for others.
            types: name of the input with the types of the tokens; None if the model has no token
                types.
        """
        padding = self.op(
            "Sub", self.number(1.0), self.op("Unsqueeze", attended, self.integers(1, 2))
        )
        mask = self.op("Mul", padding, self.number(MASKED_SCORE))
        tokens = self.embeddings("input_ids", types)
        for index in range(self._shape.layers):
            tokens = self.block(tokens, mask, f"encoder.layer.{index}")
        return tokens

    def mean_pool(self, tokens: str, mask: str) -> str:
        weights = self.op("Unsqueeze", mask, self.integers(2))
        total = self.op("ReduceSum", self.op("Mul", tokens, weights), self.integers(1), keepdims=0)
        return self.op("Div", total, self.op("ReduceSum", mask, self.integers(1), keepdims=1))

    def model(
        self, name: str, inputs: Sequence[str], outputs: Mapping[str, tuple[str, list[str | int]]]
    ) -> onnx.ModelProto:
        """Returns the finished model. Its inputs are int64 [batch, tokens]; its outputs are float32
        and have the given sizes.
        """
        for output, (source, _) in outputs.items():
            self.nodes.append(helper.make_node("Identity", [source], [output], name=output))
        value = helper.make_tensor_value_info
        graph = helper.make_graph(
            self.nodes,
            name,
            [value(given, TensorProto.INT64, ["batch", "tokens"]) for given in inputs],
            [value(output, FLOAT, sizes) for output, (_, sizes) in outputs.items()],
            self.initializers,
        )
        model = helper.make_model(
            graph,
            opset_imports=[helper.make_opsetid("", OPSET)],
            producer_name="quartermaster",
            ir_version=IR_VERSION,
        )
        onnx.checker.check_model(model)  # pyright: ignore[reportUnknownMemberType]
        return model


def build_encoder(weights: Weights, shape: BertShape) -> onnx.ModelProto:
    """Writes the encoder as an ONNX model.

    Args:
        weights: float32 tensors by their names in the published checkpoint.
        shape: sizes of the encoder.

    Returns:
        A model with the inputs `input_ids` and `attention_mask`, int64 [batch, tokens]. Each row
        must have at least one token to attend to. The outputs are `sentence_embedding`, float32
        [batch, hidden] (mean of the attended token vectors, L2 norm 1), and `last_hidden_state`,
        float32 [batch, tokens, hidden].

    Raises:
        KeyError: the checkpoint lacks a tensor.
    """
    graph = BertBuilder(weights, shape)
    attended = graph.op("Cast", "attention_mask", to=FLOAT)
    tokens = graph.tokens(attended)
    sentence = graph.op("LpNormalization", graph.mean_pool(tokens, attended), axis=-1, p=2)
    return graph.model(
        "sentence_encoder",
        ("input_ids", "attention_mask"),
        {
            "sentence_embedding": (sentence, ["batch", shape.hidden]),
            "last_hidden_state": (tokens, ["batch", "tokens", shape.hidden]),
        },
    )
