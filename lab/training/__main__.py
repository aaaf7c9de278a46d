"""``python -m lab.training FOLDER``: trains the embedding model.

First, the upper layers of the published model learn which tools goals need. This model and two
larger encoders, whose upper layers learn the same, are the teacher. Then all layers learn what it
says, in two rounds. In each, two pupils start as the model so far, and the mean of their weights is
the next model.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from lab.training import stages
from lab.training.corpus import read_corpus
from lab.training.mpnet import fetch_mpnet
from lab.training.parallel_tasks import run_together
from lab.training.stages import RUNS, StagePaths
from quartermaster.core.logs import configure, get_logger
from quartermaster.models.published_weights import fetch_weights


def train(place: StagePaths, threads: int) -> Path:
    """Runs what remains of the stages.

    Args:
        place: what the stages read, and where they write.
        threads: number of CPU threads.

    Returns:
        The file with the weights.
    """
    for fetch, folder in ((fetch_weights, place.published), (fetch_mpnet, place.mpnet)):
        if not (folder / "tokenizer.json").is_file():
            folder.mkdir(parents=True, exist_ok=True)
            fetch(folder)
    stage = partial(run_together, threads=threads)
    stage([partial(stages.learn_labels, place), partial(stages.read_with_mpnet, place)])
    stage([partial(stages.read_with_model, place, 0)])
    stage([partial(stages.learn_larger, place, number) for number in range(RUNS)])
    for round_ in range(len(place.pupils)):
        stage([partial(stages.read_with_model, place, round_)])
        stage([partial(stages.learn_from_teacher, place, round_, n) for n in range(RUNS)])
        stages.average(place, round_)
    return place.weights(len(place.pupils))


def main(arguments: Sequence[str]) -> None:
    """Trains and writes the weights, and the ids of the goals that they were trained on."""
    parser = argparse.ArgumentParser(prog="python -m lab.training")
    parser.add_argument("folder", type=Path, help="folder that has a folder for each retrieval set")
    parser.add_argument(
        "questions", type=Path, help="file with questions to the experts (JSON Lines)"
    )
    parser.add_argument("--output", type=Path, required=True, help="safetensors file to write")
    parser.add_argument(
        "--work",
        type=Path,
        default=Path("build/training"),
        help="folder for the training state, from which an interrupted training run continues",
    )
    parser.add_argument(
        "--steps",
        type=int,
        nargs=4,
        default=[plan.steps for plan in (stages.LABELS, stages.LARGER_SCHEDULE, *stages.PUPILS)],
        help="number of steps of the first stage, of the larger encoders and of each round",
    )
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args(arguments)
    configure("info", json=False)
    place = StagePaths(given.folder, given.questions, given.work, **stages.plans(given.steps))
    shutil.copyfile(train(place, given.threads), given.output)
    sets = read_corpus(given.folder, longest=None).items()
    lines = [f"{name}\t{goal.key}\n" for name, one in sets for goal in one.goals]
    given.output.with_suffix(".ids").write_text("".join(lines), encoding="utf-8")
    get_logger(part="training").info(f"written: {given.output}")


if __name__ == "__main__":
    main(sys.argv[1:])
