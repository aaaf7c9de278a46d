"""The interface of all language models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol


@dataclass(frozen=True)
class Turn:
    """One message of a conversation, and its author."""

    role: Literal["user", "assistant"]
    text: str


@dataclass(frozen=True)
class Completion:
    """A model's answer.

    Attributes:
        text: of the answer; it should be JSON of the schema asked for, but may be anything.
        input_tokens, output_tokens: as the server counts them; 0 where it does not.
    """

    text: str
    input_tokens: int = 0
    output_tokens: int = 0


class LanguageModel(Protocol):
    """Anything that continues a conversation with JSON."""

    @property
    def name(self) -> str:
        """The server's name of it."""
        ...

    async def complete(
        self, system: str, turns: Sequence[Turn], schema: Mapping[str, Any]
    ) -> Completion:
        """The model's next turn.

        Args:
            system: what it is to do.
            turns: the conversation so far; the last one is the user's.
            schema: JSON Schema of what it is to answer.

        Raises:
            QmError: 503 llm_unavailable, 502 llm_refused or llm_answer_invalid.
        """
        ...
