"""What a model folder must hold and may say about itself."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

REQUIRED_FILES = ("model.onnx", "tokenizer.json")
POOLINGS = ("mean", "cls")
DEFAULT_MAX_TOKENS = 256


class ModelError(Exception):
    """A model that cannot be used.

    Args:
        status: HTTP status.
        slug: stable name of the broken rule.
        message: what is wrong, with the folder.
        hint: the caller's next step.
    """

    def __init__(self, status: int, slug: str, message: str, hint: str) -> None:
        super().__init__(message)
        self.status = status
        self.slug = slug
        self.message = message
        self.hint = hint


@dataclass(frozen=True)
class ModelDescription:
    """The description of a model, known before its graph is opened.

    Attributes:
        name: as stated, else the folder's name.
        dimension: numbers in a vector, None when nothing says so.
        max_tokens: word pieces read of a text, with the two that mark its ends.
        pooling: how token vectors become one: mean or cls.
        query_prefix, passage_prefix: what belongs before a goal and before a text of the catalog,
            such as `query: ` and `passage: `.
    """

    name: str
    dimension: int | None
    max_tokens: int
    pooling: str
    query_prefix: str
    passage_prefix: str


def describe_model(folder: Path, what: str) -> ModelDescription:
    """Read model.json, else config.json (`hidden_size`, `max_position_embeddings`), else defaults.

    Args:
        folder: the model's.
        what: the kind of model that belongs there, for messages.

    Raises:
        ModelError: 404 model_file_missing, 422 model_unreadable.
    """
    for file in REQUIRED_FILES:
        if not (folder / file).is_file():
            raise ModelError(
                404,
                "model_file_missing",
                f"The model folder {folder} has no {file}.",
                f"It has to hold {' and '.join(REQUIRED_FILES)}: add them, or name another model.",
            )
    own, published = (_read_object(folder / name, what) for name in ("model.json", "config.json"))
    try:
        dimension = own.get("dimension", published.get("hidden_size"))
        positions = int(published.get("max_position_embeddings", DEFAULT_MAX_TOKENS))
        found = ModelDescription(
            name=str(own.get("name", folder.name)),
            dimension=None if dimension is None else int(dimension),
            max_tokens=int(own.get("max_tokens", min(positions, DEFAULT_MAX_TOKENS))),
            pooling=str(own.get("pooling", published.get("pooling", POOLINGS[0]))),
            query_prefix=str(own.get("query_prefix", "")),
            passage_prefix=str(own.get("passage_prefix", "")),
        )
    except (TypeError, ValueError) as error:
        raise unreadable(folder, f"its description holds a wrong value: {error}", what) from error
    if found.pooling not in POOLINGS:
        known = " or ".join(POOLINGS)
        raise unreadable(folder, f"pooling is {found.pooling!r}, not {known}", what)
    return found


def unreadable(folder: Path, reason: str, what: str) -> ModelError:
    """The error for a folder whose files are there but are not a usable model.

    Args:
        folder: the model's.
        reason: what is wrong with it.
        what: the kind of model that belongs there.
    """
    return ModelError(
        422,
        "model_unreadable",
        f"The model in {folder} cannot be used: {reason}",
        f"Put an ONNX {what} with its tokenizer.json there, or name another model.",
    )


def _read_object(path: Path, what: str) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        found: object = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise unreadable(path.parent, f"{path.name} is not JSON: {error}", what) from error
    if not isinstance(found, dict):
        raise unreadable(path.parent, f"{path.name} is not a JSON object", what)
    return cast("dict[str, Any]", found)
