"""Regular snapshots are sealed by the service, and forgotten."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from quartermaster import api
from quartermaster.db import LOCAL_PRINCIPAL
from quartermaster.settings.sections import SnapshotSettings
from quartermaster.snapshots import artifact, seal
from quartermaster.workers.snapshots import SnapshotWorker
from tests.service.workers.conftest import Catalog

pytestmark = pytest.mark.anyio


async def test_what_the_job_makes_is_signed_stored_and_forgotten_with_it(
    catalog: Catalog, tmp_path: Path
) -> None:
    service = catalog.service
    stored = service.settings.model_copy(
        update={"snapshots": SnapshotSettings(store=f"file://{tmp_path}/far")}
    )
    worker = SnapshotWorker(dataclasses.replace(service, settings=stored))
    local = await service.database.find_principal(LOCAL_PRINCIPAL)
    await service.database.call(api.keep_snapshots(count=1), local)
    made: list[str] = []
    catalog.rows("select t.make_origin('o')")
    # The first stays until the second, which takes its place, is sealed.
    for tool, seals in (("x", True), ("y", False), ("z", True)):
        catalog.rows(f"select t.make_tools('o', '{tool}')")
        [run] = await service.database.call(api.run_job(name="snapshot"), service.worker)
        assert run["failure"] is None
        made.append(run["result"]["made"])
        if seals:
            await worker.run_once()
    [run] = await service.database.call(api.run_job(name="snapshot"), service.worker)
    await worker.run_once()
    assert (run["result"]["made"], run["result"]["forgotten"]) == (None, 1)
    rows = await service.database.call(api.list_snapshots(), local)
    for row in rows:
        assert seal.faults(row, service.data_dir) == []
    retained = {f"{row['name']}.sqlite" for row in rows}
    assert retained == {f"{made[2]}.sqlite"}
    assert {path.name for path in (tmp_path / "far").iterdir()} == retained
    assert {
        path.name for path in artifact.path_of(service.data_dir, "x").parent.iterdir()
    } == retained
