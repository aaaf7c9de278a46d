"""The layers that stay as they are, run once over every text."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from safetensors.numpy import load_file
from tokenizers import Tokenizer

from quartermaster.models.graph import BertShape, build_encoder
from quartermaster.models.quantise import write_int8

FROZEN: Final = 4
_SHAPE: Final = BertShape(layers=FROZEN, heads=12, hidden=384, epsilon=1e-12)
# More characters than the longest text kept has word pieces.
_CHARACTERS: Final = 1200


class LowerLayers:
    """Token vectors after the frozen layers, in int8 as they are computed in service.

    Args:
        weights: folder with model.safetensors and tokenizer.json of the published model.
    """

    def __init__(self, weights: Path) -> None:
        self._tokenizer = Tokenizer.from_file(str(weights / "tokenizer.json"))
        self._tokenizer.no_padding()
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "lower.onnx")
            write_int8(build_encoder(load_file(weights / "model.safetensors"), _SHAPE), file)
            options = onnxruntime.SessionOptions()
            options.intra_op_num_threads = 1
            self._session = onnxruntime.InferenceSession(file, options)

    def run(self, texts: Sequence[str], max_tokens: int, threads: int) -> list[NDArray[np.float16]]:
        """Vectors of each text: float16 [tokens, 384]; a text is cut at `max_tokens`."""
        self._tokenizer.enable_truncation(max_tokens)
        cut = [text[:_CHARACTERS] for text in texts]
        ids = [encoded.ids for encoded in self._tokenizer.encode_batch(cut)]
        with ThreadPoolExecutor(threads) as pool:
            return list(pool.map(self._run_one, ids))

    def _run_one(self, ids: list[int]) -> NDArray[np.float16]:
        inputs = {
            "input_ids": np.array([ids], dtype=np.int64),
            "attention_mask": np.ones((1, len(ids)), dtype=np.int64),
        }
        return self._session.run(["last_hidden_state"], inputs)[0][0].astype(np.float16)
