"""The layers that are trained, in torch, with tensor names as in the published checkpoint."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import sqrt
from pathlib import Path
from typing import Final

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn import functional

_HIDDEN: Final = 384
_INNER: Final = 1536
_HEADS: Final = 12
_EPSILON: Final = 1e-12
_BATCH: Final = 64
_DROPPED: Final = 0.1
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


class Layer(nn.Module):
    """A transformer block in BERT."""

    def __init__(self) -> None:
        super().__init__()
        self.query, self.key, self.value, self.joined = (
            nn.Linear(_HIDDEN, _HIDDEN) for _ in range(4)
        )
        self.inner, self.outer = nn.Linear(_HIDDEN, _INNER), nn.Linear(_INNER, _HIDDEN)
        self.attended, self.left = (nn.LayerNorm(_HIDDEN, _EPSILON) for _ in range(2))

    def forward(self, tokens: Tensor, places: Tensor, mask: Tensor) -> Tensor:
        """Compute the token vectors of all texts, joined without padding.

        Args:
            tokens: token vectors, [all tokens, 384].
            places: flat index of each token in [texts, longest].
            mask: attention mask, bool [texts, 1, 1, longest].
        """
        texts, longest = len(mask), mask.shape[-1]

        def heads(part: nn.Linear) -> Tensor:
            projected = part(tokens)
            padded = projected.new_zeros(texts * longest, _HIDDEN).index_copy(0, places, projected)
            return padded.view(texts, longest, _HEADS, -1).transpose(1, 2)

        # Written out, because on CPUs the backward pass is twice as fast as with torch's attention.
        scores = heads(self.query) @ heads(self.key).mT / sqrt(_HIDDEN / _HEADS)
        mixed = scores.masked_fill(~mask, -1e4).softmax(-1).to(scores.dtype) @ heads(self.value)
        joined = self.joined(mixed.transpose(1, 2).reshape(-1, _HIDDEN)[places])
        middle = self.attended(tokens + self._dropped(joined))
        outer = self.outer(functional.gelu(self.inner(middle)))
        return self.left(middle + self._dropped(outer))

    def _dropped(self, value: Tensor) -> Tensor:
        return functional.dropout(value, _DROPPED, self.training)


class UpperLayers(nn.Module):
    """The blocks from `first` to the end, with mean pooling.

    Args:
        weights: weights file of the published model.
        first: number of the first block to train.
        count: number of blocks.
    """

    def __init__(self, weights: Path, first: int, count: int) -> None:
        super().__init__()
        self._first = first
        self.layers = nn.ModuleList(Layer() for _ in range(count))
        self.read(weights)

    def forward(self, texts: Sequence[Tensor]) -> Tensor:
        """Compute unit vectors [texts, 384] from the output of the lower layers."""
        lengths = torch.tensor([len(text) for text in texts])
        longest = int(lengths.max())
        kept = torch.arange(longest) < lengths[:, None]
        places = kept.flatten().nonzero()[:, 0]
        owner = torch.arange(len(texts)).repeat_interleave(lengths)
        # Half as many bits take half the time if the CPU multiplies them in tiles (AMX). On other
        # CPUs, they take half as long again.
        has_tiles = bool(torch.cpu.get_capabilities().get("amx_bf16"))
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=has_tiles):
            tokens = torch.cat([*texts]).float()
            for layer in self.layers:
                tokens = layer(tokens, places, kept[:, None, None, :])
        total = torch.zeros(len(texts), _HIDDEN).index_add(0, owner, tokens.float())
        return functional.normalize(total, dim=-1)

    @torch.no_grad()
    def embed(self, texts: Sequence[Tensor]) -> Tensor:
        """Compute unit vectors [texts, 384] without gradients, in batches of similar lengths."""
        self.eval()
        order = sorted(range(len(texts)), key=lambda number: len(texts[number]))
        found = torch.empty(len(texts), _HIDDEN)
        for start in range(0, len(order), _BATCH):
            part = order[start : start + _BATCH]
            found[part] = self([texts[number] for number in part])
        self.train()
        return found

    def save(self, file: Path) -> None:
        """Write the tensors in float16 under their published names."""
        save_file({name: one.detach().half().contiguous() for name, one in self._named()}, file)

    @torch.no_grad()
    def read(self, file: Path) -> None:
        """Read the tensors from a file by their published names."""
        published = load_file(file)
        for name, tensor in self._named():
            tensor.copy_(published[name])

    def _named(self) -> Iterator[tuple[str, Tensor]]:
        for index, layer in enumerate(self.layers, start=self._first):
            for attribute, name in _NAMES.items():
                part = getattr(layer, attribute)
                yield f"encoder.layer.{index}.{name}.weight", part.weight
                yield f"encoder.layer.{index}.{name}.bias", part.bias
