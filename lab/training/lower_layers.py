"""The frozen layers, which are run once over every text."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import onnxruntime
import torch
from safetensors.numpy import load_file
from torch import Tensor

from lab.training.embeddings import pieces_of, read_pieces
from quartermaster.models.graph import BertShape, build_encoder
from quartermaster.models.quantise import write_int8

FROZEN_LAYERS: Final = 3
_SHAPE: Final = BertShape(layers=FROZEN_LAYERS, heads=12, hidden=384, epsilon=1e-12)


class LowerLayers:
    """Computes token vectors after the frozen layers, in int8 as in service.

    Args:
        weights: folder with the published model's model.safetensors and tokenizer.json.
        threads: number of threads for the runtime.
    """

    def __init__(self, weights: Path, threads: int) -> None:
        self._tokenizer = read_pieces(weights)
        self._known: dict[str, Tensor] = {}
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "lower.onnx")
            write_int8(build_encoder(load_file(weights / "model.safetensors"), _SHAPE), file)
            options = onnxruntime.SessionOptions()
            options.intra_op_num_threads = threads
            options.add_session_config_entry("session.intra_op.allow_spinning", "0")
            self._session = onnxruntime.InferenceSession(file, options)

    def run(self, texts: Sequence[str]) -> list[Tensor]:
        """Returns the vectors of each text, bfloat16 [tokens, 384]; results are cached."""
        return [self._run(text) for text in texts]

    def _run(self, text: str) -> Tensor:
        known = self._known.get(text)
        if known is None:
            [ids] = pieces_of(self._tokenizer, [text])
            inputs = {
                "input_ids": torch.tensor([ids]).numpy(),
                "attention_mask": torch.ones(1, len(ids), dtype=torch.long).numpy(),
            }
            [hidden] = self._session.run(["last_hidden_state"], inputs)
            known = self._known[text] = torch.from_numpy(hidden[0]).bfloat16()
        return known
