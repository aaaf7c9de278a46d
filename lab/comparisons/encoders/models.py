"""The encoders to measure: shipped ones by name, others by folder or by file of trained tensors."""

from __future__ import annotations

import shutil
from hashlib import sha256
from pathlib import Path

from quartermaster.eval.remembered import RememberedModel, memory_file
from quartermaster.models.convert import TRAINED_LAYERS, convert_model
from quartermaster.models.published_weights import fetch_weights
from quartermaster.models.quantise import write_model
from quartermaster.models.registry import open_encoder


def open_remembered(name: str, work: Path, threads: int) -> RememberedModel:
    """Returns an encoder that keeps its vectors from run to run.

    Args:
        name: of a model of `convert_model`; a folder with model.onnx; or safetensors, as training
            writes them, to lay over the published weights.
        work: keeps what is made.
        threads: texts encoded at a time.
    """
    model = open_encoder(_folder(name, work), threads)
    return RememberedModel(model, memory_file(work / "vectors", model))


def _folder(name: str, work: Path) -> Path:
    if name in TRAINED_LAYERS:
        return convert_model(work, name)
    if Path(name).is_dir():
        return Path(name)
    digest = sha256(Path(name).read_bytes()).hexdigest()[:12]
    made = work / "made" / f"{Path(name).stem}-{digest}"
    if not (made / "model.onnx").is_file():
        published = work / "published"
        if not (published / "config.json").is_file():
            published.mkdir(parents=True, exist_ok=True)
            fetch_weights(published)
        made.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(published / "tokenizer.json", made / "tokenizer.json")
        partial = made / "partial.onnx"
        write_model(published, Path(name), partial, "int8", lambda _message, _share: None)
        partial.replace(made / "model.onnx")
    return made
