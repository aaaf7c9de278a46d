"""Sentence embeddings with ONNX Runtime: the one encoder of the service and of PL/Python."""

from __future__ import annotations

import signal
from collections.abc import Generator, MutableMapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

from quartermaster_db.model_folder import ModelError, describe_model, unreadable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

# ONNX Runtime's scale: 2 warns, also about its own choices; 3 reports errors.
_LOG_SEVERITY = 3


class _Value(Protocol):
    name: str
    shape: list[int | str | None]


class _Session(Protocol):
    def get_inputs(self) -> list[_Value]: ...
    def get_outputs(self) -> list[_Value]: ...
    def run(
        self, outputs: list[str], inputs: dict[str, NDArray[np.int64]]
    ) -> list[NDArray[np.float32]]: ...


class Encoder:
    """A sentence encoder kept in a folder.

    Args:
        model_dir: holds model.onnx and tokenizer.json; model.json or config.json may describe
            them (`quartermaster_db.model_folder`).
        threads: texts that one call of `embed` encodes at a time.

    Attributes:
        name: the model's name.
        dimension: numbers in a vector.
        max_tokens: word pieces read of a text; what comes after them is not.

    Raises:
        ModelError: 404 model_file_missing, 422 model_unreadable, 422 dimension_mismatch (the
            graph gives another width than the description says).
    """

    def __init__(self, model_dir: str | Path, threads: int = 1) -> None:
        folder = Path(model_dir)
        described = describe_model(folder)
        self.name = described.name
        self.max_tokens = described.max_tokens
        self._pooling = described.pooling
        self._threads = threads
        try:
            self._tokenizer = _open_tokenizer(folder / "tokenizer.json", self.max_tokens)
            self._session = _open_session(folder / "model.onnx")
            self._inputs = [value.name for value in self._session.get_inputs()]
            self._output = _choose_output(self._session.get_outputs())
            self.dimension = len(self._encode(""))
        except Exception as error:
            # Both libraries raise bare Exception, RuntimeError and kinds of their own alike.
            raise unreadable(folder, f"{type(error).__name__}: {error}") from error
        if described.dimension not in {None, self.dimension}:
            raise ModelError(
                422,
                "dimension_mismatch",
                f"The model in {folder} states {described.dimension} dimensions and gives "
                f"{self.dimension}.",
                "Correct its description, or put the matching model.onnx there.",
            )

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of texts: float32 [len(texts), dimension], each of L2 norm 1, in their order.

        Each text is encoded by itself, since the int8 graph scales activations over all it is
        given: a vector would depend on its neighbours. On a processor a batch is no faster.
        """
        import numpy as np

        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        if self._threads == 1 or len(texts) == 1:
            for row, text in enumerate(texts):
                vectors[row] = self._encode(text)
        else:
            with ThreadPoolExecutor(self._threads) as pool:
                for row, vector in enumerate(pool.map(self._encode, texts)):
                    vectors[row] = vector
        return vectors

    def _encode(self, text: str) -> NDArray[np.float32]:
        import numpy as np

        # The tokenizer refuses the lone surrogates that JSON lets through.
        ids = self._tokenizer.encode(text.encode("utf-8", "replace").decode()).ids
        known = {
            "input_ids": ids,
            "attention_mask": [1] * len(ids),
            "token_type_ids": [0] * len(ids),
        }
        inputs = {name: np.array([known[name]], dtype=np.int64) for name in self._inputs}
        found = self._session.run([self._output], inputs)[0][0]
        if found.ndim > 1:
            found = found.mean(axis=0) if self._pooling == "mean" else found[0]
        return found / np.linalg.norm(found)


def embed_cached(gd: MutableMapping[Any, Any], model_dir: str, text: str) -> str:
    """The vector of a text as a pgvector literal, `[0.1,...]`, for PL/Python.

    Args:
        gd: PL/Python's GD; it keeps the loaded model for the rest of the session.
        model_dir: a model folder.
        text: any text.

    Raises:
        ModelError: as `Encoder` does.
    """
    key = ("quartermaster_db.embedding", model_dir)
    encoder = cast("Encoder | None", gd.get(key))
    if encoder is None:
        with _signals_blocked():
            encoder = gd[key] = Encoder(model_dir)
    # Nine digits say a float32 exactly.
    return "[" + ",".join(f"{number:.9g}" for number in encoder.embed([text])[0]) + "]"


@contextmanager
def _signals_blocked() -> Generator[None]:
    """Threads started inside never run a signal handler.

    Importing numpy starts threads, and the signal handlers of a PostgreSQL backend may only run
    in the backend's own thread.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _open_tokenizer(path: Path, max_tokens: int) -> Tokenizer:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_tokens)  # pyright: ignore[reportUnknownMemberType]
    return tokenizer


def _open_session(path: Path) -> _Session:
    import onnxruntime

    runtime = cast("Any", onnxruntime)
    options = runtime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = _LOG_SEVERITY
    # Every text length would otherwise leave a memory plan of its own behind.
    options.enable_mem_pattern = False
    return runtime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def _choose_output(outputs: list[_Value]) -> str:
    """The sentence vector by its name, else token vectors to pool, else the first output.

    Two axes alone do not tell: many exports carry a `pooler_output` that was not trained for this.
    """
    sentence = [value.name for value in outputs if value.name == "sentence_embedding"]
    tokens = [value.name for value in outputs if len(value.shape) == len("btd")]
    return [*sentence, *tokens, outputs[0].name][0]
