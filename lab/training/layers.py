"""Transformer layers in torch, with tensor names as in the published checkpoints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import log, sqrt
from pathlib import Path
from time import perf_counter
from typing import Final

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn import functional

_BATCH: Final = 64
_HIDDEN_SCORE: Final = -1e4
_RELATIVE: Final = "encoder.relative_attention_bias.weight"
# Distances up to this have a row each in the table of relative positions; longer ones share rows.
_MAX_DISTANCE: Final = 128


@dataclass(frozen=True)
class Shape:
    """The form of an encoder.

    Attributes:
        hidden, heads, epsilon: its sizes.
        first_position: the row of the first token in the table of positions.
        attention: the names of query, key, value and output of a layer's attention, and of the
            norm after it.
    """

    hidden: int
    heads: int
    epsilon: float
    first_position: int
    attention: tuple[str, str, str, str, str]

    def names(self) -> dict[str, str]:
        """Returns the published name of each part of a `Layer`."""
        parts = ("query", "key", "value", "joined", "attended")
        names = dict(zip(parts, self.attention, strict=True))
        return names | {
            "inner": "intermediate.dense",
            "outer": "output.dense",
            "left": "output.LayerNorm",
        }


MINILM: Final = Shape(
    *(384, 12, 1e-12, 0),
    (
        *(f"attention.self.{part}" for part in ("query", "key", "value")),
        *("attention.output.dense", "attention.output.LayerNorm"),
    ),
)
MPNET: Final = Shape(
    *(768, 12, 1e-5, 2),
    (*(f"attention.attn.{part}" for part in ("q", "k", "v", "o")), "attention.LayerNorm"),
)


class Joined:
    """The tokens of texts of different lengths, one after the other without padding.

    Args:
        texts: token vectors of each text, [tokens, hidden].

    Attributes:
        tokens: token vectors of all texts, [all tokens, hidden].
        lengths: number of tokens of each text.
        places: flat index of each token in [texts, longest].
        longest: number of tokens of the longest text.
    """

    def __init__(self, texts: Sequence[Tensor]) -> None:
        self.tokens = torch.cat([*texts]).float()
        self.lengths = torch.tensor([len(text) for text in texts])
        self.longest = int(self.lengths.max())
        retained = torch.arange(self.longest) < self.lengths[:, None]
        self.places = retained.flatten().nonzero()[:, 0]
        self._hidden = torch.zeros(retained.shape).masked_fill(~retained, _HIDDEN_SCORE)[
            :, None, None, :
        ]

    def bias(self, relative: Tensor | None) -> Tensor:
        """Returns what is added to the attention scores, [texts, heads or 1, 1 or longest,
        longest].

        Args:
            relative: table of relative positions, [rows, heads]; None if the encoder has none.
        """
        if relative is None:
            return self._hidden
        place = torch.arange(self.longest)
        distance = place[None, :] - place[:, None]
        half = len(relative) // 2
        exact = half // 2
        far = torch.log(distance.abs().clamp_min(1) / exact) / log(_MAX_DISTANCE / exact)
        far = (exact + far * (half - exact)).long().clamp_max(half - 1)
        row = torch.where(distance.abs() < exact, distance.abs(), far) + (distance > 0) * half
        return self._hidden + relative[row].permute(2, 0, 1)[None]

    def pooled(self, tokens: Tensor) -> Tensor:
        """Returns the direction of the mean of each text's tokens, [texts, hidden]."""
        owner = torch.arange(len(self.lengths)).repeat_interleave(self.lengths)
        total = torch.zeros(len(self.lengths), tokens.shape[-1])
        return functional.normalize(total.index_add(0, owner, tokens.float()), dim=-1)


class Layer(nn.Module):
    """A transformer block."""

    def __init__(self, shape: Shape, dropped: float) -> None:
        super().__init__()
        hidden = shape.hidden
        self._heads, self._share = shape.heads, dropped
        self.query, self.key, self.value, self.joined = (nn.Linear(hidden, hidden) for _ in "qkvo")
        self.inner, self.outer = nn.Linear(hidden, 4 * hidden), nn.Linear(4 * hidden, hidden)
        self.attended, self.left = (nn.LayerNorm(hidden, shape.epsilon) for _ in range(2))

    def forward(self, tokens: Tensor, texts: Joined, bias: Tensor) -> Tensor:
        """Computes the token vectors of all texts, [all tokens, hidden]."""
        count, hidden = len(texts.lengths), tokens.shape[-1]

        def heads(part: nn.Linear) -> Tensor:
            projected = part(tokens)
            padded = projected.new_zeros(count * texts.longest, hidden)
            padded = padded.index_copy(0, texts.places, projected)
            return padded.view(count, texts.longest, self._heads, -1).transpose(1, 2)

        # Written out, because on CPUs the backward pass is twice as fast as with torch's attention.
        scores = heads(self.query) @ heads(self.key).mT / sqrt(hidden / self._heads)
        mixed = (scores.float() + bias).softmax(-1).to(scores.dtype) @ heads(self.value)
        joined = self.joined(mixed.transpose(1, 2).reshape(-1, hidden)[texts.places])
        middle = self.attended(tokens + self._dropped(joined))
        outer = self.outer(functional.gelu(self.inner(middle)))
        return self.left(middle + self._dropped(outer))

    def _dropped(self, value: Tensor) -> Tensor:
        return functional.dropout(value, self._share, self.training)


class Layers(nn.Module):
    """Blocks in a row, with mean pooling.

    Args:
        weights: weights file of the published model.
        shape: its form.
        numbers: numbers of the blocks.
        dropped: share of the values that are dropped in training.
    """

    def __init__(self, weights: Path, shape: Shape, numbers: range, dropped: float = 0) -> None:
        super().__init__()
        self._shape, self._numbers = shape, numbers
        self.layers = nn.ModuleList(Layer(shape, dropped) for _ in numbers)
        published = load_file(weights)
        self._relative = published.get(_RELATIVE)
        self.read(published)

    def forward(self, texts: Sequence[Tensor]) -> Tensor:
        """Computes unit vectors [texts, hidden] from token vectors."""
        joined = Joined(texts)
        return joined.pooled(self._tokens(joined))

    @torch.no_grad()
    def states(self, texts: Sequence[Tensor]) -> list[Tensor]:
        """Computes token vectors, float16 [tokens, hidden], in batches of similar lengths."""
        found: list[Tensor] = [torch.empty(0)] * len(texts)
        for part in _by_length(texts):
            joined = Joined([texts[number] for number in part])
            tokens = self._tokens(joined).half().split(joined.lengths.tolist())
            for number, text in zip(part, tokens, strict=True):
                found[number] = text
        return found

    @torch.no_grad()
    def embed(self, texts: Sequence[Tensor]) -> Tensor:
        """Computes unit vectors [texts, hidden] without gradients, in batches of similar
        lengths.
        """
        self.eval()
        found = torch.empty(len(texts), self._shape.hidden)
        for part in _by_length(texts):
            found[part] = self([texts[number] for number in part])
        self.train()
        return found

    def save(self, file: Path) -> None:
        """Writes the tensors in float16 under their published names."""
        save_file({name: one.detach().half().contiguous() for name, one in self._named()}, file)

    @torch.no_grad()
    def read(self, tensors: Mapping[str, Tensor]) -> None:
        """Takes those tensors that have the published name of one of these."""
        for name, tensor in self._named():
            if name in tensors:
                tensor.copy_(tensors[name])

    def _tokens(self, texts: Joined) -> Tensor:
        tokens, bias = texts.tokens, texts.bias(self._relative)
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=is_half_faster()):
            for layer in self.layers:
                tokens = layer(tokens, texts, bias)
        return tokens

    def _named(self) -> Iterator[tuple[str, Tensor]]:
        for index, layer in zip(self._numbers, self.layers, strict=True):
            for attribute, name in self._shape.names().items():
                part = getattr(layer, attribute)
                yield f"encoder.layer.{index}.{name}.weight", part.weight
                yield f"encoder.layer.{index}.{name}.bias", part.bias


@cache
def is_half_faster() -> bool:
    """Tells whether this CPU multiplies faster with half as many bits (bfloat16)."""

    def seconds(bits: torch.dtype) -> float:
        one, other = torch.ones(2048, 768, dtype=bits), torch.ones(768, 768, dtype=bits)
        times: list[float] = []
        for _ in range(4):
            begun = perf_counter()
            one @ other
            times.append(perf_counter() - begun)
        return min(times)

    return seconds(torch.bfloat16) < seconds(torch.float32)


def _by_length(texts: Sequence[Tensor]) -> Iterator[list[int]]:
    order = sorted(range(len(texts)), key=lambda number: len(texts[number]))
    for start in range(0, len(order), _BATCH):
        yield order[start : start + _BATCH]
