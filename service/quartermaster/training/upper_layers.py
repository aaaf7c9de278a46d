"""The layers that learn, in torch, with tensors named as in the published checkpoint."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn import functional

_HIDDEN: Final = 384
_INNER: Final = 1536
_TOKEN: Final = 64
_HEADS: Final = 12
_EPSILON: Final = 1e-12
_NAMES: Final = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "joined": "attention.output.dense",
    "attended": "attention.output.LayerNorm",
    "inner": "intermediate.dense",
    "outer": "output.dense",
    "left": "output.LayerNorm",
}


@dataclass(frozen=True)
class Encoded:
    """Unit `vectors` [texts, 384], unit `tokens` [texts, tokens, 64] and which are `kept`."""

    vectors: Tensor
    tokens: Tensor
    kept: Tensor


def late_interaction(goals: Encoded, tools: Encoded) -> Tensor:
    """Mean over a goal's tokens of the nearest token of a tool, [goals, tools]."""
    nearness = torch.einsum("qid,njd->qnij", goals.tokens[:, 1:], tools.tokens[:, 1:])
    nearest = nearness.masked_fill(tools.kept[None, :, None, 1:] == 0, -1e4).amax(-1)
    weights = goals.kept[:, None, 1:]
    return (nearest * weights).sum(-1) / weights.sum(-1)


class Layer(nn.Module):
    """One transformer block of BERT."""

    def __init__(self) -> None:
        super().__init__()
        self.query, self.key, self.value, self.joined = (
            nn.Linear(_HIDDEN, _HIDDEN) for _ in range(4)
        )
        self.inner, self.outer = nn.Linear(_HIDDEN, _INNER), nn.Linear(_INNER, _HIDDEN)
        self.attended, self.left = (nn.LayerNorm(_HIDDEN, _EPSILON) for _ in range(2))

    def forward(self, tokens: Tensor, mask: Tensor) -> Tensor:
        """Token vectors [texts, tokens, 384]; mask: bool [texts, 1, 1, tokens]."""
        texts, count, _ = tokens.shape

        def heads(part: nn.Linear) -> Tensor:
            return part(tokens).view(texts, count, _HEADS, -1).transpose(1, 2)

        mixed = functional.scaled_dot_product_attention(
            heads(self.query), heads(self.key), heads(self.value), attn_mask=mask
        )
        joined = self.joined(mixed.transpose(1, 2).reshape(texts, count, _HIDDEN))
        middle = self.attended(tokens + joined)
        return self.left(middle + self.outer(functional.gelu(self.inner(middle))))


class UpperLayers(nn.Module):
    """The blocks from `first` to the end, with mean pooling.

    Args:
        weights: file of the published model.
        first: number of the first block that learns.
        count: of the blocks.
    """

    def __init__(self, weights: Path, first: int, count: int) -> None:
        super().__init__()
        self._first = first
        self.layers = nn.ModuleList(Layer() for _ in range(count))
        self.projection = nn.Linear(_HIDDEN, _TOKEN, bias=False)
        nn.init.orthogonal_(self.projection.weight)
        published = load_file(weights)
        with torch.no_grad():
            for name, tensor in self._named():
                tensor.copy_(published[name])

    def forward(self, texts: Sequence[NDArray[np.float16]]) -> Encoded:
        """Vectors of texts as the lower layers give them."""
        longest = max(len(text) for text in texts)
        tokens = torch.zeros(len(texts), longest, _HIDDEN)
        kept = torch.zeros(len(texts), longest)
        for row, text in enumerate(texts):
            tokens[row, : len(text)] = torch.from_numpy(text.astype(np.float32))
            kept[row, : len(text)] = 1
        for layer in self.layers:
            tokens = layer(tokens, kept[:, None, None, :].bool())
        weights = kept[:, :, None]
        mean = (tokens * weights).sum(1) / weights.sum(1)
        return Encoded(
            functional.normalize(mean, dim=-1),
            functional.normalize(self.projection(tokens), dim=-1),
            kept,
        )

    def embed(self, texts: Sequence[NDArray[np.float16]], batch: int = 64) -> NDArray[np.float32]:
        """Unit vectors without learning, float32 [texts, 384]; texts of like length go together."""
        order = sorted(range(len(texts)), key=lambda number: len(texts[number]))
        found = np.empty((len(texts), _HIDDEN), dtype=np.float32)
        with torch.no_grad():
            for start in range(0, len(order), batch):
                part = order[start : start + batch]
                found[part] = self([texts[number] for number in part]).vectors.numpy()
        return found

    def save(self, file: Path) -> None:
        """Writes the tensors in float16, by their published names."""
        save_file({name: one.detach().half().contiguous() for name, one in self._named()}, file)

    def _named(self) -> Iterator[tuple[str, Tensor]]:
        for index, layer in enumerate(self.layers, start=self._first):
            for attribute, name in _NAMES.items():
                part = getattr(layer, attribute)
                yield f"encoder.layer.{index}.{name}.weight", part.weight
                yield f"encoder.layer.{index}.{name}.bias", part.bias
