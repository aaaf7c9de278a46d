"""Sentence embeddings with ONNX Runtime: the encoder that the service and PL/Python share."""

from __future__ import annotations

from collections.abc import MutableMapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quartermaster_db.glossing import in_english
from quartermaster_db.model_folder import ModelError, describe_model, unreadable
from quartermaster_db.sentences import goal_parts
from quartermaster_db.session_cache import load_once
from quartermaster_db.token_graph import CPU, GraphTensor, TokenGraph, open_tokenizer, readable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MODEL_KIND = "sentence encoder"


class SentenceEncoder:
    """A sentence encoder loaded from a folder.

    Args:
        model_dir: folder with model.onnx and tokenizer.json; model.json or config.json may describe
            them (`quartermaster_db.model_folder`).
        threads: number of texts that one call of `embed` encodes at a time.
        providers: ONNX Runtime's execution providers, the preferred one first.

    Attributes:
        name: the model's name.
        directory: the model folder.
        dimension: length of a vector.
        max_tokens: largest number of word pieces read from a text; the rest of the text is ignored.
        query_prefix, passage_prefix: prefixes that the model expects before what is looked up and
            before a text from the catalog. `embed` adds neither; `goal_text` adds the first one.
        provider: the execution provider that the model runs on.

    Raises:
        ModelError: 404 model_file_missing, 422 model_unreadable, 422 dimension_mismatch (the graph
            returns vectors of another length than the description states).
    """

    def __init__(
        self, model_dir: str | Path, threads: int = 1, providers: Sequence[str] = (CPU,)
    ) -> None:
        self.directory = Path(model_dir)
        described = describe_model(self.directory, _MODEL_KIND)
        self.name = described.name
        self.max_tokens = described.max_tokens
        self.query_prefix = described.query_prefix
        self._reads_only_english = described.language == "en"
        self.passage_prefix = described.passage_prefix
        self._pooling = described.pooling
        try:
            self._tokenizer = open_tokenizer(self.directory / "tokenizer.json")
            self._tokenizer.enable_truncation(self.max_tokens)  # pyright: ignore[reportUnknownMemberType]
            self._graph = TokenGraph(self.directory / "model.onnx", providers, threads)
            self._output = _choose_output(self._graph.outputs)
            tokens = [each.name for each in self._graph.outputs if len(each.shape) == len("btd")]
            self._token_output = tokens[0] if tokens else None
            self.dimension = len(self._encode([""])[0])
            if self.dimension == 1:
                raise ValueError("the model returns one number for each text, as rerankers do")
        except Exception as error:
            # ONNX Runtime and tokenizers raise plain Exception, RuntimeError, and exceptions of
            # their own.
            raise unreadable(
                self.directory, f"{type(error).__name__}: {error}", _MODEL_KIND
            ) from error
        self.provider = self._graph.provider
        if described.dimension not in {None, self.dimension}:
            raise ModelError(
                422,
                "dimension_mismatch",
                f"The model in {self.directory} gives {self.dimension} dimensions, but its "
                f"description says {described.dimension}.",
                "Correct the description, or put the matching model.onnx in the folder.",
            )

    def goal_text(self, goal: str) -> str:
        """Returns the text to embed for a goal: with the model's prefix, and in English, word by
        word, if the model reads only English.
        """
        return self.query_prefix + (in_english(goal) if self._reads_only_english else goal)

    def goal_texts(self, goal: str) -> list[str]:
        """Returns the text of a goal, and of its sentences up to `max_tokens` word pieces together.

        So no goal takes longer than two texts at the limit. Of a longer goal, the model reads the
        beginning only, and the same holds for its sentences.
        """
        whole, *sentences = map(self.goal_text, goal_parts(goal))
        texts = [whole]
        left = self.max_tokens
        for text in sentences:
            left -= len(self._tokenizer.encode(readable(text)).ids)
            if left < 0:
                break
            texts.append(text)
        return texts

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embeds texts in order: float32 [len(texts), dimension]; each vector has L2 norm 1.

        On a CPU, a vector does not depend on the other texts (`TokenGraph` explains why).
        """
        import numpy as np

        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        for row, vector in enumerate(self._encode(texts)):
            vectors[row] = vector
        return vectors

    def tokens(self, texts: Sequence[str]) -> list[NDArray[np.float32]] | None:
        """Returns the vectors of the single tokens of each text: float32 [tokens, dimension], of
        norm 1.

        The two tokens that mark the start and the end are left out. None: the model does not return
        vectors of tokens.
        """
        import numpy as np

        if self._token_output is None:
            return None
        encodings = [self._tokenizer.encode(readable(text)) for text in texts]
        found = self._graph.run(self._token_output, encodings)
        inner = [each[1:-1] if len(each) > 2 else each for each in found]
        return [
            np.asarray(each / np.linalg.norm(each, axis=1, keepdims=True), dtype=np.float32)
            for each in inner
        ]

    def _encode(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        encodings = [self._tokenizer.encode(readable(text)) for text in texts]
        return [self._unit(found) for found in self._graph.run(self._output, encodings)]

    def _unit(self, found: NDArray[np.float32]) -> NDArray[np.float32]:
        import numpy as np

        if found.ndim > 1:
            found = found.mean(axis=0) if self._pooling == "mean" else found[0]
        return np.asarray(found / np.linalg.norm(found), dtype=np.float32)


def embed_cached(gd: MutableMapping[Any, Any], model_dir: str, text: str, is_name: bool) -> str:
    """Embeds a query for PL/Python; returns a pgvector literal, such as `[0.1,...]`.

    Args:
        gd: PL/Python's global dictionary GD, which keeps the loaded model until the session ends.
        model_dir: a model folder.
        text: a goal, or a name that is looked up; the model's query prefix is put before it.
        is_name: whether it is a name, and not a goal (`SentenceEncoder.goal_text`).

    Raises:
        ModelError: the errors that `SentenceEncoder` raises.
    """
    encoder = load_once(gd, (__name__, model_dir), lambda: SentenceEncoder(model_dir))
    asked = encoder.query_prefix + text if is_name else encoder.goal_text(text)
    vector = encoder.embed([asked])[0]
    # Nine digits represent a float32 exactly.
    return "[" + ",".join(f"{number:.9g}" for number in vector) + "]"


def _choose_output(outputs: list[GraphTensor]) -> str:
    """Chooses the output with the sentence vector, which is recognised by its name.

    If there is no such output, choose an output with token vectors, and otherwise the first output.
    An output with two axes need not be a sentence vector: many exported models have a
    `pooler_output` that was not trained as a sentence vector.
    """
    sentence = [value.name for value in outputs if value.name == "sentence_embedding"]
    tokens = [value.name for value in outputs if len(value.shape) == len("btd")]
    return [*sentence, *tokens, outputs[0].name][0]
