"""The required files in a model folder, and the description that it may contain."""

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
        status: HTTP status code.
        slug: stable name of the error.
        message: what is wrong, including the folder's path.
        hint: what the caller can do next.
    """

    def __init__(self, status: int, slug: str, message: str, hint: str) -> None:
        super().__init__(message)
        self.status = status
        self.slug = slug
        self.message = message
        self.hint = hint


@dataclass(frozen=True)
class ModelDescription:
    """The facts about a model that are read before its graph is opened.

    Attributes:
        name: the name in the description, or the folder's name if the description has none.
        dimension: length of a vector; None if no file states it.
        max_tokens: largest number of word pieces that the model reads from a text, including the
            two that mark its start and end.
        pooling: how token vectors are combined into one vector: mean or cls.
        query_prefix, passage_prefix: prefixes for a goal and for a text from the catalog, such as
            `query: ` and `passage: `.
        language: the only language that the model reads, such as `en`; empty: it is not known.
    """

    name: str
    dimension: int | None
    max_tokens: int
    pooling: str
    query_prefix: str
    passage_prefix: str
    language: str


def describe_model(folder: Path, what: str) -> ModelDescription:
    """Reads a model's description from model.json, then config.json, then defaults.

    Args:
        folder: the model folder.
        what: the expected kind of model, for error messages.

    Raises:
        ModelError: 404 model_file_missing, 422 model_unreadable.
    """
    for file in REQUIRED_FILES:
        if not (folder / file).is_file():
            raise ModelError(
                404,
                "model_file_missing",
                f"The model folder {folder} has no {file}.",
                f"Add {' and '.join(REQUIRED_FILES)} to the folder, or choose another model.",
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
            language=str(own.get("language", "")),
        )
    except (TypeError, ValueError) as error:
        raise unreadable(folder, f"the description has an invalid value: {error}", what) from error
    if found.pooling not in POOLINGS:
        known = " or ".join(POOLINGS)
        raise unreadable(folder, f"pooling is {found.pooling!r}, not {known}", what)
    return found


def unreadable(folder: Path, reason: str, what: str) -> ModelError:
    """Returns the error for a folder that has the required files, but no usable model.

    Args:
        folder: the model folder.
        reason: why the model cannot be used.
        what: the expected kind of model.
    """
    return ModelError(
        422,
        "model_unreadable",
        f"The model in {folder} cannot be used: {reason}",
        f"Put an ONNX {what} and its tokenizer.json there, or choose another model.",
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
