"""Reads the weights that ``qm eval fit`` and ``qm eval calibrate`` wrote."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from quartermaster.eval.evaluation_files import bad_file, read_bytes


class WeightsFile(BaseModel):
    """Weights of the learned score and of its probability, as written by ``qm eval fit --output``
    and ``qm eval calibrate --output``. If a part is None, the shipped weights of that part are
    used. If only the weights of the score are given, they are also used for large catalogs. There
    is then no probability, because the shipped probability was learned with other weights.
    """

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    model: str
    weights: dict[str, float] | None = None
    confidence: dict[str, float] | None = None
    large: dict[str, float] | None = None


def read_weights(path: Path) -> WeightsFile:
    """Reads a file of weights.

    Raises:
        QmError: QM404 file_not_found, QM422 evaluation_file_invalid.
    """
    try:
        return WeightsFile.model_validate_json(read_bytes(path))
    except ValidationError as error:
        what = f"the file contains no valid weights: {error.errors()[0]['msg']}"
        raise bad_file(path, None, what, "qm eval fit --output writes such a file.") from error
