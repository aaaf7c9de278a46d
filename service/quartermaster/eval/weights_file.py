"""Weights of the learned score, as ``qm eval fit --output`` writes them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from quartermaster.eval.problems import bad_file, unreadable


@dataclass(frozen=True)
class Weights:
    """What was read.

    Attributes:
        path: of the file.
        model: embedding model with whose vectors they were learned.
        by_feature: the weight of each feature, and the intercept.
    """

    path: Path
    model: str
    by_feature: dict[str, float]


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    model: str
    weights: dict[str, float]


def read_weights(path: Path) -> Weights:
    """Reads a file of weights.

    Raises:
        QmError: QM404 file_not_found, QM422 evaluation_file_invalid.
    """
    try:
        read = _File.model_validate_json(path.read_bytes())
    except OSError as error:
        raise unreadable(path, error) from error
    except ValidationError as error:
        what = f"no weights: {error.errors()[0]['msg']}"
        raise bad_file(path, None, what, "qm eval fit --output writes such a file.") from error
    return Weights(path, read.model, read.weights)
