"""The embedding models that are registered in the database, and how this process loads them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from anyio import to_thread

from quartermaster import api
from quartermaster.db import Database, Principal, Row
from quartermaster.models.embedding_model import EmbeddingModel
from quartermaster.models.registry import open_embedding
from quartermaster.secrets.store import SecretStore
from quartermaster.settings.sections import EmbeddingSettings


@dataclass(frozen=True)
class RegisteredModels:
    """The embedding models in the database. The database records which model is active; the
    settings name the first model.

    Attributes:
        database: the database in which the models are registered.
        worker: the principal that the service uses for its own work.
        options: section `embedding`; everything except the model applies to all models.
        runtime_dir: the runtime directory, in which models are stored by name.
        secrets: the secret store with the server's key.
    """

    database: Database
    worker: Principal
    options: EmbeddingSettings
    runtime_dir: Path
    secrets: SecretStore

    async def list(self) -> Sequence[Row]:
        """Returns the members name, dimension, active and source of each model, the active model
        first.
        """
        return await self.database.call(api.list_models(counted=False), self.worker)

    async def load(self, source: str) -> EmbeddingModel:
        """Loads a model by its source.

        Raises:
            QmError: the errors of `open_embedding`.
        """
        options = self.options.model_copy(update={"model": source})
        return await to_thread.run_sync(open_embedding, options, self.runtime_dir, self.secrets)

    async def load_active(self) -> EmbeddingModel:
        """Registers the model in the settings, and loads the active model.

        The model in the settings becomes active if there is no active model yet. Otherwise, if it
        is not the active model, texts are also embedded with it in the background, so that an
        administrator can switch to it.

        Raises:
            QmError: the errors of `open_embedding`; QM409 model_conflict.
        """
        source = self.options.model
        active = next((row for row in await self.list() if row["active"]), None)
        if active is not None and active["source"] == source:
            return await self.load(source)
        model = await self.load(source)
        await self.database.call(
            api.put_model(name=model.name, dimension=model.dimension, source=source), self.worker
        )
        if active is None or active["name"] == model.name:
            return model
        return await self.load(active["source"])
