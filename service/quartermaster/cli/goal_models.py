"""Vectors and reranking of a goal, for commands that search the database directly."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from quartermaster.cli.session import Session
from quartermaster.core import paths
from quartermaster.core.errors import QmError
from quartermaster.secrets.store import SecretStore

if TYPE_CHECKING:
    from quartermaster.models.embedding_model import EmbeddingModel


def embed_goal(session: Session, goal: str, data_dir: Path | None) -> str | None:
    """Vector of the goal as PostgreSQL writes it; None where the database has to embed.

    Args:
        session: of the database that is searched.
        goal: in plain words.
        data_dir: whose settings say how models are loaded.

    Raises:
        QmError: see `embed_goals`.
    """
    return embed_goals(session, [goal], data_dir)[0]


def embed_goals(session: Session, goals: Sequence[str], data_dir: Path | None) -> list[str | None]:
    """Vectors of goals as PostgreSQL writes them; None where the database has to embed.

    Args:
        session: of the database that is searched.
        goals: in plain words.
        data_dir: whose settings say how models are loaded.

    Raises:
        QmError: those of `open_embedding`, except for a missing model.
    """
    model = _active_model(session, data_dir)
    if model is None:
        return [None] * len(goals)
    # Found only once the package of models is imported.
    from quartermaster_db.sentences import goal_parts

    vectors = (
        model.embed([model.query_prefix + part for part in goal_parts(goal)]).ravel()
        for goal in goals
    )
    return [f"[{','.join(map(str, vector.tolist()))}]" for vector in vectors]


def _active_model(session: Session, data_dir: Path | None) -> EmbeddingModel | None:
    """The active model, if it is on this machine under its name or that of the settings."""
    from quartermaster.models.registry import open_embedding
    from quartermaster.settings import load

    active: str | None = session.call_value("status")["model"]
    if active is None:
        return None
    folder = paths.data_dir(data_dir)
    options = load(folder).embedding
    for source in dict.fromkeys((active, options.model)):
        try:
            model = open_embedding(
                options.model_copy(update={"model": source}),
                paths.runtime_dir(folder),
                SecretStore(folder),
            )
        except QmError as error:
            if error.slug not in {"model_file_missing", "model_not_found"}:
                raise
            continue
        if model.name == active:
            return model
    return None


def rerank(
    session: Session,
    goal: str,
    mode: str,
    vector: str | None,
    data_dir: Path | None,
    kinds: Sequence[str] = ("tool",),
) -> dict[str, object] | None:
    """Scores of the first candidates by the reranker of the settings; None without a reranker.

    Args:
        session: of the database that is searched.
        goal: in plain words.
        mode: sets the number of candidates.
        vector: of the goal.
        data_dir: whose settings name the model.
        kinds: of cards.

    Raises:
        QmError: those of `open_reranker` and api.rerank_candidates.
    """
    from quartermaster.settings import load

    folder = paths.data_dir(data_dir)
    options = load(folder).reranker
    if options.provider == "none":
        return None
    from quartermaster.models.registry import open_reranker

    model = open_reranker(options, paths.runtime_dir(folder), SecretStore(folder))
    rows = session.call(
        "rerank_candidates", goal=goal, mode=mode, kinds=list(kinds), query_vector=vector
    )
    if model is None or not rows:
        return None
    scores = model.score(goal, [row["text"] for row in rows]).tolist()
    known = {str(row["card_id"]): score for row, score in zip(rows, scores, strict=True)}
    return {"model": model.name, "scores": known}
