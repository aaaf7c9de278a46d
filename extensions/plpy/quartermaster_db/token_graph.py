"""An ONNX graph that reads token ids: the part that encoders and rerankers share."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from tokenizers import Encoding, Tokenizer

CPU = "CPUExecutionProvider"
# At log level 2, ONNX Runtime also warns about its own choices; at level 3, it logs only errors.
_LOG_SEVERITY = 3
_ACCELERATOR_BATCH = 32


class GraphTensor(Protocol):
    """An input or output of a graph."""

    name: str
    shape: list[int | str | None]


class _Session(Protocol):
    def get_inputs(self) -> list[GraphTensor]: ...
    def get_outputs(self) -> list[GraphTensor]: ...
    def get_providers(self) -> list[str]: ...
    def run(
        self, outputs: list[str], inputs: dict[str, NDArray[np.int64]]
    ) -> list[NDArray[np.float32]]: ...


class TokenGraph:
    """A graph with the inputs `input_ids`, `attention_mask` and, in some models, `token_type_ids`.

    On a CPU, each text is run by itself, and several threads work in parallel. An int8 graph scales
    its activations over its whole input, so in a batch each result would depend on the other texts.
    A batch is no faster on a CPU anyway (docs/models.md has the figures). On a GPU or another
    accelerator, texts of similar length are run together, padded to the length of the longest text.

    Args:
        path: the .onnx file.
        providers: ONNX Runtime's execution providers, the preferred one first.
        threads: number of batches that run in parallel.
        batch: number of texts in one run; None chooses it by execution provider.

    Attributes:
        provider: the execution provider that the graph runs on.
        outputs: the outputs of the graph.
    """

    def __init__(
        self,
        path: Path,
        providers: Sequence[str] = (CPU,),
        threads: int = 1,
        batch: int | None = None,
    ) -> None:
        self._session = _open_session(path, providers)
        self.provider = self._session.get_providers()[0]
        self.outputs = self._session.get_outputs()
        self._inputs = [value.name for value in self._session.get_inputs()]
        self._threads = threads
        self._batch = batch or (1 if self.provider == CPU else _ACCELERATOR_BATCH)

    def run(self, output: str, encodings: Sequence[Encoding]) -> list[NDArray[np.float32]]:
        """Runs the graph, and returns one output for each encoding, in the order of the encodings.

        Args:
            output: name of the output.
            encodings: tokenised texts or pairs, without padding.

        Returns:
            The output row for each encoding; its token axis has the length of the encoding.
        """
        # The longest texts come first, so that the threads finish together and the texts in a batch
        # have similar lengths.
        order = sorted(range(len(encodings)), key=lambda row: -len(encodings[row].ids))
        groups = [order[start : start + self._batch] for start in range(0, len(order), self._batch)]
        found: dict[int, NDArray[np.float32]] = {}

        def run_group(rows: list[int]) -> None:
            values = self._run_batch(output, [encodings[row] for row in rows])
            found.update(zip(rows, values, strict=True))

        if self._threads == 1 or len(groups) <= 1:
            for rows in groups:
                run_group(rows)
        else:
            with ThreadPoolExecutor(min(self._threads, len(groups))) as pool:
                list(pool.map(run_group, groups))
        return [found[row] for row in range(len(encodings))]

    def _run_batch(self, output: str, batch: list[Encoding]) -> list[NDArray[np.float32]]:
        import numpy as np

        length = max(len(encoding.ids) for encoding in batch)

        def padded(rows: list[list[int]]) -> NDArray[np.int64]:
            return np.array([row + [0] * (length - len(row)) for row in rows], dtype=np.int64)

        # The mask hides the padding, so the ids in the padding do not matter.
        known = {
            "input_ids": padded([encoding.ids for encoding in batch]),
            "attention_mask": padded([[1] * len(encoding.ids) for encoding in batch]),
            "token_type_ids": padded([encoding.type_ids for encoding in batch]),
        }
        values = self._session.run([output], {name: known[name] for name in self._inputs})[0]
        if values.ndim <= len(("batch", "numbers")):
            return list(values)
        return [row[: len(encoding.ids)] for row, encoding in zip(values, batch, strict=True)]


def open_tokenizer(path: Path) -> Tokenizer:
    """Opens the tokenizer in a file, with its own padding and truncation disabled."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def readable(text: str) -> str:
    """Removes lone surrogates, which JSON allows and tokenizers reject."""
    return text.encode("utf-8", "replace").decode()


def _open_session(path: Path, providers: Sequence[str]) -> _Session:
    import onnxruntime

    runtime = cast("Any", onnxruntime)
    options = runtime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = _LOG_SEVERITY
    # Memory patterns are off, because ONNX Runtime would keep a pattern for every text length.
    options.enable_mem_pattern = False
    return runtime.InferenceSession(str(path), options, providers=list(providers))
