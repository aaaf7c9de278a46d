"""``python -m quartermaster.training FOLDER``: trains the embedding model, in two stages.

First, the upper layers of the published model learn which tools goals need. The result and a larger
encoder, whose upper layers learn the same, are the teacher. Then all layers learn what it says.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import torch
from safetensors.torch import load_file
from torch import Tensor

from quartermaster.core.logs import configure, get_logger
from quartermaster.models.published_weights import fetch_weights
from quartermaster.training.batches import Batches
from quartermaster.training.corpus import (
    GOALS,
    TrainingSet,
    on_servers_with_goals,
    read_corpus,
    read_lines,
)
from quartermaster.training.embeddings import Embeddings
from quartermaster.training.labels import loss_of_labels
from quartermaster.training.layers import MINILM, MPNET, Layers
from quartermaster.training.lower_layers import FROZEN, LowerLayers
from quartermaster.training.mpnet import FROZEN as MPNET_FROZEN
from quartermaster.training.mpnet import LAYERS as MPNET_LAYERS
from quartermaster.training.mpnet import FrozenLayers, fetch_mpnet
from quartermaster.training.near_misses import mine
from quartermaster.training.prose import Prose, prose_of_notes, prose_of_packages
from quartermaster.training.pupil import (
    NEAR,
    SIZE,
    Labelled,
    Lessons,
    OwnGoals,
    PublicGoals,
    Reading,
    SentenceGoals,
    Taught,
)
from quartermaster.training.run import Plan, Run
from quartermaster.training.teacher import Teacher

FIRST: Final = Plan(steps=1400, rate=6e-5, warm_up=20, falling=0.4)
LARGER: Final = Plan(steps=500, rate=1e-4, warm_up=15, falling=0.6, kept=0.98)
PUPIL: Final = Plan(steps=1700, rate=6e-5, warm_up=30, falling=1, kept=0.98)
# After this number of steps of the first stage, near misses are looked for with the model so far.
MINED_AFTER: Final = 600
DROPPED: Final = 0.1
# Shares of the pupil's batches: first sentences of tools, passages of notes, docstrings, and public
# goals; the rest are own goals.
SENTENCES, NOTES, PACKAGES = 0.12, 0.12, 0.08
PUBLIC: Final = {
    "toolbench": 0.03,
    "toolret": 0.05,
    "bfcl": 0.03,
    "sealtools": 0.04,
    "metatool": 0.15,
    "toollinkos": 0.02,
}
# The weights of the first stage are this share of those that are written.
FIRST_SHARE: Final = 0.1
SEED: Final = 1
_LAYERS: Final = 6
_EMBEDDED_AT_ONCE: Final = 1000


class Encoder:
    """Layers with what they read.

    Args:
        lower: what runs before the layers.
        layers: the layers.
    """

    def __init__(self, lower: Embeddings | LowerLayers | FrozenLayers, layers: Layers) -> None:
        self.read, self.layers = lower.run, layers
        self._known: dict[str, Tensor] = {}

    def vectors(self, texts: Sequence[str]) -> Tensor:
        """Return unit vectors for training, [texts, dimension]."""
        return self.layers(self.read(texts))

    def embed(self, texts: Sequence[str]) -> Tensor:
        """Return unit vectors once the layers are trained, [texts, dimension]; they are cached."""
        unknown = [text for text in dict.fromkeys(texts) if text not in self._known]
        for start in range(0, len(unknown), _EMBEDDED_AT_ONCE):
            some = unknown[start : start + _EMBEDDED_AT_ONCE]
            self._known.update(zip(some, self.layers.embed(self.read(some)), strict=True))
        return torch.stack([self._known[text] for text in texts])


class Training:
    """The training of a model, which can be interrupted.

    Args:
        folder: folder with the retrieval sets, each in its own folder.
        questions: questions that the built-in notes may answer.
        work: folder for the published weights and the state of the runs.
        steps: number of steps of the first stage, of the larger encoder and of the pupil.
        threads: number of CPU threads.
    """

    def __init__(
        self,
        folder: Path,
        questions: Sequence[str],
        work: Path,
        steps: Sequence[int],
        threads: int,
    ) -> None:
        torch.manual_seed(SEED)
        torch.set_num_threads(threads)
        self._folder, self._questions = folder, questions
        self._work, self._threads = work, threads
        plans = zip((FIRST, LARGER, PUPIL), steps, strict=True)
        self._plans = [replace(plan, steps=count) for plan, count in plans]
        self._published, self._mpnet = work / "published", work / "mpnet"
        for fetch, to in ((fetch_weights, self._published), (fetch_mpnet, self._mpnet)):
            if not (to / "tokenizer.json").is_file():
                to.mkdir(parents=True, exist_ok=True)
                fetch(to)

    def run(self, output: Path) -> None:
        """Run what remains; write the weights, and the ids of the goals that they learned from."""
        first = self._work / "first.safetensors"
        if not first.is_file():
            self._learn_labels().save(first)
        self._learn_from_teacher(first).save(output)
        sets = read_corpus(self._folder, longest=None).items()
        lines = [f"{name}\t{goal.key}\n" for name, one in sets for goal in one.goals]
        output.with_suffix(".ids").write_text("".join(lines), encoding="utf-8")

    def _learn_labels(self) -> Layers:
        """Train the upper layers of the published model; the others run in int8 as in service."""
        sets = read_corpus(self._folder)
        layers = Layers(self._weights(), MINILM, range(FROZEN, _LAYERS), DROPPED)
        encoder = Encoder(LowerLayers(self._published, self._threads), layers)
        batches = Batches(sets, SEED)
        run = Run("first stage", layers, self._plans[0], batches, self._work / "first.pt")

        def losses() -> dict[str, Tensor]:
            if run.done == MINED_AFTER:
                _mine(sets[GOALS], lambda texts: layers.embed(encoder.read(texts)))
            return loss_of_labels(encoder.vectors, sets, batches)

        run.go(losses)
        return layers

    def _learn_from_teacher(self, first: Path) -> Layers:
        """Train all layers; they start as after the first stage."""
        sets = read_corpus(self._folder, longest=None)
        own = on_servers_with_goals(sets.pop(GOALS))
        start = self._pupil(first)
        _mine(own, start.embed)
        prose = {"notes": prose_of_notes(self._questions), "packages": prose_of_packages()}
        vectors = self._teach(own, sets, prose, start)
        chance = random.Random(SEED)
        batches = Batches({GOALS: own}, SEED, {GOALS: 1}, size=SIZE, near=NEAR)
        public = Batches(sets, SEED, PUBLIC, size=SIZE, near=NEAR)
        numbers = {server: number for number, server in enumerate(dict.fromkeys(own.servers))}
        taught = Taught(
            Labelled([goal.text for goal in own.goals], vectors["goals"]),
            Labelled(own.texts, vectors["tools"]),
            torch.tensor([numbers[server] for server in own.servers]),
        )
        of = [tool for tool, sentence in enumerate(own.sentences) if sentence]
        sentences = Labelled([own.sentences[tool] for tool in of], vectors["sentences"])
        reading = {
            kind: Reading(
                Labelled(one.asked, vectors[f"{kind} asked"]),
                Labelled(one.passages, vectors[f"{kind} passages"]),
                one.answers,
                chance,
            )
            for kind, one in prose.items()
        }
        kinds = [
            (SENTENCES, SentenceGoals(sentences, of, taught, chance)),
            (NOTES, reading["notes"]),
            (PACKAGES, reading["packages"]),
            (sum(PUBLIC.values()), PublicGoals(sets, vectors, public, chance)),
        ]
        kinds.append((1 - sum(share for share, _ in kinds), OwnGoals(taught, batches)))
        lessons = Lessons(kinds, [batches, public], chance)
        pupil = self._pupil(first)
        run = Run("pupil", pupil.layers, self._plans[2], lessons, self._work / "pupil.pt")
        run.go(lambda: lessons.losses(pupil.vectors))
        pupil.layers.mix(start.layers, FIRST_SHARE)
        return pupil.layers

    def _teach(
        self,
        own: TrainingSet,
        public: Mapping[str, TrainingSet],
        prose: Mapping[str, Prose],
        first: Encoder,
    ) -> dict[str, Tensor]:
        """Train the larger encoder, and return the vectors of what the pupil reads.

        Args:
            own: our own goals and tools; they get the vectors of both encoders.
            public: public sets; they get those of the first encoder.
            prose: questions and passages; they get those of the larger one as it is published.
            first: the encoder that the first stage trained.
        """
        file = self._work / "vectors.pt"
        if file.is_file():
            return torch.load(file)
        weights, frozen = self._mpnet / "model.safetensors", FrozenLayers(self._mpnet)
        upper = range(MPNET_FROZEN, MPNET_LAYERS)
        published = Encoder(frozen, Layers(weights, MPNET, upper))
        vectors = {
            f"{kind} {part}": published.embed(getattr(one, part))
            for kind, one in prose.items()
            for part in ("asked", "passages")
        }
        layers = Layers(weights, MPNET, upper)
        larger = Encoder(frozen, layers)
        sets = {GOALS: own}
        batches = Batches(sets, SEED, {GOALS: 1}, size=SIZE, near=NEAR)
        run = Run("larger encoder", layers, self._plans[1], batches, self._work / "larger.pt")
        run.go(lambda: loss_of_labels(larger.vectors, sets, batches))
        teacher = Teacher(first.embed, larger.embed, weight=1)
        texts = {
            "goals": [goal.text for goal in own.goals],
            "tools": own.texts,
            "sentences": [sentence for sentence in own.sentences if sentence],
        }
        teacher.learn(texts["goals"] + texts["tools"])
        vectors |= {name: teacher.embed(some) for name, some in texts.items()}
        for name, one in public.items():
            vectors[f"{name} goals"] = first.embed([goal.text for goal in one.goals])
            vectors[f"{name} tools"] = first.embed(one.texts)
        torch.save(vectors, file)
        return vectors

    def _pupil(self, first: Path) -> Encoder:
        layers = Layers(self._weights(), MINILM, range(_LAYERS))
        layers.read(load_file(first))
        return Encoder(Embeddings(self._published, MINILM), layers)

    def _weights(self) -> Path:
        return self._published / "model.safetensors"


def _mine(own: TrainingSet, embed: Callable[[Sequence[str]], Tensor]) -> None:
    mine(
        own,
        lambda goals: embed([own.goals[number].text for number in goals]).numpy(),
        lambda tools: embed([own.texts[number] for number in tools]).numpy(),
    )


def main(arguments: Sequence[str]) -> None:
    """Train and write the weights, and the ids of the goals that they were trained on."""
    parser = argparse.ArgumentParser(prog="python -m quartermaster.training")
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
        nargs=3,
        default=[plan.steps for plan in (FIRST, LARGER, PUPIL)],
        help="number of steps of the first stage, of the larger encoder and of the pupil",
    )
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args(arguments)
    configure("info", json=False)
    questions = [each["question"] for each in read_lines(given.questions)]
    training = Training(given.folder, questions, given.work, given.steps, given.threads)
    training.run(given.output)
    get_logger(part="training").info(f"written: {given.output}")


if __name__ == "__main__":
    main(sys.argv[1:])
