from __future__ import annotations

import threading
from collections.abc import Sequence

import anyio
import anyio.to_thread
import numpy as np
import pytest
from anyio.lowlevel import checkpoint

from quartermaster.models.asynchronous import AsyncEmbedder
from quartermaster_db.sentences import goal_parts
from tests.support.waiting import LONGEST_S

pytestmark = pytest.mark.anyio


class _Gated:
    """Gives each text its length as vector; a call waits until the gate is open."""

    name, dimension = "gated", 1
    query_prefix = passage_prefix = ""

    def goal_text(self, goal: str) -> str:
        return self.query_prefix + goal

    def goal_texts(self, goal: str) -> list[str]:
        return [self.goal_text(part) for part in goal_parts(goal)]

    def __init__(self) -> None:
        self.calls: list[list[str]] = []
        self.entered, self.gate = threading.Event(), threading.Event()

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        self.calls.append(list(texts))
        self.entered.set()
        assert self.gate.wait(30)
        if "bad" in texts:
            raise ValueError("a bad text")
        return np.array([[len(text)] for text in texts], np.float32)


async def _entered(model: _Gated) -> None:
    assert await anyio.to_thread.run_sync(model.entered.wait, 30)


async def test_queries_that_wait_share_one_call() -> None:
    model = _Gated()
    embedder = AsyncEmbedder(model)
    found: dict[int, float] = {}

    async def ask(size: int) -> None:
        found[size] = (await embedder.embed(["x" * size]))[0, 0]

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(ask, 1)
        await _entered(model)
        for size in range(2, 12):
            tasks.start_soon(ask, size)
        await checkpoint()
        model.gate.set()
    assert [len(call) for call in model.calls] == [1, 10]
    assert found == {size: size for size in range(1, 12)}


async def test_a_query_gets_in_between_the_parts_of_a_long_list() -> None:
    model = _Gated()
    embedder = AsyncEmbedder(model, max_batch=2)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(embedder.embed, ["a", "b", "c", "d", "e"])
        await _entered(model)
        tasks.start_soon(embedder.embed, ["query"])
        await checkpoint()
        model.gate.set()
    assert model.calls == [["a", "b"], ["query"], ["c", "d"], ["e"]]


async def test_nobody_waits_for_the_long_texts_of_one_other_principal() -> None:
    model = _Gated()
    embedder = AsyncEmbedder(model, max_batch=2, calls=2)
    async with anyio.create_task_group() as tasks:
        for number in range(40):
            tasks.start_soon(embedder.embed_goal, f"long {number}", "flood")
        await _entered(model)
        with anyio.fail_after(LONGEST_S):
            while len(embedder.batcher) < 38:
                await checkpoint()
            model.entered.clear()
            tasks.start_soon(embedder.embed_goal, "short", "other")
            await _entered(model)
        model.gate.set()
    assert model.calls[1] == ["short"]
    assert len(model.calls) == 22


async def test_principals_take_turns() -> None:
    model = _Gated()
    embedder = AsyncEmbedder(model, max_batch=2)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(embedder.embed_queries, ["first"], "zoe")
        await _entered(model)
        for name in ("flood 1", "flood 2", "flood 3", "flood 4"):
            tasks.start_soon(embedder.embed_queries, [name], "flood")
        await checkpoint()
        for who in ("ada", "zoe"):
            tasks.start_soon(embedder.embed_queries, [who], who)
        await checkpoint()
        model.gate.set()
    assert model.calls == [
        ["first"],
        ["flood 1", "ada"],
        ["zoe", "flood 2"],
        ["flood 3", "flood 4"],
    ]


async def test_long_list_comes_back_whole_and_in_order() -> None:
    model = _Gated()
    model.gate.set()
    vectors = await AsyncEmbedder(model, max_batch=3).embed(["x" * size for size in range(10)])
    assert vectors[:, 0].tolist() == list(range(10))


async def test_no_text_asks_nothing_of_the_model() -> None:
    model = _Gated()
    assert (await AsyncEmbedder(model).embed([])).shape == (0, 1)
    assert model.calls == []


async def test_cancelled_query_leaves_the_others_their_answer() -> None:
    model = _Gated()
    embedder = AsyncEmbedder(model)
    found: list[float] = []

    async def ask(text: str) -> None:
        found.append((await embedder.embed([text]))[0, 0])

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(ask, "1")
        await _entered(model)
        with anyio.CancelScope() as impatient:
            async with anyio.create_task_group() as cancelled:
                cancelled.start_soon(ask, "22")
                await checkpoint()
                tasks.start_soon(ask, "333")
                await checkpoint()
                impatient.cancel()
        model.gate.set()
    assert model.calls == [["1"], ["333"]]
    assert found == [1, 3]


async def test_failure_reaches_each_waiting_caller_and_nobody_later() -> None:
    model = _Gated()
    embedder = AsyncEmbedder(model)
    failures: list[str] = []

    async def ask(text: str) -> None:
        try:
            await embedder.embed([text])
        except ValueError as error:
            failures.append(f"{text}: {error}")

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(ask, "first")
        await _entered(model)
        tasks.start_soon(ask, "bad")
        tasks.start_soon(ask, "good")
        await checkpoint()
        model.gate.set()
    assert sorted(failures) == ["bad: a bad text", "good: a bad text"]
    assert (await embedder.embed(["later"]))[0, 0] == 5


async def test_event_loop_goes_on_while_the_model_works() -> None:
    model = _Gated()
    ticks = 0
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(AsyncEmbedder(model).embed, ["slow"])
        await _entered(model)
        for _ in range(100):
            await checkpoint()
            ticks += 1
        model.gate.set()
    assert ticks == 100


async def test_goals_and_texts_get_the_prefix_the_model_wants() -> None:
    model = _Gated()
    model.gate.set()
    model.query_prefix, model.passage_prefix = "query: ", "passage: "
    embedder = AsyncEmbedder(model)
    await embedder.embed_goal("a")
    await embedder.embed(["b"])
    assert model.calls == [["query: a"], ["passage: b"]]


async def test_only_goals_are_put_into_a_language_that_the_model_reads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model = _Gated()
    model.gate.set()
    model.query_prefix = "query: "
    monkeypatch.setattr(model, "goal_texts", lambda goal: [goal.upper()])
    embedder = AsyncEmbedder(model)
    await embedder.embed_goal("rosa canina")
    await embedder.embed_queries(["rosa canina"])
    await embedder.embed(["rosa canina"])
    assert model.calls == [["ROSA CANINA"], ["query: rosa canina"], ["rosa canina"]]


async def test_the_vectors_of_a_goals_sentences_stand_behind_its_own() -> None:
    model = _Gated()
    model.gate.set()
    model.query_prefix = "query: "
    goal = "Find a flight to Oslo. Then book a hotel there! Thanks."
    vector = await AsyncEmbedder(model).embed_goal(goal)
    [call] = model.calls
    parts = [goal, "Find a flight to Oslo.", "Then book a hotel there!"]
    assert call == ["query: " + part for part in parts]
    assert vector.shape == (3 * model.dimension,)


@pytest.mark.parametrize(
    "goal",
    [
        "",
        "Find a flight to Oslo for two people on Monday.",
        "Yes. No. Thank you.",
        "This sentence has five words. " * 9,
        "Version 2.5 of the report at example.org/a.b is what we want",
    ],
)
def test_a_goal_of_one_sentence_and_a_long_text_are_not_taken_apart(goal: str) -> None:
    assert goal_parts(goal) == [goal]


async def test_goals_asked_again_are_remembered_up_to_a_number() -> None:
    model = _Gated()
    model.gate.set()
    embedder = AsyncEmbedder(model, remembered=2)
    for goal in ("a", "bb", "a", "ccc", "bb"):
        assert (await embedder.embed_goal(goal)).tolist() == [len(goal)]
    # The third goal pushed out the one that was asked longest ago.
    assert model.calls == [["a"], ["bb"], ["ccc"], ["bb"]]
    assert (embedder.hits, embedder.misses) == (1, 4)


async def test_nothing_is_remembered_where_the_number_is_zero() -> None:
    model = _Gated()
    model.gate.set()
    embedder = AsyncEmbedder(model, remembered=0)
    await embedder.embed_goal("a")
    await embedder.embed_goal("a")
    assert (embedder.hits, len(model.calls)) == (0, 2)


async def test_impatient_caller_leaves_while_the_model_works() -> None:
    model = _Gated()
    embedder = AsyncEmbedder(model)
    with anyio.move_on_after(0.05) as waited:
        await embedder.embed(["slow"])
    assert waited.cancelled_caught
    model.gate.set()
    assert (await embedder.embed(["next"]))[0, 0] == 4
