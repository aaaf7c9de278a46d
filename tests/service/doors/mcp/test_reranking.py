"""The reranker on its way through the service: what it changes, and what happens without it."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
import pytest
from mcp import Client

from quartermaster import api
from quartermaster.core.errors import QmError
from quartermaster.doors.mcp.mcp_server import McpFront
from quartermaster.models.asynchronous import AsyncEmbedder, AsyncReranker
from quartermaster.retrieval import Retriever
from quartermaster.service import Service, open_service
from quartermaster.settings.sections import EmbeddingSettings, RerankerSettings
from quartermaster.settings.settings import Settings
from quartermaster_db.embedding import SentenceEncoder
from quartermaster_db.reranking import CrossEncoder
from tests.support.cross_encoder import write_tiny_cross_encoder
from tests.support.database import Database
from tests.support.model import cached_model_dir
from tests.support.model_server import KEY, ModelServer, running
from tests.support.reading import names_of

pytestmark = pytest.mark.anyio

GOAL = "a tool of the leaf server"
FAVOURITE = "leaf__hang"


class _Judge:
    """Likes one tool; fails or waits when told to."""

    name = "judge"

    def __init__(self) -> None:
        self.error: Exception | None = None
        self.gate = threading.Event()
        self.gate.set()
        self.read: list[str] = []

    def score(self, query: str, texts: Sequence[str]) -> np.ndarray:
        return self.score_pairs([(query, text) for text in texts])

    def score_pairs(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
        assert self.gate.wait(30)
        if self.error:
            raise self.error
        self.read += [text for _, text in pairs]
        return np.array(["hang" in text for _, text in pairs], np.float32)


@pytest.fixture
def judge() -> _Judge:
    return _Judge()


def judged(service: Service, judge: Any, timeout_s: float = 20) -> Service:
    """Returns the service with a reranker."""
    retriever = replace(
        service.retriever, reranker=AsyncReranker(judge), rerank_timeout_s=timeout_s
    )
    return replace(service, retriever=retriever)


async def search(service: Service, **arguments: Any) -> Any:
    async with Client(McpFront(service).server) as client:
        return await client.call_tool("search_tools", {"query": GOAL, **arguments})


async def test_the_reranker_s_favourite_comes_up(service: Service, judge: _Judge):
    before = names_of(await search(service))
    found = await search(judged(service, judge))
    assert before[0] != FAVOURITE
    assert names_of(found)[0] == FAVOURITE
    assert found.structured_content["tools"][0]["scores"]["rerank"] == 1
    assert any("hang tool of the leaf server" in text for text in judge.read)
    assert "quartermaster/warnings" not in (found.meta or {})


async def test_a_mode_that_reranks_nothing_asks_no_reranker(service: Service, judge: _Judge):
    modes = service.settings.modes.model_dump(by_alias=True)
    modes["fast"]["rerank"] = 0
    await service.database.call(api.configure_modes(modes=modes), service.worker)
    assert names_of(await search(judged(service, judge), mode="fast"))
    assert judge.read == []


@pytest.mark.parametrize("trouble", ["raises", "hangs", "is refused"])
async def test_a_failing_reranker_leaves_the_first_stage_s_order(
    service: Service, judge: _Judge, trouble: str, capsys: pytest.CaptureFixture[str]
):
    if trouble == "hangs":
        judge.gate.clear()
    else:
        refused = QmError(502, "model_refused", "no", "Check the key.")
        judge.error = RuntimeError("broken graph") if trouble == "raises" else refused
    expected = names_of(await search(service))
    timeout_s = 0.1 if trouble == "hangs" else 20
    found = await search(judged(service, judge, timeout_s), limit=8)
    judge.gate.set()
    assert not found.is_error
    assert names_of(found) == expected
    [warning] = found.meta["quartermaster/warnings"]
    assert "order of the initial search" in warning
    assert "rerank_failed" in capsys.readouterr().err


async def test_a_failing_embedding_model_leaves_words(service: Service):
    class Broken(SentenceEncoder):
        def embed(self, texts: Sequence[str]) -> np.ndarray:
            raise RuntimeError("out of memory")

    broken = replace(service.retriever, embedder=AsyncEmbedder(Broken(cached_model_dir())))
    found = await search(replace(service, retriever=broken), query="get the current time")
    assert "time__get_current_time" in names_of(found)
    assert "by words" in found.meta["quartermaster/warnings"][0]


async def test_steps_are_timed_and_the_pool_is_found_once(service: Service, judge: _Judge):
    found = await judged(service, judge).retriever.search(service.worker, GOAL)
    assert list(found.seconds) == ["embed", "candidates", "rerank", "search"]
    again = await service.retriever.search(service.worker, GOAL)
    assert list(again.seconds) == ["embed", "search"]
    assert service.retriever.embedder.hits == 1


async def test_models_come_from_the_settings(database: Database, tmp_path: Path):
    folder = write_tiny_cross_encoder(tmp_path / "tiny")
    server = ModelServer(SentenceEncoder(cached_model_dir()), CrossEncoder(folder))
    with running(server), pytest.MonkeyPatch.context() as environment:
        environment.setenv("MODEL_KEY", KEY)
        settings = Settings(
            embedding=EmbeddingSettings(
                provider="api_remote", model="far", url=server.url, api_key="env:MODEL_KEY"
            ),
            reranker=RerankerSettings(
                provider="onnx_local", model=str(folder), margin=0.5, timeout_s=20
            ),
        )
        runtime_dir = cached_model_dir().parents[1]
        async with open_service(
            settings, tmp_path, runtime_dir, database.service_dsn, "up", uuid4()
        ) as service:
            retriever = service.retriever
            assert isinstance(retriever, Retriever)
            assert (
                service.retriever.embedder.model.name,
                service.retriever.embedder.model.dimension,
            ) == ("far", 384)
            assert retriever.reranker
            assert retriever.reranker.model.name == "tiny"
            assert isinstance(server.encoder, SentenceEncoder)
            for goal in ("hello", "zeig mir die Rechnungen"):
                vector = await service.retriever.embedder.embed_goal(goal)
                np.testing.assert_allclose(vector, server.encoder.embed([goal])[0], atol=1e-6)
