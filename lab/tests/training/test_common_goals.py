"""What people often ask for: the centres of clusters of goals."""

from __future__ import annotations

import numpy as np
import pytest

from lab.training.common_goals import as_integers, find_centres


def test_each_cluster_has_its_centre():
    random = np.random.default_rng(2)
    goals = np.repeat(np.eye(3), 20, axis=0) + random.normal(0, 0.05, (60, 3))
    goals /= np.linalg.norm(goals, axis=1, keepdims=True)
    centres = find_centres(goals, clusters=6)
    assert np.linalg.norm(centres, axis=1) == pytest.approx(np.ones(6))
    assert {int(centre.argmax()) for centre in centres} == {0, 1, 2}
    assert centres.max(1).min() > 0.95


def test_integers_keep_the_direction():
    assert as_integers(np.array([0.05, -0.1, 0.0])).tolist() == [50, -99, 0]
