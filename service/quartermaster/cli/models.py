"""What models say of a goal, for commands that ask the database themselves."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from quartermaster import paths
from quartermaster.cli.session import Session
from quartermaster.errors import QmError
from quartermaster.secret_store import SecretStore


def embed_goal(goal: str, data_dir: Path | None) -> str | None:
    """Vector of the goal as PostgreSQL writes it; None where the database has to embed.

    Args:
        goal: in plain words.
        data_dir: whose settings name the model.

    Raises:
        QmError: see `embed_goals`.
    """
    return embed_goals([goal], data_dir)[0]


def embed_goals(goals: Sequence[str], data_dir: Path | None) -> list[str | None]:
    """Vectors of goals as PostgreSQL writes them; None where the database has to embed.

    Args:
        goals: in plain words.
        data_dir: whose settings name the model.

    Raises:
        QmError: those of `open_embedding`, but for a model that is not there.
    """
    folder = paths.data_dir(data_dir)
    from quartermaster.models.registry import open_embedding
    from quartermaster.settings import load
    from quartermaster_db.sentences import goal_parts

    try:
        model = open_embedding(
            load(folder).embedding, paths.runtime_dir(folder), SecretStore(folder)
        )
    except QmError as error:
        if error.slug not in {"model_file_missing", "model_not_found"}:
            raise
        return [None] * len(goals)
    vectors = (
        model.embed([model.query_prefix + part for part in goal_parts(goal)]).ravel()
        for goal in goals
    )
    return [f"[{','.join(map(str, vector.tolist()))}]" for vector in vectors]


def rerank(
    session: Session, goal: str, mode: str, vector: str | None, data_dir: Path | None
) -> dict[str, object] | None:
    """What the reranker of the settings says of the first candidates; None without a reranker.

    Args:
        session: on the database that has the candidates.
        goal: in plain words.
        mode: says how many are read.
        vector: of the goal.
        data_dir: whose settings name the model.

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
    rows = session.call("rerank_candidates", goal=goal, mode=mode, query_vector=vector)
    if model is None or not rows:
        return None
    scores = model.score(goal, [row["text"] for row in rows]).tolist()
    known = {str(row["card_id"]): score for row, score in zip(rows, scores, strict=True)}
    return {"model": model.name, "scores": known}
