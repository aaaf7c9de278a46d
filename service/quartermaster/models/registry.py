"""Embedding models by name or folder."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path

from quartermaster.errors import QmError
from quartermaster.models.convert import DEFAULT_MODEL
from quartermaster.models.embedding_model import EmbeddingModel
from quartermaster.models.onnx_embedding import open_encoder

# Configurations of other programs name the default model with its publisher.
_PUBLISHER = "sentence-transformers/"


def load_embedding(
    name_or_dir: str | Path,
    runtime_dir: Path,
    threads: int = 1,
    dimension: int | None = None,
) -> EmbeddingModel:
    """Load an embedding model; nothing is fetched or converted.

    Args:
        name_or_dir: a name under `runtime_dir/models`, or any folder with model.onnx and
            tokenizer.json, given as a path with at least one separator.
        runtime_dir: where converted models lie.
        threads: texts encoded at a time by one call.
        dimension: what the caller's vectors have, where that is fixed.

    Raises:
        QmError: 404 model_not_found (the nearest names in the hint), 404 model_file_missing,
            422 model_unreadable, 422 dimension_mismatch.
    """
    model = open_encoder(_find_folder(name_or_dir, runtime_dir / "models"), threads)
    if dimension not in {None, model.dimension}:
        raise QmError(
            422,
            "dimension_mismatch",
            f"The model {model.name} gives {model.dimension} dimensions, not {dimension}.",
            f"Set the dimension to {model.dimension}, or name a model with {dimension}.",
        )
    return model


def _find_folder(name_or_dir: str | Path, models: Path) -> Path:
    named = str(name_or_dir).removeprefix(_PUBLISHER)
    is_path = isinstance(name_or_dir, Path) or Path(named).name != named
    folder = Path(named).expanduser() if is_path else models / named
    if folder.is_dir():
        return folder
    if named == DEFAULT_MODEL:
        raise QmError(
            404,
            "model_file_missing",
            f"The model {DEFAULT_MODEL} has not been converted yet: {folder} does not exist.",
            "Run `make setup` or `qm up`: both convert it.",
        )
    known = sorted({DEFAULT_MODEL, *(path.parent.name for path in models.glob("*/model.onnx"))})
    nearest = get_close_matches(named, known, n=3, cutoff=0.3) or known
    raise QmError(
        404,
        "model_not_found",
        f"There is no embedding model {str(name_or_dir)!r}.",
        f"Nearest: {', '.join(nearest)}. Or give the path of a folder with model.onnx and "
        "tokenizer.json.",
    )
