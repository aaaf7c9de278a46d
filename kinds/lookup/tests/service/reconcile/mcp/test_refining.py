"""Models refine answers where they are there, and take nothing away where they fail."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

import httpx2
import numpy as np
import pytest
from mcp import Client
from numpy.typing import NDArray
from structlog.testing import capture_logs

from kinds.lookup.tests.service.reconcile.mcp.conftest import answer_of, error_of, ids_of
from quartermaster.core.parts import Parts
from quartermaster.models.asynchronous import AsyncReranker
from quartermaster.models.llm.llm_server import LlmServer
from quartermaster.models.llm.registry import OpenAiModel
from quartermaster.service import Service
from quartermaster_lookup.finaliser import Finaliser
from quartermaster_lookup.observing import hash_of
from quartermaster_lookup.part import Lookups
from quartermaster_lookup.reconcile.mcp.server import ReconcileFront
from tests.support.language_server import LanguageServer
from tests.support.model_server import KEY, running

pytestmark = pytest.mark.anyio

ASKED = {"table": "plant", "query": "Betula", "threshold": 0}


class Shortest:
    """A judge that likes short names; it breaks where it is told to."""

    name = "shortest"

    def __init__(self, *, is_broken: bool = False) -> None:
        self._is_broken = is_broken

    def score_pairs(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """Returns logits: minus the length."""
        if self._is_broken:
            raise RuntimeError("out of memory")
        return np.array([-len(text) for _, text in pairs], np.float32)

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """Returns the same for one query."""
        return self.score_pairs([(query, text) for text in texts])


def with_judge(service: Service, judge: Shortest) -> ReconcileFront:
    retriever = replace(service.retriever, reranker=AsyncReranker(judge))
    return ReconcileFront(replace(service, retriever=retriever))


@pytest.fixture
def language() -> Generator[LanguageServer]:
    with running(LanguageServer()) as it:
        assert isinstance(it, LanguageServer)
        yield it


@asynccontextmanager
async def with_language_model(service: Service, url: str) -> AsyncGenerator[Client]:
    headers = {"authorization": f"Bearer {KEY}"}
    async with httpx2.AsyncClient(headers=headers) as http:
        finaliser = Finaliser(OpenAiModel(LlmServer(url, http), "m", {}), 10, 5)
        lookups = replace(service.parts[Lookups], finaliser=finaliser)
        chosen = replace(service, parts=Parts([lookups]))
        async with Client(ReconcileFront(chosen).server) as client:
            yield client


async def test_a_cross_encoder_orders_the_first_five_and_adds_none(service: Service):
    async with Client(with_judge(service, Shortest()).server) as client:
        plain = answer_of(await client.call_tool("search_lookup", ASKED))
        judged = answer_of(await client.call_tool("search_lookup", {**ASKED, "rerank": True}))
        given = [{"id": "1", "value": "Betula pendula"}, {"id": "2", "value": "Betula nana"}]
        asked = {"query": "x", "candidates": given}
        reranked = answer_of(await client.call_tool("rerank", asked))
    assert set(ids_of(judged)) == set(ids_of(plain))
    assert judged["reranked_by"] == "shortest"
    names = [candidate["name"] for candidate in judged["candidates"][:5]]
    assert names == sorted(names, key=len)
    assert ids_of(judged)[5:] == ids_of(plain)[5:]
    assert [result["id"] for result in reranked["results"]] == ["2", "1"]
    assert all(0 <= result["score"] <= 1 for result in reranked["results"])
    assert reranked["model"] == "shortest"


async def test_a_cross_encoder_that_breaks_leaves_the_order(service: Service):
    async with Client(with_judge(service, Shortest(is_broken=True)).server) as client:
        plain = answer_of(await client.call_tool("search_lookup", ASKED))
        judged = answer_of(await client.call_tool("search_lookup", {**ASKED, "rerank": True}))
        asked = {"query": "x", "candidates": [{"id": "1", "value": "Betula"}]}
        failed = error_of(await client.call_tool("rerank", asked))
    assert judged["candidates"] == plain["candidates"]
    assert judged["notes"] == ["Not reranked: The reranker did not answer."]
    assert failed["code"] == "SERVER_ERROR"
    assert "memory" not in str(failed)


async def test_a_language_model_chooses_among_the_candidates(
    service: Service, language: LanguageServer
):
    language.answers = [{"choices": [{"candidate": 2, "reason": "The second one."}]}]
    asked = {**ASKED, "finalize": True, "context": "Plants."}
    with capture_logs() as lines:
        async with with_language_model(service, language.url) as client:
            answer = answer_of(await client.call_tool("search_lookup", asked))
    [report] = [line for line in lines if line["event"] == "finalised"]
    assert (report["chosen"], report["tokens"], report["repaired"]) == (1, 100, False)
    second = answer["candidates"][1]
    assert (report["table"], report["ids"]) == ("plant", [[second["id"]]])
    assert report["query_hashes"] == [hash_of("Betula")]
    [choice] = answer["final"]["choices"]
    assert choice == {
        "id": second["id"],
        "value": second["value"],
        "score": second["score"],
        "reason": "The second one.",
    }
    assert answer["final"]["tokens"] == 100
    assert "notes" not in answer


async def test_without_a_usable_choice_the_answer_stays_with_a_note(
    service: Service, language: LanguageServer
):
    language.answers = ["no", "no"]
    async with with_language_model(service, language.url) as client:
        plain = answer_of(await client.call_tool("search_lookup", ASKED))
        answer = answer_of(await client.call_tool("search_lookup", {**ASKED, "finalize": True}))
    assert answer["candidates"] == plain["candidates"]
    assert "final" not in answer
    assert answer["notes"][0].startswith("Not finalised: ")
