"""``python -m quartermaster.training FOLDER``: trains the upper layers of the embedding model."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from time import monotonic
from typing import Final

import torch
from torch.nn import functional

from quartermaster.core.logs import configure, get_logger
from quartermaster.models.published_weights import fetch_weights
from quartermaster.training.batches import SIZE, Batches, Texts, mine
from quartermaster.training.corpus import read_corpus
from quartermaster.training.lower_layers import FROZEN, LowerLayers
from quartermaster.training.upper_layers import UpperLayers, late_interaction

LAYERS: Final = 6
TEMPERATURE: Final = 0.05
TOKEN_TEMPERATURE: Final = 0.03
TOKEN_SHARE: Final = 0.5
GOAL_TOKENS: Final = 48
TOOL_TOKENS: Final = 80


@dataclass(frozen=True)
class Phase:
    """Steps at a rate that falls in a line: it would reach nothing after `until` steps."""

    steps: int
    until: int
    rate: float
    warm_up: int
    seed: int


# What the shipped weights were trained with.
PHASES: Final = (Phase(300, 700, 1e-4, 40, 7), Phase(160, 160, 6e-5, 0, 9))


def main(arguments: Sequence[str]) -> None:
    """Trains and writes the weights."""
    parser = argparse.ArgumentParser(prog="python -m quartermaster.training")
    parser.add_argument("folder", type=Path, help="the retrieval sets, a folder each")
    parser.add_argument("--output", type=Path, required=True, help="safetensors file to write")
    parser.add_argument("--steps", type=int, help="only so many of each phase, to try it out")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args(arguments)
    configure("info", json=False)
    torch.manual_seed(PHASES[0].seed)
    torch.set_num_threads(given.threads)
    corpus = read_corpus(given.folder)
    with tempfile.TemporaryDirectory() as folder:
        weights = Path(folder)
        fetch_weights(weights)
        lower = LowerLayers(weights)
        upper = UpperLayers(weights / "model.safetensors", FROZEN, LAYERS - FROZEN)
    texts: dict[str, Texts] = {}
    for name, one in corpus.sets.items():
        goals = lower.run([goal.text for goal in one.goals], GOAL_TOKENS, given.threads)
        tools = lower.run(one.texts, TOOL_TOKENS, given.threads)
        texts[name] = Texts(goals, tools)
        mine(one, upper.embed(goals), upper.embed(tools))
        _say(f"{name}: {len(goals)} goals, {len(tools)} tools")
    sentences, described = zip(*corpus.described, strict=True)
    self_taught = Texts(
        lower.run(sentences, GOAL_TOKENS, given.threads),
        lower.run(described, TOOL_TOKENS, given.threads),
    )
    for phase in PHASES:
        batches = Batches(corpus.sets, texts, self_taught, phase.seed)
        _train(upper, batches, phase, min(phase.steps, given.steps or phase.steps))
    upper.save(given.output)
    _say(f"written: {given.output}")


def _train(upper: UpperLayers, batches: Batches, phase: Phase, steps: int) -> None:
    """InfoNCE over the tools of the batch (van den Oord et al., 2018), AdamW.

    Half as much counts the same over late interaction (Khattab and Zaharia, ColBERT, 2020): it
    keeps token vectors apart. Nothing serves with it: over dev sets it was worth nothing.
    """
    optimiser = torch.optim.AdamW(upper.parameters(), lr=phase.rate, weight_decay=0.01)
    own = torch.arange(SIZE)
    losses: defaultdict[str, list[float]] = defaultdict(list)
    begun = monotonic()
    for step in range(steps):
        warm = min(1.0, (step + 1) / phase.warm_up) if phase.warm_up else 1.0
        for group in optimiser.param_groups:
            group["lr"] = phase.rate * warm * max(0.02, 1 - step / phase.until)
        batch = batches.draw()
        goals, tools = upper(batch.goals), upper(batch.tools)
        scores = goals.vectors @ tools.vectors.T / TEMPERATURE
        by_token = late_interaction(goals, tools) / TOKEN_TEMPERATURE
        loss = functional.cross_entropy(
            scores.masked_fill(batch.ignored, -1e4), own
        ) + TOKEN_SHARE * functional.cross_entropy(by_token.masked_fill(batch.ignored, -1e4), own)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(upper.parameters(), 1.0)
        optimiser.step()
        optimiser.zero_grad()
        losses[batch.name].append(loss.item())
        if (step + 1) % 25 == 0 or step + 1 == steps:
            means = ", ".join(f"{name} {fmean(some[-8:]):.2f}" for name, some in losses.items())
            _say(f"step {step + 1} of {steps}, {monotonic() - begun:.0f} s, loss: {means}")


def _say(text: str) -> None:
    get_logger(part="training").info(text)


if __name__ == "__main__":
    main(sys.argv[1:])
