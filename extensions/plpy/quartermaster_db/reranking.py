"""Reranking with ONNX Runtime: the cross-encoder that the service and PL/Python share."""

from __future__ import annotations

from collections.abc import MutableMapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quartermaster_db.model_folder import describe_model, unreadable
from quartermaster_db.session_cache import load_once
from quartermaster_db.token_graph import CPU, GraphTensor, TokenGraph, open_tokenizer, readable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from tokenizers import Encoding

_MODEL_KIND = "cross-encoder"
# Tokens are shorter than this, so reading more characters would only take time.
_CHARACTERS_PER_TOKEN = 32


class CrossEncoder:
    """A reranker loaded from a folder: it reads a query and a text together.

    Args:
        model_dir: folder with model.onnx and tokenizer.json; model.json or config.json may describe
            them. The inputs of the graph are `input_ids`, `attention_mask` and optionally
            `token_type_ids`. For each pair, the graph returns the score, or two numbers, the second
            of which is the score.
        threads: number of pairs that one call scores at a time.
        providers: ONNX Runtime's execution providers, the preferred one first.
        max_tokens: largest number of word pieces read from a pair; None uses the number in the
            model's description.
        batch: number of pairs in one run of the graph; None chooses it by execution provider.

    Attributes:
        name: the model's name.
        directory: the model folder.
        max_tokens: largest number of word pieces read from a pair, including special tokens.
        provider: the execution provider that the model runs on.

    Raises:
        ModelError: 404 model_file_missing, 422 model_unreadable (also if the model reads fewer
            tokens than `max_tokens`).
    """

    def __init__(
        self,
        model_dir: str | Path,
        threads: int = 1,
        providers: Sequence[str] = (CPU,),
        max_tokens: int | None = None,
        batch: int | None = None,
    ) -> None:
        self.directory = Path(model_dir)
        described = describe_model(self.directory, _MODEL_KIND)
        self.name = described.name
        self.max_tokens = max_tokens or described.max_tokens
        try:
            self._tokenizer = open_tokenizer(self.directory / "tokenizer.json")
            self._room = self.max_tokens - self._tokenizer.num_special_tokens_to_add(is_pair=True)
            self._graph = TokenGraph(self.directory / "model.onnx", providers, threads, batch)
            self._output = _choose_output(self._graph.outputs)
            longest = "word " * self.max_tokens
            self.score(longest, [longest])
        except Exception as error:
            # ONNX Runtime and tokenizers raise plain Exception, RuntimeError, and exceptions of
            # their own.
            raise unreadable(
                self.directory, f"{type(error).__name__}: {error}", _MODEL_KIND
            ) from error
        self.provider = self._graph.provider

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """Scores how well each text fits the query: float32 [len(texts)]. A higher score is better;
        the scale depends on the model.

        If a pair is longer than `max_tokens`, the text is cut first. The query keeps at least half
        of the available tokens.
        """
        return self.score_pairs([(query, text) for text in texts])

    def score_pairs(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """Scores pairs of a query and a text; the pairs may have different queries."""
        import numpy as np

        found = self._graph.run(self._output, [self._encode(*pair) for pair in pairs])
        return np.array([_one_number(row) for row in found], dtype=np.float32)

    def _encode(self, query: str, text: str) -> Encoding:
        first, second = self._tokens(query), self._tokens(text)
        retained = min(len(first.ids), max(self._room // 2, self._room - len(second.ids)))
        first.truncate(retained)
        second.truncate(self._room - retained)
        return self._tokenizer.post_process(first, second)

    def _tokens(self, text: str) -> Encoding:
        cut = readable(text[: self.max_tokens * _CHARACTERS_PER_TOKEN])
        return self._tokenizer.encode(cut, add_special_tokens=False)


def rerank_cached(
    gd: MutableMapping[Any, Any], model_dir: str, query: str, texts: Sequence[str]
) -> list[float]:
    """Scores texts for a query, in the order of the texts, for PL/Python.

    Args:
        gd: PL/Python's global dictionary GD, which keeps the loaded model until the session ends.
        model_dir: a model folder.
        query, texts: any strings.

    Raises:
        ModelError: the errors that `CrossEncoder` raises.
    """
    encoder = load_once(gd, (__name__, model_dir), lambda: CrossEncoder(model_dir))
    return encoder.score(query, texts).tolist()


def _choose_output(outputs: list[GraphTensor]) -> str:
    return next((value.name for value in outputs if value.name == "logits"), outputs[0].name)


def _one_number(row: NDArray[np.float32]) -> float:
    numbers = row.ravel().tolist()
    if len(numbers) not in {1, 2}:
        raise ValueError(f"the model returns {len(numbers)} numbers for a pair, not 1 or 2")
    return numbers[0] if len(numbers) == 1 else numbers[1] - numbers[0]
