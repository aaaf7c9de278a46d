"""Two embedding models live side by side; the switch is heard, and nobody waits for it."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import anyio
import pytest

from quartermaster.core.errors import QmError
from quartermaster.workers.run import run_workers
from tests.service.workers.conftest import Catalog
from tests.support.model import cached_model_dir
from tests.support.waiting import until

TOOL = {"name": "ring", "description": "Rings the bell", "inputSchema": {"type": "object"}}
VECTORS = (
    "select m.name, count(e.text_hash) from search.model as m"
    " left join search.embedding as e on e.model_id = m.id group by m.name order by m.name"
)


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
        await service.database.call("put_model", service.worker, **arguments)
        with pytest.raises(QmError, match="2 texts do not have a vector"):
            await service.database.call("activate_model", service.worker, name=second)
        await until(lambda: catalog.rows(VECTORS) == [(first, 2), (second, 2)])
        assert service.retriever.embedder.model.name == first

        await service.database.call("activate_model", service.worker, name=second)
        await until(lambda: service.retriever.embedder.model.name == second)
        tasks.cancel_scope.cancel()

    await service.database.call("drop_model", service.worker, name=first)
    assert catalog.rows(VECTORS) == [(second, 2)]
    # The next process begins with what the database says, whatever its settings name.
    assert (await service.models.load_active()).name == second


@pytest.mark.anyio
async def test_a_model_that_cannot_be_loaded_holds_nothing_up(catalog: Catalog) -> None:
    service = catalog.service
    arguments = {"name": "absent", "dimension": 8, "active": False, "source": "/nowhere/absent"}
    await service.database.call("put_model", service.worker, **arguments)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(partial(run_workers, service, on_catalog_changed=lambda: None))
        await catalog.finished(await catalog.offer("bell", [TOOL]))
        await until(
            lambda: (
                catalog.rows(VECTORS) == [("absent", 0), (service.retriever.embedder.model.name, 2)]
            )
        )
        tasks.cancel_scope.cancel()
