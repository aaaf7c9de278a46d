"""``python -m quartermaster.training FOLDER``: trains the upper layers of the embedding model."""

from __future__ import annotations

import argparse
import os
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from time import monotonic
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from quartermaster.core.logs import configure, get_logger
from quartermaster.models.published_weights import fetch_weights
from quartermaster.training.batches import SIZE, Batches
from quartermaster.training.corpus import GOALS, read_corpus
from quartermaster.training.lower_layers import FROZEN, LowerLayers
from quartermaster.training.near_misses import mine
from quartermaster.training.upper_layers import UpperLayers

LAYERS: Final = 6
STEPS: Final = 1200
# The rate falls to zero over this last share of the steps.
FALLING: Final = 0.4
# After this number of steps, near misses are determined again with the model trained so far.
MINED_AFTER: Final = 600
RATE: Final = 6e-5
WARM_UP: Final = 20
TEMPERATURE: Final = 0.05
SEED: Final = 1
_KEPT_EVERY: Final = 100
_SAID_EVERY: Final = 25


class Training:
    """A run that can be interrupted.

    Args:
        folder: folder with the retrieval sets, each in its own folder.
        work: folder for the published weights and the state of the run.
        steps: number of steps in the whole run.
        threads: number of CPU threads.
    """

    def __init__(self, folder: Path, work: Path, steps: int, threads: int) -> None:
        torch.manual_seed(SEED)
        torch.set_num_threads(threads)
        self._sets = read_corpus(folder)
        self._batches = Batches(self._sets, SEED)
        published = work / "published"
        if not (published / "config.json").is_file():
            published.mkdir(parents=True, exist_ok=True)
            fetch_weights(published)
        self._lower = LowerLayers(published, threads)
        self.upper = UpperLayers(published / "model.safetensors", FROZEN, LAYERS - FROZEN)
        self._optimiser = torch.optim.AdamW(self.upper.parameters(), lr=RATE, weight_decay=0.01)
        self._steps, self._done = steps, 0
        self._work, self._stand = work, work / "stand.pt"
        if self._stand.is_file():
            self._resume()

    def run(self) -> None:
        """Run the remaining steps."""
        losses: defaultdict[str, list[float]] = defaultdict(list)
        begun, first = monotonic(), self._done
        self.upper.train()
        while self._done < self._steps:
            if self._done == MINED_AFTER:
                self._mine()
            name, loss = self._step()
            losses[name].append(loss)
            self._done += 1
            if self._done % _SAID_EVERY == 0:
                means = ", ".join(f"{name} {fmean(some[-8:]):.2f}" for name, some in losses.items())
                pace = (monotonic() - begun) / (self._done - first)
                _say(f"step {self._done} of {self._steps}, {pace:.1f} s each, loss: {means}")
            if self._done % _KEPT_EVERY == 0:
                self._keep()

    def write_ids(self, file: Path) -> None:
        """Write the set and the id of every training goal, one per line."""
        sets = self._sets.items()
        lines = [f"{name}\t{goal.key}\n" for name, one in sets for goal in one.goals]
        file.write_text("".join(lines), encoding="utf-8")

    def _step(self) -> tuple[str, float]:
        """Run a step: InfoNCE over the tools in the batch (van den Oord et al., 2018), both ways,
        AdamW.
        """
        left = (self._steps - self._done) / (FALLING * self._steps)
        for group in self._optimiser.param_groups:
            group["lr"] = RATE * min(1.0, (self._done + 1) / WARM_UP, left)
        batch = self._batches.draw()
        one = self._sets[batch.name]
        goals = self.upper(self._lower.run([one.goals[number].text for number in batch.goals]))
        tools = self.upper(self._lower.run([one.texts[number] for number in batch.tools]))
        scores = (goals @ tools.T / TEMPERATURE).masked_fill(torch.from_numpy(batch.ignored), -1e4)
        own = torch.arange(SIZE)
        loss = functional.cross_entropy(scores, own)
        loss = (loss + functional.cross_entropy(scores[:, :SIZE].T, own)) / 2
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.upper.parameters(), 1.0)
        self._optimiser.step()
        self._optimiser.zero_grad()
        return batch.name, loss.item()

    def _mine(self) -> None:
        _say("looking for tools that the model confuses with the right tool from the same server")
        one = self._sets[GOALS]
        mine(
            one,
            lambda goals: self._vectors([one.goals[number].text for number in goals]),
            lambda tools: self._vectors([one.texts[number] for number in tools]),
        )

    def _vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self.upper.embed(self._lower.run(texts)).numpy()

    def _keep(self) -> None:
        written = self._stand.with_suffix(".new")
        torch.save(
            {
                "done": self._done,
                "upper": self.upper.state_dict(),
                "optimiser": self._optimiser.state_dict(),
                "batches": self._batches.state(),
                "chance": torch.get_rng_state(),
                "near": {n: [goal.near for goal in one.goals] for n, one in self._sets.items()},
            },
            written,
        )
        written.replace(self._stand)
        self.upper.save(self._work / f"step-{self._done}.safetensors")

    def _resume(self) -> None:
        stand = torch.load(self._stand, weights_only=False)
        self._done = stand["done"]
        self.upper.load_state_dict(stand["upper"])
        self._optimiser.load_state_dict(stand["optimiser"])
        self._batches.resume(stand["batches"])
        torch.set_rng_state(stand["chance"])
        for name, one in self._sets.items():
            for goal, near in zip(one.goals, stand["near"][name], strict=True):
                goal.near = near
        _say(f"training continues after step {self._done}")


def main(arguments: Sequence[str]) -> None:
    """Train and write the weights, and the ids of the goals that they were trained on."""
    parser = argparse.ArgumentParser(prog="python -m quartermaster.training")
    parser.add_argument("folder", type=Path, help="folder that has a folder for each retrieval set")
    parser.add_argument("--output", type=Path, required=True, help="safetensors file to write")
    parser.add_argument(
        "--work",
        type=Path,
        default=Path("build/training"),
        help="folder for the training state, from which an interrupted training run continues",
    )
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args(arguments)
    configure("info", json=False)
    training = Training(given.folder, given.work, given.steps, given.threads)
    training.run()
    training.upper.save(given.output)
    training.write_ids(given.output.with_suffix(".ids"))
    _say(f"written: {given.output}")


def _say(text: str) -> None:
    get_logger(part="training").info(text)


if __name__ == "__main__":
    main(sys.argv[1:])
