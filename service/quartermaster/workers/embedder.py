"""Embeds the texts of cards in the background."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import monotonic
from typing import Final, NoReturn

import anyio
import numpy as np
from anyio import to_thread
from numpy.typing import NDArray

from quartermaster import api
from quartermaster.core.errors import QmError
from quartermaster.core.logs import get_logger
from quartermaster.core.wakeup import Wakeup
from quartermaster.db import Row
from quartermaster.models.asynchronous import AsyncEmbedder
from quartermaster.models.known_vectors import read_known
from quartermaster.models.vector_text import stored_vectors, vector_texts
from quartermaster.service import Service

_POLL_S: Final = 10.0
_REPORT_S: Final = 30.0
_FIRST_BACKOFF_S: Final = 0.5
_LAST_BACKOFF_S: Final = 30.0

log = get_logger(part="embedder")


class EmbeddingWorker:
    """Embeds texts that have no vector yet, first for the active model, then for the other
    registered models.

    Queries take precedence: the shared embedder processes them between two parts of a batch. This
    worker also switches the embedder when the active model changes.

    Args:
        service: the service; four times `settings.embedding.batch_size` texts are read from the
            database at a time.
    """

    def __init__(self, service: Service) -> None:
        self._service = service
        self._wakeup = Wakeup()
        self.wake = self._wakeup.ring
        self._followed = service.retriever.embedder.model.name

    async def run(self) -> NoReturn:
        """Embeds texts until cancelled, even during an outage."""
        backoff_s = _FIRST_BACKOFF_S
        while True:
            try:
                await self._embed_all()
                backoff_s = _FIRST_BACKOFF_S
                await self._wakeup.wait(_POLL_S)
                continue
            except QmError as error:
                log.warning("embedding_interrupted", error=str(error), again_in_s=backoff_s)
            except Exception:
                # A text that the model cannot embed must not end this process.
                log.exception("embedding_crashed", again_in_s=backoff_s)
            await anyio.sleep(backoff_s)
            backoff_s = min(2 * backoff_s, _LAST_BACKOFF_S)

    async def _embed_all(self) -> None:
        for row in await self._service.models.list():
            if row["active"]:
                await self._follow(row)
                await self._embed_for(row["name"], self._service.retriever.embedder)
                await self._embed_teachings(row["name"], self._service.retriever.embedder)
            else:
                await self._embed_beside(row)

    async def _follow(self, active: Row) -> None:
        """Switches the embedder to the model that is active in the database."""
        if self._followed != active["name"]:
            self._service.retriever.embedder.use(await self._service.models.load(active["source"]))
            self._followed = active["name"]
            log.info("embedding_model_switched", model=active["name"])

    async def _embed_beside(self, row: Row) -> None:
        """Embeds texts for a model that is not active yet. The model is loaded only if texts are
        waiting.
        """
        if not (await self._claim(row["name"]) or await self._claim_teachings(row["name"])):
            return
        try:
            embedder = AsyncEmbedder(await self._service.models.load(row["source"]), remembered=0)
        except QmError as error:
            # If this process cannot load a model, the error is only logged, so that the active
            # model is not delayed.
            log.warning("embedding_model_not_loaded", model=row["name"], error=str(error))
            return
        await self._embed_for(row["name"], embedder)
        await self._embed_teachings(row["name"], embedder)

    async def _embed_for(self, model: str, embedder: AsyncEmbedder) -> None:
        started = reported = monotonic()
        texts = 0
        known: dict[bytes, NDArray[np.float32]] | None = None
        while rows := await self._claim(model):
            if known is None:
                known = await to_thread.run_sync(read_known, embedder.model)
            vectors = await _embedded(rows, embedder, known)
            stored = stored_vectors(model, rows, vectors)
            await self._service.database.call(api.store_embeddings(**stored), self._service.worker)
            texts += len(rows)
            if monotonic() - reported > _REPORT_S:
                reported = monotonic()
                log.info("embedding", model=model, texts=texts, texts_per_s=_rate(texts, started))
        if texts:
            log.info("embedded", model=model, texts=texts, texts_per_s=_rate(texts, started))

    async def _embed_teachings(self, model: str, embedder: AsyncEmbedder) -> None:
        """Embeds the goals of teachings, as goals of searches are embedded."""
        while rows := await self._claim_teachings(model):
            # The vectors of the sentences of a goal, which follow its own, are not compared.
            vectors = np.stack(
                [
                    (await embedder.embed_goal(row["goal"]))[: embedder.model.dimension]
                    for row in rows
                ]
            )
            numbers = [row["teaching"] for row in rows]
            await self._service.database.call(
                api.store_teachings(model=model, teachings=numbers, vectors=vector_texts(vectors)),
                self._service.worker,
            )

    async def _claim_teachings(self, model: str) -> Sequence[Row]:
        service = self._service
        return await service.database.call(
            api.claim_teachings(
                model=model, maximum=service.settings.embedding.batch_size, instance=service.id
            ),
            service.worker,
        )

    async def _claim(self, model: str) -> Sequence[Row]:
        service = self._service
        return await service.database.call(
            api.claim_unembedded(
                model=model, maximum=4 * service.settings.embedding.batch_size, instance=service.id
            ),
            service.worker,
        )


async def _embedded(
    rows: Sequence[Row], embedder: AsyncEmbedder, known: Mapping[bytes, NDArray[np.float32]]
) -> NDArray[np.float32]:
    """Returns the vectors of the claimed texts. Computes only vectors that do not come with
    Quartermaster.
    """
    texts = [row["embedding_text"] for row in rows if row["text_hash"] not in known]
    computed = iter(await embedder.embed(texts))
    return np.stack(
        [known[key] if (key := row["text_hash"]) in known else next(computed) for row in rows]
    )


def _rate(texts: int, started: float) -> float:
    return round(texts / max(monotonic() - started, 1e-9), 1)
