"""The objects that a running service keeps for lookup tables."""

from __future__ import annotations

from dataclasses import dataclass

from quartermaster_lookup.finaliser import Finaliser
from quartermaster_lookup.lookup_answers import LookupAnswers


@dataclass(frozen=True)
class Lookups:
    """The objects that a service keeps for lookup tables.

    Attributes:
        answers: object that answers queries for all doors.
        finaliser: object that lets a language model choose among these answers. None if no language
            model is configured.
    """

    answers: LookupAnswers
    finaliser: Finaliser | None
