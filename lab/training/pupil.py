"""Lessons of a pupil: batches of texts, and what its vectors should be like.

Its lists are compared with the teacher's: which tools are near a goal, and how near. The teacher
has more dimensions than the pupil, so each text also has an aim: the teacher's vector in as many
dimensions as the pupil has. The other side of most lists has the aims, which are known. So each
text of a batch is compared with all others, at the cost of one product.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

import torch
from torch import Tensor

from lab.training.batches import Batches, ignored
from lab.training.corpus import TrainingSet
from lab.training.labels import HIDDEN_SCORE, contrast

SIZE: Final = 32
NEAR_MISSES: Final = 12
# Temperature of lists over all tools, over the tools of one server, over those of a public set, and
# over passages.
ALL, OWN_SERVER, PUBLIC, READ = 0.04, 0.03, 0.05, 0.05
_OF_ONE_SERVER: Final = 4
# A near miss of a public goal is one of so many tools that come first.
_TEMPTING_TOOLS: Final = 8
_LOOKED_AT: Final = 24
_READ_AT_ONCE: Final = 36
_NEIGHBOURS: Final = 40

Embed = Callable[[Sequence[str]], Tensor]
Losses = dict[str, Tensor]


@dataclass(frozen=True)
class Labelled:
    """Texts, with the unit vectors that an encoder gives them."""

    texts: list[str]
    vectors: Tensor


@dataclass(frozen=True)
class Aimed(Labelled):
    """Texts, with the teacher's unit vectors.

    Attributes:
        aims: the same in as many dimensions as the pupil has.
    """

    aims: Tensor


class Lesson(Protocol):
    """One kind of batches."""

    def losses(self, embed: Embed) -> Losses:
        """Draws a batch, and returns the parts of the loss of its vectors."""
        ...


@dataclass(frozen=True)
class TeacherScores:
    """What the teacher says about the tools of servers, and about the goals that need them.

    Attributes:
        goals, tools: the texts.
        servers: number of the server of each tool.
    """

    goals: Aimed
    tools: Aimed
    servers: Tensor

    def losses(
        self, asked: Tensor, of: Aimed, places: list[int], found: Tensor, tools: list[int]
    ) -> Losses:
        """Compares the pupil's vectors of a batch with the teacher's; place i needs tool i.

        Args:
            asked: the pupil's vectors of what is asked.
            of, places: the texts from which these are, and their places there.
            found: the pupil's vectors of tools.
            tools: the numbers of these.
        """
        goals, every = self.goals, self.tools
        aims, own = of.vectors[places], every.vectors[tools]
        others = torch.ones(len(tools), len(every.texts), dtype=torch.bool)
        others[range(len(tools)), tools] = False
        siblings = self.servers[tools[: len(places)], None] == self.servers
        aimed, said = aims @ every.vectors.T, asked @ every.aims.T
        near = (asked * of.aims[places]).sum(-1).mean() + (found * every.aims[tools]).sum(-1).mean()
        return {
            "tools": divergence(aimed, said, ALL),
            "server": divergence(aimed, said, OWN_SERVER, siblings),
            "goals": divergence(own @ goals.vectors.T, found @ goals.aims.T, ALL) / 2,
            "alike": divergence(own @ every.vectors.T, found @ every.aims.T, ALL, others) / 2,
            "batch": divergence(aims @ own.T, asked @ found.T, ALL),
            "far": 2 - near,
        }


@dataclass(frozen=True)
class OwnGoals:
    """Goals that need tools of servers.

    Attributes:
        learned: what the teacher says about goals and tools.
        batches: draws these goals.
    """

    learned: TeacherScores
    batches: Batches

    def losses(self, embed: Embed) -> Losses:
        """Compares with the teacher, and a little with the labels."""
        batch = self.batches.draw()
        goals, tools = self.learned.goals, self.learned.tools
        vectors = embed(
            [goals.texts[n] for n in batch.goals] + [tools.texts[n] for n in batch.tools]
        )
        asked, found = vectors[: len(batch.goals)], vectors[len(batch.goals) :]
        losses = self.learned.losses(asked, goals, batch.goals, found, batch.tools)
        return losses | {"labels": 0.2 * contrast(asked, found, torch.from_numpy(batch.ignored))}


class SentenceGoals:
    """First sentences of tools in the place of goals, four of one server.

    Args:
        sentences: sentence of each tool that has one, with the number of the tool.
        learned: what the teacher says about the tools.
        chance: source of random choices.
    """

    def __init__(
        self, sentences: Aimed, of: Sequence[int], learned: TeacherScores, chance: random.Random
    ) -> None:
        self._sentences, self._learned, self._chance = sentences, learned, chance
        self._place = {tool: place for place, tool in enumerate(of)}
        servers: defaultdict[int, list[int]] = defaultdict(list)
        for tool in of:
            servers[int(learned.servers[tool])].append(tool)
        self._servers = dict(servers)

    def losses(self, embed: Embed) -> Losses:
        """Compares with the teacher."""
        tools = self._draw()
        places = [self._place[tool] for tool in tools[:SIZE]]
        asked, every = self._sentences, self._learned.tools
        vectors = embed([asked.texts[n] for n in places] + [every.texts[n] for n in tools])
        return self._learned.losses(vectors[:SIZE], asked, places, vectors[SIZE:], tools)

    def _draw(self) -> list[int]:
        """Returns the tools of `SIZE` sentences, and up to `NEAR_MISSES` others of their
        servers.
        """
        tools: dict[int, None] = {}
        groups = [*self._servers.values()]
        while len(tools) < SIZE:
            group = self._chance.choice(groups)
            tools |= dict.fromkeys(self._chance.sample(group, min(_OF_ONE_SERVER, len(group))))
        chosen = [*tools][:SIZE]
        for tool in self._chance.sample(chosen, NEAR_MISSES):
            server = self._servers[int(self._learned.servers[tool])]
            if free := [other for other in server if other not in chosen]:
                chosen.append(self._chance.choice(free))
        return chosen


@dataclass(frozen=True)
class PublicGoals:
    """Goals of public sets, so that what such goals need stays as it is.

    Attributes:
        sets: the public sets.
        vectors: the first model's vectors of "SET goals" and of "SET tools".
        batches: draws the goals.
        chance: source of random choices.
    """

    sets: Mapping[str, TrainingSet]
    vectors: Mapping[str, Tensor]
    batches: Batches
    chance: random.Random

    def losses(self, embed: Embed) -> Losses:
        """Compares with the labels, and with the first model."""
        batch = self.batches.draw()
        one, every = self.sets[batch.name], self.vectors[f"{batch.name} tools"]
        goals, tools = [one.goals[n] for n in batch.goals], batch.tools
        aims = self.vectors[f"{batch.name} goals"][batch.goals]
        nearest = (aims @ every.T).topk(min(_LOOKED_AT, len(every))).indices.tolist()
        for goal, near in zip(goals, nearest, strict=True):
            free = [tool for tool in near if tool not in goal.accepted and tool not in tools]
            if free:
                tools.append(self.chance.choice(free[:_TEMPTING_TOOLS]))
        vectors = embed([goal.text for goal in goals] + [one.texts[tool] for tool in tools])
        asked, found = vectors[: len(goals)], vectors[len(goals) :]
        wrong = torch.from_numpy(ignored(one, goals, tools))
        far = 2 - (asked * aims).sum(-1).mean() - (found * every[tools]).sum(-1).mean()
        return {
            "public labels": contrast(asked, found, wrong) / 2,
            "public tools": divergence(aims @ every.T, asked @ every.T, PUBLIC) / 2,
            "public far": far / 2,
        }


@dataclass(frozen=True)
class Reading:
    """Questions and the passages that answer them, as the published larger encoder sees them.

    Attributes:
        asked, passages: questions and passages, with the vectors of that encoder.
        answers: number of the passage that answers each question; None takes the nearest.
        chance: source of random choices.
    """

    asked: Labelled
    passages: Labelled
    answers: Sequence[int | None]
    chance: random.Random

    def losses(self, embed: Embed) -> Losses:
        """Compares the cosines within the batch."""
        pairs = self._draw()
        questions, answers = [*pairs.values()], [*pairs]
        vectors = embed(
            [self.asked.texts[n] for n in questions] + [self.passages.texts[n] for n in answers]
        )
        asked, found = vectors[: len(pairs)], vectors[len(pairs) :]
        aims, own = self.asked.vectors[questions], self.passages.vectors[answers]
        others = ~torch.eye(len(pairs), dtype=torch.bool)
        return {
            "prose": divergence(aims @ own.T, asked @ found.T, READ),
            "prose questions": divergence(own @ aims.T, found @ asked.T, READ) / 2,
            "prose asked": divergence(aims @ aims.T, asked @ asked.T, READ, others) / 2,
            "prose passages": divergence(own @ own.T, found @ found.T, READ, others) / 2,
        }

    def _draw(self) -> dict[int, int]:
        """Returns questions that are near each other, by the passages that answer them."""
        pairs: dict[int, int] = {}
        vectors = self.asked.vectors
        while len(pairs) < _READ_AT_ONCE:
            first = self.chance.randrange(len(vectors))
            near = (vectors @ vectors[first]).topk(_NEIGHBOURS).indices.tolist()
            for question in [first, *self.chance.sample(near, _OF_ONE_SERVER - 1)]:
                answer = self.answers[question]
                if answer is None:
                    answer = int((self.passages.vectors @ vectors[question]).argmax())
                if question not in pairs.values():
                    pairs.setdefault(answer, question)
        return pairs


@dataclass(frozen=True)
class Lessons:
    """Chooses the kind of each batch.

    Attributes:
        lessons: the kinds, each with its share.
        batches: what the lessons draw from.
        chance: source of random choices, also that of the lessons.
    """

    lessons: Sequence[tuple[float, Lesson]]
    batches: Sequence[Batches]
    chance: random.Random

    def losses(self, embed: Embed) -> Losses:
        """Draws a batch, and returns the parts of its loss."""
        [lesson] = self.chance.choices(
            [lesson for _, lesson in self.lessons], [share for share, _ in self.lessons]
        )
        return lesson.losses(embed)

    def state(self) -> Any:
        """Returns the current state, for `resume`."""
        return self.chance.getstate(), [one.state() for one in self.batches]

    def resume(self, state: Any) -> None:
        """Continues from the state of another instance."""
        chance, batches = state
        self.chance.setstate(chance)
        for one, stood in zip(self.batches, batches, strict=True):
            one.resume(stood)


def divergence(
    teacher: Tensor, pupil: Tensor, temperature: float, retained: Tensor | None = None
) -> Tensor:
    """Returns how far the pupil's lists are from the teacher's (Kullback and Leibler), on average.

    Args:
        teacher, pupil: scores, a list in each row.
        temperature: the scores are divided by it.
        retained: the pairs that are in the lists; None keeps all.
    """
    if retained is not None:
        teacher, pupil = (
            scores.masked_fill(~retained, HIDDEN_SCORE) for scores in (teacher, pupil)
        )
    aimed, said = ((scores / temperature).log_softmax(-1) for scores in (teacher, pupil))
    return (aimed.exp() * (aimed - said)).sum(-1).mean()
