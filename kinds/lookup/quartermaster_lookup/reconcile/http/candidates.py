"""Reads batches of queries, and answers them in the format of the requested API version."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final, cast

from quartermaster.core.errors import argument_invalid
from quartermaster.db import Row
from quartermaster.doors.wire.payload import decode
from quartermaster_lookup.finaliser import FinalisedString, Input
from quartermaster_lookup.lookup_answers import LookupAnswer
from quartermaster_lookup.reconcile.http.endpoint import Endpoint
from quartermaster_lookup.reconcile.http.queries import (
    Members,
    QueryProblem,
    read_conditions,
    read_query,
)

Choose = Callable[[Sequence[Input]], Awaitable[Sequence[FinalisedString]]]
Ask = Callable[[Sequence[Mapping[str, Any]]], Awaitable[Sequence[LookupAnswer]]]

_FEATURES: Final = {
    "trgm": "Share of common trigrams",
    "cosine": "Cosine similarity of trigrams and words, weighted by inverse document frequency",
    "sem": "Cosine similarity of the meanings",
    "alias": "An alias matched instead of the value",
    "property": "Share of the requested properties that the row has",
    "language": "The row has the requested language",
    "gap": "Lead in probability over the next candidate, or gap to the first",
}


async def match_0(
    text: str, endpoint: Endpoint, language: str | None, ask: Ask, choose: Choose | None = None
) -> dict[str, Any]:
    """Answers a batch of queries in the format of version 0.2.

    The answer to the object ``{"q0": {"query": ...}, ...}`` is ``{"q0": {"result": [...]}, ...}``.
    The answer to a list of queries is ``{"results": [{"result": [...]}, ...]}``, in the same order.
    In a list, a query may be a string.

    Args:
        text: the queries as JSON.
        endpoint: endpoint of the service.
        language: preferred language. None if the client has no preference.
        ask: function that answers queries.
        choose: function that lets a language model choose among candidates. None if no model is
            used.

    Raises:
        QmError: QM400 json_invalid, QM422 argument_invalid, and the errors of
            `LookupAnswers.reconcile`.
    """
    given = decode(text)
    if not isinstance(given, (dict, list)):
        raise argument_invalid(
            "queries must be an object or a list.",
            'Send {"q0": {"query": "Betula pendula"}} or ["Betula pendula"].',
        )
    keys: list[str] | None = None
    if isinstance(given, dict):
        named = cast("dict[str, object]", given)
        keys, queries = [*named], [*named.values()]
    else:
        listed = cast("list[object]", given)
        queries = [{"query": each} if isinstance(each, str) else each for each in listed]
    answers = await _answer_all(queries, lambda q: read_query(q, endpoint, language), ask)
    results = [_result("result", answer, endpoint) for answer in answers]
    if choose is not None:
        asked = [Input(_shown_query(q), a.rows) for q, a in zip(queries, answers, strict=True)]
        for number, outcome in enumerate(await choose(asked)):
            results[number] |= _final(outcome, results[number]["result"])
    return {"results": results} if keys is None else dict(zip(keys, results, strict=True))


def _shown_query(query: object) -> str:
    return str(cast("Members", query).get("query", "")) if isinstance(query, dict) else ""


def _final(outcome: FinalisedString, candidates: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Returns the language model's choices for a query, or the reason why it did not choose."""
    if outcome.chosen is None:
        return {"notes": [outcome.note]}
    final = outcome.final(outcome.chosen, candidates, "id", "name", "score")
    # The tokens are those of a request, so the number of its strings is told, too.
    return {"final": final | {"strings": len(outcome.chosen.choices)}}


async def match_1(text: str, endpoint: Endpoint, language: str | None, ask: Ask) -> dict[str, Any]:
    """Answers a batch of queries in the format of version 1.0.

    The member ``queries`` of the body is a list ``[{"conditions": ...}, ...]``. The answer is
    ``{"results": [{"candidates": [...]}, ...]}``.

    Raises:
        QmError: QM400 json_invalid, QM422 argument_invalid, and the errors of
            `LookupAnswers.reconcile`.
    """
    given = decode(text)
    if not isinstance(given, list):
        raise argument_invalid(
            "queries must be a list.", 'Send {"queries": [{"conditions": [...]}]}.'
        )
    answers = await _answer_all(
        cast("list[object]", given), lambda q: read_conditions(q, endpoint, language), ask
    )
    return {"results": [_result("candidates", answer, endpoint) for answer in answers]}


async def _answer_all(
    given: Sequence[object], read: Callable[[object], dict[str, Any]], ask: Ask
) -> list[LookupAnswer]:
    """Returns the answers in the order of the queries. Invalid queries get an error and are not
    looked up.
    """
    problems: dict[int, LookupAnswer] = {}
    readable: list[dict[str, Any]] = []
    for position, query in enumerate(given):
        try:
            readable.append(read(query))
        except QueryProblem as problem:
            problems[position] = LookupAnswer([], problem.error)
    # The database is called even if there are no queries, because a missing or invisible table is
    # always an error.
    found = iter(await ask(readable))
    return [problems.get(position) or next(found) for position in range(len(given))]


def _candidate(row: Row, endpoint: Endpoint) -> dict[str, Any]:
    is_new = endpoint.version == "1.0-draft"
    candidate: dict[str, Any] = {
        "id": endpoint.row_id(row["lookup"], row["id"]),
        "name": row["value"],
        "type": [{"id": row["lookup"], "name": row["lookup"]}],
        "score": round(100 * row["score"], 2),
        "match": row["match"],
        "features": [
            {"id": name, **({"name": _FEATURES.get(name, name)} if is_new else {}), "value": value}
            for name, value in row["scores"].items()
            if value is not None
        ],
    }
    if row["description"]:
        candidate["description"] = row["description"]
    if is_new and row["language"]:
        candidate["lang"] = row["language"]
    return candidate


def _result(member: str, answer: LookupAnswer, endpoint: Endpoint) -> dict[str, Any]:
    result: dict[str, Any] = {member: [_candidate(row, endpoint) for row in answer.rows]}
    # The retired rows that a query names; other rows are then no candidates.
    if answer.retired:
        result["retired"] = [
            {"id": endpoint.row_id(row["lookup"], row["id"]), "value": row["value"]}
            for row in answer.retired
        ]
    if answer.error is not None:
        result["error"] = dict(answer.error)
    return result
