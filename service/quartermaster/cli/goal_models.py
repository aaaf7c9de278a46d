"""Loads models for commands that embed texts themselves, because they measure a database directly,
or add notes to a database.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from quartermaster import api
from quartermaster.cli.command import Command
from quartermaster.core.errors import QmError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from quartermaster.guardrails.instruction_model import Encode
    from quartermaster.models.embedding_model import EmbeddingModel


def embed_goals(qm: Command, goals: Sequence[str]) -> list[str | None]:
    """Returns the vectors of goals in PostgreSQL's notation; None for each goal if the database has
    to embed the goals.

    Args:
        qm: command whose database is searched and whose settings say how to load models.
        goals: goals in plain words.

    Raises:
        QmError: any error of `open_embedding` except a missing model.
    """
    model = active_model(qm)
    if model is None:
        return [None] * len(goals)
    vectors = (model.embed(model.goal_texts(goal)).ravel() for goal in goals)
    return [_literal(vector) for vector in vectors]


def _literal(vector: NDArray[np.float32]) -> str:
    return f"[{','.join(map(str, vector.tolist()))}]"


def active_model(qm: Command) -> EmbeddingModel | None:
    """Returns the active model. Returns None if this machine does not have the model, under its own
    name or under the name in the settings.
    """
    from quartermaster.models.registry import open_embedding

    active: str | None = qm.call_value(api.status())["model"]
    if active is None:
        return None
    options = qm.settings().embedding
    for source in dict.fromkeys((active, options.model)):
        try:
            model = open_embedding(options.model_copy(update={"model": source}), *qm.model_places())
        except QmError as error:
            if error.slug not in {"model_file_missing", "model_not_found"}:
                raise
            continue
        if model.name == active:
            return model
    return None


def instruction_encoder(qm: Command) -> Encode | None:
    """Returns the encoder that helps the guardrails to find instructions to agents; None if this
    machine does not have the encoder.
    """
    from quartermaster.guardrails.instruction_model import ENCODER
    from quartermaster.models.registry import load_embedding

    runtime_dir, _ = qm.model_places()
    try:
        return load_embedding(ENCODER, runtime_dir).embed
    except QmError as error:
        if error.slug not in {"model_file_missing", "model_not_found"}:
            raise
        return None
