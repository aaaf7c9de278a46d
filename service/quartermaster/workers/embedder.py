"""Gives every text of a card its vector, in the background."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic
from typing import Final, NoReturn

import anyio
import numpy as np
from numpy.typing import NDArray

from quartermaster.db import Row
from quartermaster.errors import QmError
from quartermaster.logs import get_logger
from quartermaster.service import Service
from quartermaster.workers.wakeup import Wakeup

_POLL_S: Final = 10.0
_REPORT_S: Final = 30.0
_FIRST_BACKOFF_S: Final = 0.5
_LAST_BACKOFF_S: Final = 30.0

log = get_logger(part="embedder")


class EmbeddingWorker:
    """Embeds the texts that have no vector of the active model yet.

    Queries come first: the shared embedder takes them between two parts of a batch.

    Args:
        service: what it works with; `settings.embedding.batch_size` is a quarter of what is taken
            from the database at a time.
    """

    def __init__(self, service: Service) -> None:
        self._service = service
        self._wakeup = Wakeup()

    def wake(self) -> None:
        """Looks for texts now."""
        self._wakeup.ring()

    async def run(self) -> NoReturn:
        """Works until cancelled, however often the database goes away."""
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
                # A text that the model cannot bear must not end the process.
                log.exception("embedding_crashed", again_in_s=backoff_s)
            await anyio.sleep(backoff_s)
            backoff_s = min(2 * backoff_s, _LAST_BACKOFF_S)

    async def _embed_all(self) -> None:
        started = reported = monotonic()
        texts = 0
        while rows := await self._claim():
            vectors = await self._service.embedder.embed([row["embedding_text"] for row in rows])
            await self._store(rows, vectors)
            texts += len(rows)
            if monotonic() - reported > _REPORT_S:
                reported = monotonic()
                log.info("embedding", texts=texts, texts_per_s=_rate(texts, started))
        if texts:
            log.info("embedded", texts=texts, texts_per_s=_rate(texts, started))

    async def _claim(self) -> list[Row]:
        service = self._service
        return await service.database.call(
            "claim_unembedded",
            service.worker,
            model=service.embedder.model.name,
            maximum=4 * service.settings.embedding.batch_size,
            instance=service.id,
        )

    async def _store(self, rows: Sequence[Row], vectors: NDArray[np.float32]) -> None:
        service = self._service
        await service.database.call(
            "store_embeddings",
            service.worker,
            model=service.embedder.model.name,
            kinds=[row["kind"] for row in rows],
            text_hashes=[row["text_hash"] for row in rows],
            vectors=[_literal(vector) for vector in vectors.tolist()],
        )


def _literal(vector: Sequence[float]) -> str:
    # Nine digits hold a 32-bit float exactly.
    return f"[{','.join(f'{number:.9g}' for number in vector)}]"


def _rate(texts: int, started: float) -> float:
    return round(texts / max(monotonic() - started, 1e-9), 1)
