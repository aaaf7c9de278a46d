"""Sentence embeddings with ONNX Runtime: the one encoder of the service and of PL/Python."""

from __future__ import annotations

from collections.abc import MutableMapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quartermaster_db.model_folder import ModelError, describe_model, unreadable
from quartermaster_db.session_cache import load_once
from quartermaster_db.token_graph import CPU, TokenGraph, Value, open_tokenizer, readable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_WHAT = "sentence encoder"


class Encoder:
    """A sentence encoder kept in a folder.

    Args:
        model_dir: holds model.onnx and tokenizer.json; model.json or config.json may describe
            them (`quartermaster_db.model_folder`).
        threads: texts that one call of `embed` encodes at a time.
        providers: ONNX Runtime's execution providers, the preferred one first.

    Attributes:
        name: the model's name.
        directory: its folder.
        dimension: numbers in a vector.
        max_tokens: word pieces read of a text; what comes after them is not.
        query_prefix, passage_prefix: what the model wants before a goal and before a text of the
            catalog. `embed` adds neither: whoever knows which of the two a text is does.
        provider: the execution provider that it runs on.

    Raises:
        ModelError: 404 model_file_missing, 422 model_unreadable, 422 dimension_mismatch (the
            graph gives another width than the description says).
    """

    def __init__(
        self, model_dir: str | Path, threads: int = 1, providers: Sequence[str] = (CPU,)
    ) -> None:
        self.directory = Path(model_dir)
        described = describe_model(self.directory, _WHAT)
        self.name = described.name
        self.max_tokens = described.max_tokens
        self.query_prefix = described.query_prefix
        self.passage_prefix = described.passage_prefix
        self._pooling = described.pooling
        try:
            self._tokenizer = open_tokenizer(self.directory / "tokenizer.json")
            self._tokenizer.enable_truncation(self.max_tokens)  # pyright: ignore[reportUnknownMemberType]
            self._graph = TokenGraph(self.directory / "model.onnx", providers, threads)
            self._output = _choose_output(self._graph.outputs)
            self.dimension = len(self._encode([""])[0])
            if self.dimension == 1:
                raise ValueError("it gives one number for a text, as rerankers do")
        except Exception as error:
            # Both libraries raise bare Exception, RuntimeError and kinds of their own alike.
            raise unreadable(self.directory, f"{type(error).__name__}: {error}", _WHAT) from error
        self.provider = self._graph.provider
        if described.dimension not in {None, self.dimension}:
            raise ModelError(
                422,
                "dimension_mismatch",
                f"The model in {self.directory} states {described.dimension} dimensions and gives "
                f"{self.dimension}.",
                "Correct its description, or put the matching model.onnx there.",
            )

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of texts: float32 [len(texts), dimension], each of L2 norm 1, in their order.

        On a processor a vector does not depend on the other texts (`TokenGraph` says why).
        """
        import numpy as np

        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        for row, vector in enumerate(self._encode(texts)):
            vectors[row] = vector
        return vectors

    def _encode(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        encodings = [self._tokenizer.encode(readable(text)) for text in texts]
        return [self._unit(found) for found in self._graph.run(self._output, encodings)]

    def _unit(self, found: NDArray[np.float32]) -> NDArray[np.float32]:
        import numpy as np

        if found.ndim > 1:
            found = found.mean(axis=0) if self._pooling == "mean" else found[0]
        return np.asarray(found / np.linalg.norm(found), dtype=np.float32)


def embed_cached(gd: MutableMapping[Any, Any], model_dir: str, text: str) -> str:
    """The vector of a goal as a pgvector literal, `[0.1,...]`, for PL/Python.

    Args:
        gd: PL/Python's GD; it keeps the loaded model for the rest of the session.
        model_dir: a model folder.
        text: any text; the model's query prefix is put before it.

    Raises:
        ModelError: as `Encoder` does.
    """
    encoder = load_once(gd, (__name__, model_dir), lambda: Encoder(model_dir))
    vector = encoder.embed([encoder.query_prefix + text])[0]
    # Nine digits say a float32 exactly.
    return "[" + ",".join(f"{number:.9g}" for number in vector) + "]"


def _choose_output(outputs: list[Value]) -> str:
    """The sentence vector by its name, else token vectors to pool, else the first output.

    Two axes alone do not tell: many exports carry a `pooler_output` that was not trained for this.
    """
    sentence = [value.name for value in outputs if value.name == "sentence_embedding"]
    tokens = [value.name for value in outputs if len(value.shape) == len("btd")]
    return [*sentence, *tokens, outputs[0].name][0]
