"""Learning from the goals and the tools that they need."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import torch
from torch import Tensor
from torch.nn import functional

from lab.training.batches import Batches
from lab.training.corpus import TrainingSet

TEMPERATURE: Final = 0.05
# Hides a pair in a list.
HIDDEN_SCORE: Final = -1e4


def contrast(goals: Tensor, tools: Tensor, ignored: Tensor) -> Tensor:
    """InfoNCE over the tools in a batch, both ways (van den Oord et al., 2018).

    Args:
        goals, tools: unit vectors; goal i needs tool i.
        ignored: pairs that are neither right nor wrong.
    """
    scores = (goals @ tools.T / TEMPERATURE).masked_fill(ignored, HIDDEN_SCORE)
    own = torch.arange(len(goals))
    loss = functional.cross_entropy(scores, own)
    return (loss + functional.cross_entropy(scores[:, : len(goals)].T, own)) / 2


def loss_of_labels(
    embed: Callable[[Sequence[str]], Tensor], sets: dict[str, TrainingSet], batches: Batches
) -> dict[str, Tensor]:
    """Draws a batch, and returns its loss under the name of its set.

    Args:
        embed: returns unit vectors of texts.
        sets: the training sets.
        batches: draws from them.
    """
    batch = batches.draw()
    one = sets[batch.name]
    goals = embed([one.goals[number].text for number in batch.goals])
    tools = embed([one.texts[number] for number in batch.tools])
    return {batch.name: contrast(goals, tools, torch.from_numpy(batch.ignored))}
