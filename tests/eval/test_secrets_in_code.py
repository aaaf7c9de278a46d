"""Secrets of known formats are found, and look-alikes are not taken for one."""

from __future__ import annotations

import random

import pytest

from tests.eval.secrets_in_code import KEYS, negatives, ours, positives


@pytest.mark.parametrize("seed", [7, 8])
def test_nearly_all_secrets_are_found_and_no_look_alike(seed: int):
    chance = random.Random(seed)
    cases = list(positives(chance))
    assert len(cases) >= 3 * len(KEYS)
    assert sum(map(ours, cases)) / len(cases) >= 0.95
    assert [case for case in negatives(chance) if ours(case)] == []
