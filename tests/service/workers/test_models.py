"""Two embedding models live side by side; the switch is heard, and nobody waits for it."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import anyio
import numpy as np
import onnx
import pytest
from numpy.typing import NDArray
from onnx import helper, numpy_helper

from quartermaster import api
from quartermaster.core.errors import QmError
from quartermaster.db import Row
from quartermaster.workers.run import run_workers
from tests.service.workers.conftest import Catalog
from tests.support.model import cached_model_dir
from tests.support.waiting import until

TOOL = {"name": "ring", "description": "Rings the bell", "inputSchema": {"type": "object"}}
VECTORS = (
    "select m.name, count(e.text_hash) from search.model as m"
    " left join search.embedding as e on e.model_id = m.id group by m.name order by m.name"
)

TOOLS = [
    {"name": name, "description": description, "inputSchema": {"type": "object"}}
    for name, description in (
        ("get_forecast", "Predicts rain, wind and temperature for the coming days"),
        ("send_mail", "Delivers an email message to a recipient"),
        ("play_song", "Starts a piece of music on the speakers"),
        ("book_flight", "Reserves a seat on an aeroplane"),
        ("resize_image", "Changes width and height of a picture"),
        ("translate", "Renders text from one language into another"),
    )
]
# They share no word with the tool that serves them, so only vectors find it.
GOALS = [
    "will I need an umbrella tomorrow",
    "write to my boss that I am ill",
    "let me hear Yesterday by the Beatles",
    "get me a plane ticket to Rome",
    "make this photo smaller",
    "what does this French sentence mean in German",
]
RIGHT = [f"house__{tool['name']}" for tool in TOOLS]


def write_backwards(folder: Path) -> None:
    """The default model, whose vectors are written from the last number to the first."""
    folder.mkdir()
    for file in cached_model_dir().iterdir():
        if file.name not in {"model.json", "model.onnx"}:
            (folder / file.name).symlink_to(file)
    described = json.loads((cached_model_dir() / "model.json").read_text())
    (folder / "model.json").write_text(json.dumps(described | {"name": folder.name}))
    model = onnx.ModelProto()
    model.ParseFromString((cached_model_dir() / "model.onnx").read_bytes())
    last = model.graph.node[-1]
    assert list(last.output) == [model.graph.output[0].name]
    order = numpy_helper.from_array(np.arange(383, -1, -1), "order")
    model.graph.initializer.append(order)
    forwards = last.output[0] + "_forwards"
    backwards = helper.make_node("Gather", [forwards, "order"], list(last.output), axis=1)
    last.output[0] = forwards
    model.graph.node.append(backwards)
    (folder / "model.onnx").write_bytes(model.SerializeToString())


def names(rows: list[Row]) -> list[str | None]:
    return [row["name"] for row in rows]


def score_of(row: Row) -> tuple[str, float, float]:
    return row["name"], row["score"], row["scores"]["dense"]


@pytest.mark.anyio
async def test_a_second_model_is_embedded_beside_the_first_and_takes_over(
    catalog: Catalog, tmp_path: Path
) -> None:
    service = catalog.service
    first, second = service.retriever.embedder.model.name, "zweites"
    folder = tmp_path / second
    folder.mkdir()
    for file in cached_model_dir().iterdir():
        if file.name != "model.json":
            (folder / file.name).symlink_to(file)
    described = json.loads((cached_model_dir() / "model.json").read_text())
    (folder / "model.json").write_text(json.dumps(described | {"name": second}))
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(partial(run_workers, service, on_catalog_changed=lambda: None))
        await catalog.finished(await catalog.offer("bell", [TOOL]))
        # The tool, and what the server says of itself.
        await until(lambda: catalog.rows(VECTORS) == [(first, 2)])

        arguments = {"name": second, "dimension": 384, "active": False, "source": str(folder)}
        await service.database.call(api.put_model(**arguments), service.worker)
        with pytest.raises(QmError, match="2 texts do not have a vector"):
            await service.database.call(api.activate_model(name=second), service.worker)
        await until(lambda: catalog.rows(VECTORS) == [(first, 2), (second, 2)])
        assert service.retriever.embedder.model.name == first

        await service.database.call(api.activate_model(name=second), service.worker)
        await until(lambda: service.retriever.embedder.model.name == second)
        tasks.cancel_scope.cancel()

    await service.database.call(api.drop_model(name=first), service.worker)
    assert catalog.rows(VECTORS) == [(second, 2)]
    # The next process begins with what the database says, whatever its settings name.
    assert (await service.models.load_active()).name == second


@pytest.mark.anyio
async def test_goals_are_served_alike_all_through_a_change_of_the_model(
    catalog: Catalog, tmp_path: Path
) -> None:
    service = catalog.service
    embedder, call = service.retriever.embedder, service.database.call
    first, second = embedder.model.name, "backwards"
    # Vectors of the two models have the same length, and nothing in common.
    write_backwards(tmp_path / second)

    async def served() -> list[Row]:
        """Returns the first tool for each goal."""
        founds = [await service.retriever.search(service.worker, goal) for goal in GOALS]
        return [found.rows[0] if found.rows else {"name": None} for found in founds]

    async def all_are_served() -> bool:
        assert names(await served()) == RIGHT
        return True

    before, vectors = list[Row](), list[NDArray[np.float32]]()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(partial(run_workers, service, on_catalog_changed=lambda: None))
        await catalog.finished(await catalog.offer("house", TOOLS))
        texts = len(TOOLS) + 1
        await until(lambda: catalog.rows(VECTORS) == [(first, texts)])
        before = await served()
        assert names(before) == RIGHT
        assert not any(row["scores"]["lexical"] for row in before)
        vectors = [await embedder.embed_goal(goal) for goal in GOALS]

        arguments = {"name": second, "dimension": 384, "active": False}
        await call(api.put_model(**arguments, source=str(tmp_path / second)), service.worker)
        while catalog.rows(VECTORS) != [(second, texts), (first, texts)]:
            assert await all_are_served()
        tasks.cancel_scope.cancel()

    # The other model is active, and this process has not heard of it.
    await call(api.activate_model(name=second), service.worker)
    assert embedder.model.name == first
    after = await served()
    assert [score_of(row) for row in after] == [score_of(row) for row in before]
    # Without the name of the model, the vectors would be compared with those of the other one.
    unnamed = [
        await call(api.search_tools(goal=goal, query_vector=vector), service.worker)
        for goal, vector in zip(GOALS, vectors, strict=True)
    ]
    assert [found[0]["name"] if found else None for found in unnamed] != RIGHT

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(partial(run_workers, service, on_catalog_changed=lambda: None))
        while embedder.model.name == first:
            assert await all_are_served()
        assert await all_are_served()
        tasks.cancel_scope.cancel()


@pytest.mark.anyio
async def test_a_model_that_cannot_be_loaded_holds_nothing_up(catalog: Catalog) -> None:
    service = catalog.service
    arguments = {"name": "absent", "dimension": 8, "active": False, "source": "/nowhere/absent"}
    await service.database.call(api.put_model(**arguments), service.worker)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(partial(run_workers, service, on_catalog_changed=lambda: None))
        await catalog.finished(await catalog.offer("bell", [TOOL]))
        await until(
            lambda: (
                catalog.rows(VECTORS) == [("absent", 0), (service.retriever.embedder.model.name, 2)]
            )
        )
        tasks.cancel_scope.cancel()
