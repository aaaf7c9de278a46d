"""Learns to recognise goals that require something to be destroyed, from the names of the tools
that the goals need.

``python -m lab.training.destroying FOLDER MODEL`` prints the row for
search.destroying_goal (sql/seeds/search.sql).
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from lab.training.corpus import (
    CATALOG,
    GOALS,
    is_left_out,
    is_licensed,
    read_lines,
    words,
)
from quartermaster.eval.examples import Doubles
from quartermaster.eval.fitting import logistic
from quartermaster.models.embedding_model import EmbeddingModel
from quartermaster.models.registry import open_encoder

# The words in a tool's name that catalog.tool_destroys recognises.
DESTROYS_PATTERN: Final = re.compile(
    r"^drop\b|\b(?:delete|remove|clear|destroy|erase|purge|revoke|uninstall|kill|terminate"
    r"|truncate|prune|wipe|cancel|forget|expire)\b"
)
_OTHER_TOOLS: Final = 3500
_RIDGE: Final = 0.05
_SEED: Final = 5


def read_goals(folder: Path) -> list[tuple[str, bool]]:
    """Reads the train goals of the encoder, and whether each goal requires something to be
    destroyed.

    All goals that require this are returned, and a random part of the other goals.

    Args:
        folder: folder that contains a folder for each set.
    """
    tools = {tool["id"]: tool for tool in read_lines(folder / CATALOG / "tools.jsonl")}
    found: list[tuple[str, bool]] = []
    for goal in read_lines(folder / GOALS / "queries.jsonl"):
        if goal["split"] != "train" or len(goal["gold"]) > 1:
            continue
        tool = tools[goal["gold"][0]]
        if is_licensed(tool) and not is_left_out(tool["origin"]):
            name = words(tool["name"]).lower()
            found.append((goal["query"], DESTROYS_PATTERN.search(name) is not None))
    others = [goal for goal in found if not goal[1]]
    chosen = random.Random(_SEED).sample(others, min(_OTHER_TOOLS, len(others)))
    return [goal for goal in found if goal[1]] + chosen


def learn_weights(model: EmbeddingModel, goals: Sequence[tuple[str, bool]]) -> Doubles:
    """Learns the logistic weights of a goal's vector.

    Args:
        model: the encoder.
        goals: pairs of a goal and whether it requires something to be destroyed.

    Returns:
        The weights of the dimensions, followed by the intercept, rounded to a tenth.
    """
    vectors = model.embed([model.goal_text(text) for text, _ in goals]).astype(np.float64)
    target = np.array([destroys for _, destroys in goals], dtype=np.float64)
    line = logistic(vectors, target, np.ones(len(goals)), _RIDGE)
    return line.round(1) + 0.0


def main(arguments: Sequence[str]) -> None:
    """Prints the intercept and the weights."""
    parser = argparse.ArgumentParser(prog="python -m lab.training.destroying")
    parser.add_argument("folder", type=Path, help="folder that has a folder for each retrieval set")
    parser.add_argument("model", type=Path, help="folder with model.onnx")
    given = parser.parse_args(arguments)
    *weights, intercept = learn_weights(open_encoder(given.model), read_goals(given.folder))
    sys.stdout.write(f"{intercept:g}\n[{','.join(f'{weight:g}' for weight in weights)}]\n")


if __name__ == "__main__":
    main(sys.argv[1:])
