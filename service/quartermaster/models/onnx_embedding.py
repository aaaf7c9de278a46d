"""Opens an encoder for the service: its errors become the service's."""

from __future__ import annotations

from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from quartermaster.errors import QmError
from quartermaster_db.embedding import Encoder
from quartermaster_db.model_folder import ModelError

if TYPE_CHECKING:
    from quartermaster.models.embedding_model import EmbeddingModel

# A query, a tool's description and a text cut at the limit: the lengths that come up.
_WARM_UP_WORDS = (8, 60, 400)


def open_encoder(model_dir: Path, threads: int = 1) -> Encoder:
    """Load the encoder of a folder.

    Args:
        model_dir: the folder, see `quartermaster_db.embedding.Encoder`.
        threads: texts encoded at a time by one call.

    Raises:
        QmError: 404 model_file_missing, 422 model_unreadable, 422 dimension_mismatch.
    """
    try:
        return Encoder(model_dir, threads)
    except ModelError as error:
        raise QmError(error.status, error.slug, error.message, error.hint) from error


def warm_up(model: EmbeddingModel, seconds: float = 1.0) -> float:
    """Encode short and long texts, so that the first request does not meet cold memory.

    Args:
        model: the model.
        seconds: no further text is begun after this time.

    Returns:
        Seconds that it took.
    """
    begun = monotonic()
    for words in _WARM_UP_WORDS:
        if monotonic() - begun >= seconds:
            break
        model.embed(["word " * words])
    return monotonic() - begun
