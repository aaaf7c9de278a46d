"""The models as qm doctor shows them."""

from __future__ import annotations

from pathlib import Path

from quartermaster.models.trial import ModelTrial, try_models
from quartermaster.secrets.store import SecretStore
from quartermaster.settings.sections import EmbeddingSettings, RerankerSettings
from quartermaster.settings.settings import Settings
from tests.support.cross_encoder import write_tiny_cross_encoder


def trials(settings: Settings, folder: Path) -> list[ModelTrial]:
    return try_models(settings, folder, SecretStore(folder))


def test_models_that_work_show_device_and_time(tiny_dir: Path, tmp_path: Path) -> None:
    judge = write_tiny_cross_encoder(tmp_path / "judge")
    first, second = trials(
        Settings(
            embedding=EmbeddingSettings(model=str(tiny_dir)),
            reranker=RerankerSettings(provider="onnx_local", model=str(judge), device="cpu"),
        ),
        tmp_path,
    )
    assert (first.use, first.provider, first.model) == ("embedding", "onnx_local", str(tiny_dir))
    assert (second.use, second.device, second.problem) == ("reranker", "cpu", None)
    assert first.milliseconds is not None
    assert second.milliseconds is not None


def test_no_reranker_is_no_problem(tiny_dir: Path, tmp_path: Path) -> None:
    _, second = trials(Settings(embedding=EmbeddingSettings(model=str(tiny_dir))), tmp_path)
    assert second == ModelTrial("reranker", "none", None)


def test_a_model_that_is_missing_says_what_to_do(tmp_path: Path) -> None:
    first, second = trials(
        Settings(
            embedding=EmbeddingSettings(model="nowhere"),
            reranker=RerankerSettings(provider="onnx_local", model="nobody"),
        ),
        tmp_path,
    )
    assert first.problem
    assert "no embedding model 'nowhere'" in first.problem
    assert second.problem
    assert "no reranker 'nobody'" in second.problem
    assert (first.device, second.device) == (None, None)
