"""A training run that can be interrupted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from time import monotonic
from typing import Any, Final, Protocol

import torch
from torch import Tensor

from lab.training.layers import Layers
from quartermaster.core.logs import get_logger

_RETAIN_EVERY: Final = 50
_SAID_EVERY: Final = 25
# Until the mean of the weights is old enough, it forgets faster.
_YOUNG_MEAN_STEPS: Final = 5


class Drawing(Protocol):
    """What draws at random, and goes on from where it stood."""

    def state(self) -> Any:
        """Returns the current state."""
        ...

    def resume(self, state: Any) -> None:
        """Continues from a state."""
        ...


@dataclass(frozen=True)
class TrainingSchedule:
    """How layers are trained.

    Attributes:
        steps: number of steps.
        rate: the highest learning rate.
        warm_up: number of steps in which the rate rises.
        falling: share of the steps, the last ones, in which the rate falls.
        last: share of the rate that is left after the last step.
        mean_share: share of the mean of the weights that stays at each step; with 0, the mean is
            the weights.
    """

    steps: int
    rate: float
    warm_up: int
    falling: float
    last: float = 0
    mean_share: float = 0

    def rate_at(self, done: int) -> float:
        """Returns the rate of the step after so many."""
        left = (self.steps - done) / (self.falling * self.steps)
        return self.rate * min(1, (done + 1) / self.warm_up, self.last + (1 - self.last) * left)


class Run:
    """Trains layers step by step, and keeps its state in a file.

    Args:
        name: what is trained.
        layers: the layers; after `go` they have the mean of the weights.
        plan: how they are trained.
        drawing: what the steps draw at random.
        stand: file for the state; the run goes on from it.

    Attributes:
        done: number of steps that are done.
    """

    def __init__(
        self, name: str, layers: Layers, plan: TrainingSchedule, drawing: Drawing, stand: Path
    ) -> None:
        self._name, self._layers, self._plan = name, layers, plan
        self._drawing, self._stand = drawing, stand
        self._mean = deepcopy(layers.state_dict())
        self._optimiser = torch.optim.AdamW(layers.parameters(), lr=plan.rate, weight_decay=0.01)
        self.done = 0
        if stand.is_file():
            self._resume()

    def go(self, losses: Callable[[], dict[str, Tensor]]) -> None:
        """Runs the remaining steps.

        Args:
            losses: draws what a step learns from, and returns the parts of the loss, by name.
        """
        found: defaultdict[str, list[float]] = defaultdict(list)
        begun, first = monotonic(), self.done
        self._layers.train()
        while self.done < self._plan.steps:
            parts = losses()
            self._step(sum(parts.values(), torch.zeros(())))
            for name, part in parts.items():
                found[name].append(part.item())
            if self.done % _SAID_EVERY == 0:
                means = ", ".join(f"{name} {fmean(some[-25:]):.3f}" for name, some in found.items())
                pace = (monotonic() - begun) / (self.done - first)
                self._say(f"step {self.done} of {self._plan.steps}, {pace:.1f} s each: {means}")
            if self.done % _RETAIN_EVERY == 0 or self.done == self._plan.steps:
                self._keep()
        self._layers.load_state_dict(self._mean)

    def _step(self, loss: Tensor) -> None:
        for group in self._optimiser.param_groups:
            group["lr"] = self._plan.rate_at(self.done)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self._layers.parameters(), 1.0)
        self._optimiser.step()
        self._optimiser.zero_grad()
        self.done += 1
        mean_share = min(self._plan.mean_share, self.done / (self.done + _YOUNG_MEAN_STEPS))
        with torch.no_grad():
            for name, tensor in self._layers.state_dict().items():
                self._mean[name].lerp_(tensor, 1 - mean_share)

    def _keep(self) -> None:
        written = self._stand.with_suffix(".new")
        torch.save(
            {
                "done": self.done,
                "layers": self._layers.state_dict(),
                "mean": self._mean,
                "optimiser": self._optimiser.state_dict(),
                "drawing": self._drawing.state(),
                "chance": torch.get_rng_state(),
            },
            written,
        )
        written.replace(self._stand)

    def _resume(self) -> None:
        stand = torch.load(self._stand, weights_only=False)
        self.done = stand["done"]
        self._layers.load_state_dict(stand["layers"])
        self._mean = stand["mean"]
        self._optimiser.load_state_dict(stand["optimiser"])
        self._drawing.resume(stand["drawing"])
        torch.set_rng_state(stand["chance"])
        self._say(f"goes on after step {self.done}")

    def _say(self, text: str) -> None:
        get_logger(part="training").info(f"{self._name}: {text}")
