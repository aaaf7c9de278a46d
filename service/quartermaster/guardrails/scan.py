"""Finds instructions, personal data and secrets in a text."""

from __future__ import annotations

from collections.abc import Collection

from quartermaster.guardrails.addresses import find_addresses
from quartermaster.guardrails.instruction_model import Encode, shipped_model
from quartermaster.guardrails.personal_features import has_trigger
from quartermaster.guardrails.personal_model import PersonalModel
from quartermaster.guardrails.personal_model import shipped_model as shipped_personal_model
from quartermaster.guardrails.personal_patterns import find_births_beside, find_personal
from quartermaster.guardrails.secret_patterns import find_secrets
from quartermaster.guardrails.spans import KINDS, Bytes, Kind, Span, without_overlaps
from quartermaster.guardrails.table_columns import Columns


def find_spans(
    text: str,
    kinds: Collection[Kind] = KINDS,
    encode: Encode | None = None,
    personal: PersonalModel | None = None,
) -> list[Span]:
    """Finds instructions, personal data and secrets in a text.

    Args:
        text: the answer of a tool.
        kinds: the kinds of findings to look for.
        encode: the embedding model's encoder, which decides doubtful sentences; None decides
            without it.
        personal: the learned part for personal data, if it is not the shipped one.

    Returns:
        The spans, in order. Spans of the same kind do not overlap. A secret does not also count as
        personal data.
    """
    found: list[Span] = []
    if "secrets" in kinds or "personal" in kinds:
        data = Bytes(text)
        columns = Columns(data.data)
        secrets = without_overlaps(find_secrets(data, columns))
        if "secrets" in kinds:
            found += secrets
        if "personal" in kinds:
            found += _personal(data, columns, secrets, personal or shipped_personal_model())
    if "instructions" in kinds:
        found += shipped_model().find(text, encode)
    return sorted(found)


def _personal(
    data: Bytes, columns: Columns, secrets: list[Span], model: PersonalModel
) -> list[Span]:
    if not has_trigger(data.data):
        return []
    found = list(find_personal(data, columns))
    found += list(find_addresses(data, found, columns))
    found += list(find_births_beside(data, found))
    found += list(model.find(data))
    return without_overlaps(
        span
        for span in found
        if not any(secret.start < span.end and span.start < secret.end for secret in secrets)
    )
