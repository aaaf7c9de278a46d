"""What the first layer of an encoder reads: a vector for each word piece."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional

from lab.training.layers import Shape

# Number of word pieces read from a text: more would cost time and improve nothing.
PIECES: Final = 64
# More characters than the longest text that is read has word pieces.
_CHARACTERS: Final = 1200


def read_pieces(folder: Path) -> Tokenizer:
    """Reads the tokeniser of a published model; it reads `PIECES` word pieces of a text."""
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(PIECES)
    return tokenizer


def pieces_of(tokenizer: Tokenizer, texts: Sequence[str]) -> list[list[int]]:
    """Returns the numbers of the word pieces of each text."""
    cut = [text[:_CHARACTERS] for text in texts]
    return [encoded.ids for encoded in tokenizer.encode_batch(cut)]


class Embeddings:
    """The embeddings of a published model, which are never trained.

    Args:
        folder: folder with model.safetensors and tokenizer.json.
        shape: the form of the model.
    """

    def __init__(self, folder: Path, shape: Shape) -> None:
        self._tokenizer = read_pieces(folder)
        self._shape = shape
        tensors = load_file(folder / "model.safetensors")
        self._words = tensors["embeddings.word_embeddings.weight"]
        self._places = tensors["embeddings.position_embeddings.weight"][shape.first_position :]
        if "embeddings.token_type_embeddings.weight" in tensors:
            self._places = self._places + tensors["embeddings.token_type_embeddings.weight"][0]
        self._norm = [tensors[f"embeddings.LayerNorm.{part}"] for part in ("weight", "bias")]

    def run(self, texts: Sequence[str]) -> list[Tensor]:
        """Returns the vectors of each text, [tokens, hidden]."""
        return [self._run(ids) for ids in pieces_of(self._tokenizer, texts)]

    def _run(self, ids: list[int]) -> Tensor:
        tokens = self._words[ids] + self._places[: len(ids)]
        return functional.layer_norm(tokens, [self._shape.hidden], *self._norm, self._shape.epsilon)
