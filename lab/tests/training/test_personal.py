"""The training of what finds personal data."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from lab.training.personal import CAUTION, LEARNED_WINDOWS, cautious, lowered
from lab.training.regression import Regression
from quartermaster.guardrails.personal_features import read_tokens
from quartermaster.guardrails.personal_model import LABELS, unpacked
from quartermaster.guardrails.spans import Bytes

# A training of three steps; the real one takes minutes.
SMALL = """
import sys
from lab.training import personal
personal.STEPS, personal.FOLDS, personal.MASKED_WRONG = 3, 2, 1.0
personal.main(sys.argv[1:])
"""
ROWS = [
    {
        "result": f'{{"guest": "Edda Rauch", "dob": "197{n}-02-11", "tel": "07700 900 55{n}"}}',
        "instructions": [],
        "personal": [
            {"type": "birth_date", "text": f"197{n}-02-11"},
            {"type": "phone", "text": f"07700 900 55{n}"},
        ],
        "secrets": [],
    }
    for n in range(6)
]


@pytest.fixture
def results(tmp_path: Path) -> Path:
    file = tmp_path / "train.jsonl"
    file.write_text("\n".join(json.dumps(row) for row in ROWS), encoding="utf-8")
    return file


def trained(results: Path, made: int, hash_seed: int) -> bytes:
    output = results.with_name(f"{made}-{hash_seed}.safetensors")
    arguments = [str(results), "--output", str(output), "--made", str(made)]
    subprocess.run(
        [sys.executable, "-c", SMALL, *arguments],
        check=True,
        capture_output=True,
        env=os.environ | {"PYTHONHASHSEED": str(hash_seed)},
    )
    return output.read_bytes()


def test_the_same_training_writes_the_same_file(results: Path):
    once = trained(results, made=12, hash_seed=1)
    assert trained(results, made=12, hash_seed=2) == once
    assert trained(results, made=13, hash_seed=1) != once


def test_more_of_a_text_is_learned_from_than_is_searched():
    text = Bytes(
        "The room has 1200 seats. " * 20 + "write to edda.rauch@letters.example " + "x " * 200
    )
    searched = sum(len(tokens.parts) for tokens in read_tokens(text))
    assert 0 < searched < sum(len(tokens.parts) for tokens in read_tokens(text, LEARNED_WINDOWS))


def test_caution_lowers_each_type_but_not_nothing(results: Path):
    model = unpacked(trained(results, made=12, hash_seed=1))
    by = cautious(model).constant - model.constant
    assert by == pytest.approx([0.0, *[-CAUTION] * (len(LABELS) - 1)])
    clauses = lowered(model, 1.5).judgement - model.judgement
    assert clauses == pytest.approx([-1.5, *[0.0] * (len(model.judgement) - 1)])


def test_the_weights_have_the_lowest_loss():
    buckets = np.array([[0, 2], [0, 3], [1, 2], [1, 3], [1, 3]], np.uint32)
    labels = np.array([0, 1, 2, 1, 2])
    weights = np.array([1.0, 2.0, 1.0, 1.0, 3.0])
    found, constant = Regression(buckets, labels, weights, (4, 3), 0.5).fit(60)

    def loss(found: np.ndarray, constant: np.ndarray) -> float:
        scores = found[buckets].sum(axis=1) + constant
        misses = np.log(np.exp(scores).sum(axis=1)) - scores[np.arange(5), labels]
        return float((weights * misses).sum() + 0.25 * (found**2).sum())

    lowest = loss(found, constant)
    for seed in range(40):
        rng = np.random.default_rng(seed)
        for step in (0.003, 0.1):
            there = found + rng.normal(0, step, (4, 3))
            assert loss(there, constant + rng.normal(0, step, 3)) > lowest
