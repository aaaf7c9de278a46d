"""Loads the tools of an evaluation into its database and gives them their vectors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Final

import anyio.to_thread

from quartermaster.eval.remembered import RememberedModel, memory_file
from quartermaster.eval.tools_file import ToolSet
from quartermaster.install.throw_away import settle, without_vector_indexes
from quartermaster.models.async_embedder import AsyncEmbedder
from quartermaster.service import Service

Progress = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done, and how much there is."""

_BATCH_TOOLS: Final = 500
_CLAIM: Final = 512
_SAVE_S: Final = 60.0


@dataclass(frozen=True)
class Catalog:
    """What was loaded.

    Attributes:
        tools: stored.
        rejected: why some were not, with their ids.
        ids: id of each stored tool by its callable name.
        embedded: texts embedded in this run; the others were remembered.
    """

    tools: int
    rejected: list[str]
    ids: dict[str, str]
    embedded: int


async def load(
    service: Service, dsn: str, tools: ToolSet, memory_dir: Path, progress: Progress
) -> Catalog:
    """Imports the tools through the api and waits for their vectors and statistics.

    Args:
        service: on the throw-away database.
        dsn: of that database's administrator.
        tools: to load.
        memory_dir: keeps vectors for later runs.
        progress: told how far it is.

    Raises:
        QmError: of the database.
    """
    ids, rejected = await _import(service, tools, progress)
    remembered = await anyio.to_thread.run_sync(_remembered, service, memory_dir)
    indexes = without_vector_indexes(dsn)
    await anyio.to_thread.run_sync(indexes.__enter__)
    await _embed(service, remembered, len(ids), progress)
    progress("indexing", 0, 1)
    await anyio.to_thread.run_sync(indexes.__exit__, None, None, None)
    await anyio.to_thread.run_sync(settle, dsn)
    progress("indexing", 1, 1)
    return Catalog(len(ids), [*tools.rejected.values(), *rejected], ids, remembered.computed)


async def _import(
    service: Service, tools: ToolSet, progress: Progress
) -> tuple[dict[str, str], list[str]]:
    ids: dict[str, str] = {}
    rejected: list[str] = []
    for start in range(0, len(tools.ids), _BATCH_TOOLS):
        batch = tools.definitions[start : start + _BATCH_TOOLS]
        keys = tools.ids[start : start + _BATCH_TOOLS]
        rows = await service.database.call("import_items", service.worker, kind="tool", items=batch)
        for key, row in zip(keys, rows, strict=True):
            if row["outcome"] == "rejected":
                rejected.append(f"{key}: {row['reason']}")
            else:
                ids[row["public_name"]] = key
        progress("importing", start + len(batch), len(tools.ids))
    return ids, rejected


def _remembered(service: Service, folder: Path) -> RememberedModel:
    model = service.retriever.embedder.model
    return RememberedModel(model, memory_file(folder, model))


async def _embed(
    service: Service, model: RememberedModel, expected: int, progress: Progress
) -> None:
    embedder = AsyncEmbedder(model)
    done, saved = 0, monotonic()
    try:
        while rows := await service.database.call(
            "claim_unembedded", service.worker, model=model.name, maximum=_CLAIM
        ):
            vectors = await embedder.embed([row["embedding_text"] for row in rows])
            await service.database.call(
                "store_embeddings",
                service.worker,
                model=model.name,
                kinds=[row["kind"] for row in rows],
                text_hashes=[row["text_hash"] for row in rows],
                vectors=[f"[{','.join(map(str, vector))}]" for vector in vectors.tolist()],
            )
            done += len(rows)
            progress("embedding", done, max(expected, done))
            if monotonic() - saved > _SAVE_S:
                saved = monotonic()
                model.save()
    finally:
        model.save()
