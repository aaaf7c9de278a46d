"""The stages of the training; each writes a file, and does nothing if the file is there."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from lab.training import mpnet, pupil
from lab.training.batches import Batches
from lab.training.corpus import (
    GOALS,
    TrainingSet,
    on_servers_with_goals,
    read_corpus,
    read_lines,
)
from lab.training.embeddings import Embeddings
from lab.training.labels import loss_of_labels
from lab.training.layers import MINILM, MPNET, Layers
from lab.training.lower_layers import FROZEN_LAYERS, LowerLayers
from lab.training.near_misses import mine
from lab.training.prose import Prose, prose_of_notes, prose_of_packages
from lab.training.run import Run, TrainingSchedule
from lab.training.teacher import side_by_side, strongest_directions

LABELS: Final = TrainingSchedule(steps=1400, rate=6e-5, warm_up=20, falling=0.4)
LARGER_SCHEDULE: Final = TrainingSchedule(
    steps=700, rate=1e-4, warm_up=15, falling=0.6, mean_share=0.98
)
# The pupils of each round.
PUPILS: Final = (
    TrainingSchedule(steps=1200, rate=6e-5, warm_up=30, falling=1, mean_share=0.98),
    TrainingSchedule(steps=700, rate=4e-5, warm_up=30, falling=1, mean_share=0.98),
)
# After this number of steps of the first stage, near misses are looked for with the model so far.
MINED_AFTER: Final = 600
DROPOUT: Final = 0.1
# Number of larger encoders, and of pupils in each round; and the weight of a larger encoder's
# cosine beside that of the model that the pupil starts as.
RUNS: Final = 2
LARGER_WEIGHT: Final = 0.75
# Shares of the pupil's batches: first sentences of tools, passages of notes, docstrings, and public
# goals; the rest are own goals.
SENTENCES, NOTES, PACKAGES = 0.12, 0.12, 0.08
PUBLIC_SHARES: Final = {
    "toolbench": 0.03,
    "toolret": 0.05,
    "bfcl": 0.03,
    "sealtools": 0.04,
    "metatool": 0.15,
    "toollinkos": 0.02,
}
_LAYERS: Final = 6
_EMBEDDED_AT_ONCE: Final = 1000


@dataclass(frozen=True)
class StagePaths:
    """What the stages read, and where they write.

    Attributes:
        sets: folder with the retrieval sets, each in its own folder.
        questions: file with questions that the built-in notes may answer.
        work: folder for the published weights, and for what the stages write.
        labels, larger: plans of the first two stages.
        pupils: plan of each round of pupils.
    """

    sets: Path
    questions: Path
    work: Path
    labels: TrainingSchedule = LABELS
    larger: TrainingSchedule = LARGER_SCHEDULE
    pupils: Sequence[TrainingSchedule] = PUPILS

    @property
    def published(self) -> Path:
        """Folder of the published model."""
        return self.work / "published"

    @property
    def mpnet(self) -> Path:
        """Folder of the published larger encoder."""
        return self.work / "mpnet"

    def weights(self, round_: int) -> Path:
        """Returns weights of the model after so many rounds of pupils."""
        return self.work / f"model-{round_}.safetensors"

    def weights_of_pupil(self, round_: int, number: int) -> Path:
        """Returns weights of one of the pupils that a round trains."""
        return self.work / f"pupil-{round_}-{number}.safetensors"

    def vectors(self, encoder: str) -> Path:
        """Returns vectors of texts by an encoder."""
        return self.work / f"vectors-{encoder}.pt"


class LayerEncoder:
    """Layers with what they read.

    Args:
        lower: what runs before the layers.
        layers: the layers, which are also an attribute.
    """

    def __init__(
        self, lower: Embeddings | LowerLayers | mpnet.FrozenLayers, layers: Layers
    ) -> None:
        self._read, self.layers = lower.run, layers

    def vectors(self, texts: Sequence[str]) -> Tensor:
        """Returns unit vectors for training, [texts, dimension]."""
        return self.layers(self._read(texts))

    def embed(self, texts: Sequence[str]) -> Tensor:
        """Returns unit vectors without gradients, [texts, dimension]."""
        parts = [
            self.layers.embed(self._read(texts[start : start + _EMBEDDED_AT_ONCE]))
            for start in range(0, len(texts), _EMBEDDED_AT_ONCE)
        ]
        return torch.cat(parts)


def learn_labels(place: StagePaths) -> None:
    """Trains the upper layers of the published model; the others run in int8 as in service."""
    file = place.weights(0)
    if file.is_file():
        return
    sets = read_corpus(place.sets)
    layers = Layers(_minilm(place), MINILM, range(FROZEN_LAYERS, _LAYERS), DROPOUT)
    encoder = LayerEncoder(LowerLayers(place.published, torch.get_num_threads()), layers)
    batches = Batches(sets, seed=1)
    run = Run("labels", layers, place.labels, batches, place.work / "labels.pt")

    def losses() -> dict[str, Tensor]:
        if run.done == MINED_AFTER:
            own = sets[GOALS]
            _mine(own, encoder.embed([goal.text for goal in own.goals]), encoder.embed(own.texts))
        return loss_of_labels(encoder.vectors, sets, batches)

    run.go(losses)
    layers.save(file)


def read_with_mpnet(place: StagePaths) -> None:
    """Runs the frozen layers of the larger encoder over our texts, and all layers over prose."""
    if place.vectors("prose").is_file():
        return
    frozen = mpnet.FrozenLayers(place.mpnet)
    for texts in _texts_of(_own(place)).values():
        frozen.run(texts)
    _keep(frozen.known, place.vectors("frozen"))
    published = LayerEncoder(mpnet.FrozenLayers(place.mpnet), _upper_layers(place))
    vectors = {
        f"{kind} {part}": published.embed(texts)
        for kind, prose in _prose(place).items()
        for part, texts in (("asked", prose.asked), ("passages", prose.passages))
    }
    _keep(vectors, place.vectors("prose"))


def read_with_model(place: StagePaths, round_: int) -> None:
    """Computes the vectors of the model after so many rounds; at first, of public sets, too."""
    file = place.vectors(f"model-{round_}")
    if file.is_file():
        return
    model = _model(place, round_)
    texts = _texts_of(_own(place))
    if round_ == 0:
        for name, one in _public(place).items():
            texts |= {f"{name} {kind}": some for kind, some in _texts_of(one).items()}
    _keep({name: model.embed(some) for name, some in texts.items()}, file)


def learn_larger(place: StagePaths, number: int) -> None:
    """Trains the upper layers of the larger encoder; write its vectors of our texts."""
    file = place.vectors(f"larger-{number}")
    if file.is_file():
        return
    own = _mined(place)
    frozen = mpnet.FrozenLayers(place.mpnet)
    frozen.known = torch.load(place.vectors("frozen"))
    layers = _upper_layers(place)
    encoder, sets = LayerEncoder(frozen, layers), {GOALS: own}
    batches = Batches(sets, number, {GOALS: 1}, size=pupil.SIZE, near=pupil.NEAR_MISSES)
    stand = place.work / f"larger-{number}.pt"
    run = Run(f"larger encoder {number}", layers, place.larger, batches, stand)
    run.go(lambda: loss_of_labels(encoder.vectors, sets, batches))
    _keep({name: encoder.embed(texts) for name, texts in _texts_of(own).items()}, file)


def learn_from_teacher(place: StagePaths, round_: int, number: int) -> None:
    """Trains all layers, which start as those of the model after so many rounds."""
    file = place.weights_of_pupil(round_, number)
    if file.is_file():
        return
    seed = RUNS * round_ + number
    chance = random.Random(seed)
    own, sets = _mined(place), _public(place)
    batches = Batches({GOALS: own}, seed, {GOALS: 1}, size=pupil.SIZE, near=pupil.NEAR_MISSES)
    public = Batches(sets, seed, PUBLIC_SHARES, size=pupil.SIZE, near=pupil.NEAR_MISSES)
    learned, sentences = _learned(place, own, round_)
    of = [tool for tool, sentence in enumerate(own.sentences) if sentence]
    known = torch.load(place.vectors("prose"))
    reading = {
        kind: pupil.Reading(
            pupil.Labelled(prose.asked, known[f"{kind} asked"]),
            pupil.Labelled(prose.passages, known[f"{kind} passages"]),
            prose.answers,
            chance,
        )
        for kind, prose in _prose(place).items()
    }
    first = torch.load(place.vectors("model-0"))
    kinds: list[tuple[float, pupil.Lesson]] = [
        (SENTENCES, pupil.SentenceGoals(sentences, of, learned, chance)),
        (NOTES, reading["notes"]),
        (PACKAGES, reading["packages"]),
        (sum(PUBLIC_SHARES.values()), pupil.PublicGoals(sets, first, public, chance)),
    ]
    kinds.append((1 - sum(share for share, _ in kinds), pupil.OwnGoals(learned, batches)))
    lessons = pupil.Lessons(kinds, [batches, public], chance)
    learner = _model(place, round_)
    run = Run(file.stem, learner.layers, place.pupils[round_], lessons, file.with_suffix(".pt"))
    run.go(lambda: lessons.losses(learner.vectors))
    learner.layers.save(file)


def average(place: StagePaths, round_: int) -> None:
    """Writes the mean of the weights of the pupils of a round: the model after it."""
    pupils = [load_file(place.weights_of_pupil(round_, number)) for number in range(RUNS)]
    mean = {name: sum(each[name].float() for each in pupils) / RUNS for name in pupils[0]}
    halves = {name: torch.as_tensor(tensor).half() for name, tensor in mean.items()}
    save_file(halves, place.weights(round_ + 1))


def plans(steps: Sequence[int]) -> dict[str, Any]:
    """Returns the plans with so many steps: of labels, of larger encoders, of each round."""
    labels, larger, *pupils = steps
    return {
        "labels": replace(LABELS, steps=labels),
        "larger": replace(LARGER_SCHEDULE, steps=larger),
        "pupils": [replace(p, steps=n) for p, n in zip(PUPILS, pupils, strict=True)],
    }


def _learned(
    place: StagePaths, own: TrainingSet, round_: int
) -> tuple[pupil.TeacherScores, pupil.Aimed]:
    """Returns what the teacher says about goals and tools, and about first sentences.

    The teacher is the model after so many rounds, and beside it the larger encoders.
    """
    model = torch.load(place.vectors(f"model-{round_}"))
    larger = [torch.load(place.vectors(f"larger-{number}")) for number in range(RUNS)]
    weights = [1, *[LARGER_WEIGHT] * RUNS]
    texts = _texts_of(own)
    wide = {
        name: side_by_side([model[name], *(one[name] for one in larger)], weights) for name in texts
    }
    every = torch.cat([wide[name] for name in texts])
    directions = strongest_directions(every, torch.cat([model[name] for name in texts]))
    aimed = {
        name: pupil.Aimed(texts[name], one, torch.nn.functional.normalize(one @ directions, dim=-1))
        for name, one in wide.items()
    }
    numbers = {server: number for number, server in enumerate(dict.fromkeys(own.servers))}
    servers = torch.tensor([numbers[server] for server in own.servers])
    return pupil.TeacherScores(aimed["goals"], aimed["tools"], servers), aimed["sentences"]


def _own(place: StagePaths) -> TrainingSet:
    return on_servers_with_goals(read_corpus(place.sets, longest=None)[GOALS])


def _mined(place: StagePaths) -> TrainingSet:
    """Returns our own goals with near misses by the model that learned the labels."""
    own, vectors = _own(place), torch.load(place.vectors("model-0"))
    _mine(own, vectors["goals"], vectors["tools"])
    return own


def _mine(own: TrainingSet, goals: Tensor, tools: Tensor) -> None:
    mine(own, lambda some: goals[[*some]].numpy(), lambda some: tools[[*some]].numpy())


def _public(place: StagePaths) -> dict[str, TrainingSet]:
    sets = read_corpus(place.sets, longest=None)
    return {name: one for name, one in sets.items() if name != GOALS}


def _prose(place: StagePaths) -> dict[str, Prose]:
    questions = [each["question"] for each in read_lines(place.questions)]
    return {"notes": prose_of_notes(questions), "packages": prose_of_packages()}


def _texts_of(one: TrainingSet) -> dict[str, list[str]]:
    texts = {"goals": [goal.text for goal in one.goals], "tools": one.texts}
    sentences = [sentence for sentence in one.sentences if sentence]
    return texts | {"sentences": sentences}


def _model(place: StagePaths, round_: int) -> LayerEncoder:
    layers = Layers(_minilm(place), MINILM, range(_LAYERS))
    layers.read(load_file(place.weights(round_)))
    return LayerEncoder(Embeddings(place.published, MINILM), layers)


def _upper_layers(place: StagePaths) -> Layers:
    return Layers(
        place.mpnet / "model.safetensors", MPNET, range(mpnet.FROZEN_LAYERS, mpnet.LAYERS)
    )


def _minilm(place: StagePaths) -> Path:
    return place.published / "model.safetensors"


def _keep(vectors: dict[str, Tensor], file: Path) -> None:
    written = file.with_suffix(".new")
    torch.save(vectors, written)
    written.replace(file)
