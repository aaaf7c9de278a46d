"""The embedding models that the database knows, and how this process loads them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from anyio import to_thread

from quartermaster.db import Database, Principal, Row
from quartermaster.models.embedding_model import EmbeddingModel
from quartermaster.models.registry import open_embedding
from quartermaster.secrets.store import SecretStore
from quartermaster.settings.models import Embedding


@dataclass(frozen=True)
class RegisteredModels:
    """The embedding models of the database. The database says which is active; the settings name
    the first.

    Attributes:
        database: knows the models.
        worker: principal of the service's own work.
        options: section `embedding`; everything but the model holds for each of them.
        runtime_dir: where models lie by name.
        secrets: holds the key of a server.
    """

    database: Database
    worker: Principal
    options: Embedding
    runtime_dir: Path
    secrets: SecretStore

    async def list(self) -> list[Row]:
        """name, dimension, active, source; the active one first."""
        return await self.database.call("list_models", self.worker, counted=False)

    async def load(self, source: str) -> EmbeddingModel:
        """Loads a model by its source.

        Raises:
            QmError: those of `open_embedding`.
        """
        options = self.options.model_copy(update={"model": source})
        return await to_thread.run_sync(open_embedding, options, self.runtime_dir, self.secrets)

    async def load_active(self) -> EmbeddingModel:
        """Registers the model of the settings, and loads the active one.

        The model of the settings answers where none does yet. Beside another one it is embedded
        for, until somebody switches to it.

        Raises:
            QmError: those of `open_embedding`; QM409 model_conflict.
        """
        source = self.options.model
        active = next((row for row in await self.list() if row["active"]), None)
        if active is not None and active["source"] == source:
            return await self.load(source)
        model = await self.load(source)
        await self.database.call(
            "put_model", self.worker, name=model.name, dimension=model.dimension, source=source
        )
        if active is None or active["name"] == model.name:
            return model
        return await self.load(active["source"])
