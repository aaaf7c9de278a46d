"""Vectors and reranking of a goal, for commands that search the database directly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from quartermaster.cli.command import Command
from quartermaster.cli.session import Row
from quartermaster.core.errors import QmError

if TYPE_CHECKING:
    from quartermaster.models.embedding_model import EmbeddingModel


def embed_goal(qm: Command, goal: str) -> str | None:
    """Vector of the goal as PostgreSQL writes it; None where the database has to embed.

    Args:
        qm: of the database that is searched, and the settings that say how models are loaded.
        goal: in plain words.

    Raises:
        QmError: see `embed_goals`.
    """
    return embed_goals(qm, [goal])[0]


def embed_goals(qm: Command, goals: Sequence[str]) -> list[str | None]:
    """Vectors of goals as PostgreSQL writes them; None where the database has to embed.

    Args:
        qm: as for `embed_goal`.
        goals: in plain words.

    Raises:
        QmError: those of `open_embedding`, except for a missing model.
    """
    model = _active_model(qm)
    if model is None:
        return [None] * len(goals)
    # Found only once the package of models is imported.
    from quartermaster_db.sentences import goal_parts

    vectors = (
        model.embed([model.query_prefix + part for part in goal_parts(goal)]).ravel()
        for goal in goals
    )
    return [f"[{','.join(map(str, vector.tolist()))}]" for vector in vectors]


def _active_model(qm: Command) -> EmbeddingModel | None:
    """The active model, if it is on this machine under its name or that of the settings."""
    from quartermaster.models.registry import open_embedding

    active: str | None = qm.call_value("status")["model"]
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


def rerank(qm: Command, asked: Row) -> dict[str, object] | None:
    """Scores of the first candidates by the reranker of the settings; None without a reranker.

    Args:
        qm: as for `embed_goal`.
        asked: arguments of api.rerank_candidates: goal, mode, query_vector.

    Raises:
        QmError: those of `open_reranker` and api.rerank_candidates.
    """
    options = qm.settings().reranker
    if options.provider == "none":
        return None
    from quartermaster.models.registry import open_reranker

    model = open_reranker(options, *qm.model_places())
    rows = qm.call("rerank_candidates", **asked)
    if model is None or not rows:
        return None
    scores = model.score(asked["goal"], [row["text"] for row in rows]).tolist()
    known = {str(row["card_id"]): score for row, score in zip(rows, scores, strict=True)}
    return {"model": model.name, "scores": known}
