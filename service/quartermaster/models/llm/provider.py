"""The common interface of all language models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol


@dataclass(frozen=True)
class Turn:
    """A message of a conversation, and its author."""

    role: Literal["user", "assistant"]
    text: str


@dataclass(frozen=True)
class Completion:
    """A language model's answer.

    Attributes:
        text: text of the answer. It should be JSON that fits the schema, but the caller must check
            this.
        input_tokens, output_tokens: numbers of tokens that the server reported; 0 if it reported
            none.
    """

    text: str
    input_tokens: int = 0
    output_tokens: int = 0


class LanguageModel(Protocol):
    """A model that continues a conversation with JSON."""

    @property
    def name(self) -> str:
        """The name of the model on the server."""
        ...

    async def complete(
        self, system: str, turns: Sequence[Turn], schema: Mapping[str, Any]
    ) -> Completion:
        """Returns the model's next turn.

        Args:
            system: instructions for the model.
            turns: the conversation so far; the last message is the user's.
            schema: JSON Schema for the answer.

        Raises:
            QmError: 503 llm_unavailable, 502 llm_refused or llm_answer_invalid.
        """
        ...
