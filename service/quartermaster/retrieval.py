"""Embeds a goal with a model, finds cards for the goal in the database, and reranks the cards with
a model.

The database finds, ranks and decides. The models run here, because the database must not wait for
them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from math import isfinite
from time import perf_counter
from typing import Any, Final

import anyio
import numpy as np
from numpy.typing import NDArray

from quartermaster import api
from quartermaster.core.api_call import ApiCall, without_none
from quartermaster.core.errors import QmError
from quartermaster.core.fair_queue import FairQueue
from quartermaster.core.logs import get_logger
from quartermaster.core.meters import Meters
from quartermaster.db import LOCAL_PRINCIPAL, Database, Principal, Replica, Row
from quartermaster.models.asynchronous import AsyncEmbedder, AsyncReranker
from quartermaster.settings.sections import LimitSettings

# Models read a few hundred words, so the rest of a longer goal would only take time.
LONGEST_READ: Final = 8_000

_WITHOUT_VECTOR: Final = (
    "No vector could be computed for the goal, so tools were found by words, not by meaning."
)
_WITHOUT_RERANKER: Final = (
    "The reranker did not answer, so the tools are in the order of the initial search."
)

log = get_logger(part="retrieval")


@dataclass
class Prepared:
    """The models' results for a goal.

    Attributes:
        arguments: the arguments query_vector and rerank for api.search_tools, api.search_cards and
            similar functions, if they are known.
        warnings: messages to the user about models that failed.
        seconds: duration of each step: embed, candidates, rerank.
        advice: how the goal could be worded better; None if no change is needed.
        goal_model: embedding model of the vector; None if there is no vector, or if the caller gave
            the vector.
    """

    arguments: dict[str, Any] = field(default_factory=dict[str, Any])
    warnings: list[str] = field(default_factory=list[str])
    seconds: dict[str, float] = field(default_factory=dict[str, float])
    advice: str | None = None
    goal_model: str | None = None

    @contextmanager
    def timed(self, step: str) -> Generator[None]:
        """Records the duration of the block as the duration of a step."""
        begun = perf_counter()
        try:
            yield
        finally:
            self.seconds[step] = perf_counter() - begun


@dataclass
class SearchResult(Prepared):
    """The result of a search. `rows` contains the rows of the api function, best first; `seconds`
    also contains the duration of the step search.
    """

    rows: Sequence[Row] = ()


def search_queue(limits: LimitSettings) -> FairQueue:
    """Returns the queue for searches. Each search needs a processor core, in the service or in the
    database.
    """
    return FairQueue(
        "searches",
        limits.searches or max(os.cpu_count() or 1, 2),
        limits.search_queue,
        kept_free=limits.kept_free,
        exempt=LOCAL_PRINCIPAL,
    )


@dataclass(frozen=True)
class Retriever:
    """Finds the cards for a goal.

    Attributes:
        database: the database, which finds and ranks the cards.
        embedder: embedder of the active model.
        reranker: the reranker; None keeps the order of the first stage.
        rerank_timeout_s: seconds to wait for the reranker before the first stage's order is used.
        meters: counters of searches.
        replica: read replica on which cards are searched for; None if there is none.
        queue: queue in which searches wait for their turn.
    """

    database: Database
    embedder: AsyncEmbedder
    reranker: AsyncReranker | None = None
    rerank_timeout_s: float = 2.0
    meters: Meters = field(default_factory=Meters)
    replica: Replica | None = None
    queue: FairQueue = field(default_factory=lambda: search_queue(LimitSettings()))

    async def search(
        self,
        principal: Principal,
        goal: str,
        *,
        mode: str | None = None,
        operation: Callable[..., ApiCall[Any]] = api.search_tools,
        kinds: list[str] | None = None,
        query_vector: NDArray[np.float32] | None = None,
        recent_context: str | None = None,
        **arguments: object,
    ) -> SearchResult:
        """Finds the cards for a goal. If a model fails or is late, the search continues without it,
        and the results may be worse.

        Args:
            principal: the principal on whose behalf the search is made.
            goal: the goal in plain words.
            mode: name of the mode; None uses the database's default.
            operation: function that makes the call: api.search_tools or api.search_cards.
            kinds: kinds of cards for search_cards; None uses the database's default.
            query_vector: the goal's vector, if it is already known.
            recent_context: the recent conversation. It is used only if the goal cannot be
                understood alone, and is never stored.
            arguments: further arguments of the operation; arguments that are None are left out.

        Raises:
            QmError: QM429 queue_full, and the operation's errors.
        """
        async with self.queue.slot(principal.name):
            prepared = await self.prepare(
                principal,
                goal,
                mode=mode,
                kinds=kinds,
                query_vector=query_vector,
                recent_context=recent_context,
                reranks=arguments.get("as_of") is None,
            )
            found = SearchResult(**vars(prepared))
            with self.meters.selection(mode, found), found.timed("search"):
                asked = operation(
                    goal=goal,
                    mode=mode,
                    **without_none(kinds=kinds, **arguments),
                    **found.arguments,
                )
                acting = replace(principal, goal_model=found.goal_model)
                found.rows = await self.database.call(asked, acting)
            return found

    async def explain_absence(
        self,
        principal: Principal,
        goal: str,
        tool: str,
        *,
        mode: str | None = None,
        kind: str | None = None,
        as_of: datetime | None = None,
        acting_as: str | None = None,
        top: int | None = None,
        budget_tokens: int | None = None,
    ) -> api.ExplainAbsenceRow:
        """Returns the reason why a search does not offer a tool: reason, detail and remedy.

        Args:
            principal, goal, mode: see `search`.
            tool: name of the tool or other card.
            kind: kind of the card; None uses the database's default.
            as_of: time of a search in the past; None explains a search now.
            acting_as: name of the principal who would search; None is `principal`. The reranker
                reads nothing on behalf of somebody else, so its scores are then left out.
            top, budget_tokens: as in api.explain_absence.

        Raises:
            QmError: QM429 queue_full, and the errors of api.explain_absence.
        """
        async with self.queue.slot(principal.name):
            prepared = await self.prepare(
                principal,
                goal,
                mode=mode,
                kinds=[kind] if kind else None,
                # Without a reranker, nothing is kept for the next step.
                reranks=self.reranker is not None and as_of is None and acting_as is None,
                advises=False,
            )
            asked = api.explain_absence(
                goal=goal,
                tool=tool,
                mode=mode,
                kind=kind,
                as_of=as_of,
                principal=acting_as,
                top=top,
                budget_tokens=budget_tokens,
                **prepared.arguments,
            )
            acting = replace(principal, goal_model=prepared.goal_model)
            return await self.database.call_one(asked, acting)

    async def prepare(
        self,
        principal: Principal,
        goal: str,
        *,
        mode: str | None = None,
        kinds: list[str] | None = None,
        query_vector: NDArray[np.float32] | None = None,
        recent_context: str | None = None,
        reranks: bool = True,
        advises: bool = True,
    ) -> Prepared:
        """Computes the goal's vector and the scores of the first candidates with the models.

        Args:
            principal, goal, mode, query_vector, recent_context: see `search`.
            kinds: kinds of cards; None uses the database's default.
            reranks: whether the reranker reads the first candidates; false for a search in a past
                catalog.
            advises: whether the answer will contain the advice.

        Raises:
            QmError: the errors of api.rerank_candidates.
        """
        prepared = Prepared()
        async with anyio.create_task_group() as tasks:
            if advises:
                tasks.start_soon(self._advise, principal, goal, prepared)
            if query_vector is None:
                query_vector = await self._embed(principal, goal, prepared)
        if recent_context and query_vector is not None:
            mixed = await self._mix(principal, goal, query_vector, recent_context, prepared)
            if mixed is not None:
                # The reranker would read the goal alone.
                query_vector, reranks = mixed, False
        principal = replace(principal, goal_model=prepared.goal_model)
        prepared.arguments |= without_none(query_vector=query_vector)
        if self.replica is not None and reranks and query_vector is not None:
            with prepared.timed("replica"):
                await self.replica.prepare_search(
                    self.database,
                    principal,
                    goal=goal,
                    mode=mode,
                    kinds=kinds,
                    query_vector=query_vector,
                )
        if self.reranker is None or not reranks:
            return prepared
        asked = api.rerank_candidates(goal=goal, mode=mode, kinds=kinds, query_vector=query_vector)
        await self._rerank_first(self.reranker, principal, goal, asked, prepared)
        return prepared

    async def _mix(
        self,
        principal: Principal,
        goal: str,
        vector: NDArray[np.float32],
        recent_context: str,
        prepared: Prepared,
    ) -> NDArray[np.float32] | None:
        """Mixes the goal's vector with the vector of the recent conversation; returns None if the
        goal needs no context.
        """
        share: float | None = await self.database.if_available(
            partial(self.database.call_value, api.context_share(goal=goal), principal)
        )
        if not share:
            return None
        context = await self._embed(principal, recent_context, prepared)
        if context is None:
            return None
        return mix_context(vector, context, share, self.embedder.model.dimension)

    async def _rerank_first(
        self,
        reranker: AsyncReranker,
        principal: Principal,
        goal: str,
        asked: ApiCall[Any],
        prepared: Prepared,
    ) -> None:
        with prepared.timed("candidates"):
            candidates = await self.database.if_available(
                partial(self.database.call, asked, principal)
            )
        if candidates:
            with prepared.timed("rerank"):
                rerank = await self._rerank(reranker, goal, candidates, prepared)
            prepared.arguments |= without_none(rerank=rerank)

    async def _embed(
        self, principal: Principal, goal: str, prepared: Prepared
    ) -> NDArray[np.float32] | None:
        if not goal.strip():
            return None
        try:
            # The active model may change while this model is computing.
            model = self.embedder.model.name
            with prepared.timed("embed"):
                vector = await self.embedder.embed_goal(goal[:LONGEST_READ], principal.name)
            prepared.goal_model = model
            return vector
        except Exception as error:  # noqa: BLE001 - whatever a model raises, words still find
            log.warning("embedding_failed", model=self.embedder.model.name, error=str(error))
            prepared.warnings.append(_WITHOUT_VECTOR)
            return None

    async def _advise(self, principal: Principal, goal: str, prepared: Prepared) -> None:
        try:
            prepared.advice = await self.database.if_available(
                partial(self.database.call_value, api.advise_goal(goal=goal), principal)
            )
        except QmError as error:
            # The search reports the same problem, or works without advice.
            log.debug("advice_failed", error=str(error))

    async def _rerank(
        self, reranker: AsyncReranker, goal: str, candidates: Sequence[Row], prepared: Prepared
    ) -> dict[str, Any] | None:
        name = reranker.model.name
        try:
            with anyio.fail_after(self.rerank_timeout_s):
                scores = await reranker.score(
                    goal[:LONGEST_READ], [candidate["text"] for candidate in candidates]
                )
        except Exception as error:  # noqa: BLE001 - the first stage's order stands in
            reason = str(error) or f"no answer within {self.rerank_timeout_s} s"
            log.warning("rerank_failed", model=name, error=reason)
            prepared.warnings.append(_WITHOUT_RERANKER)
            return None
        # An early exit leaves out the worst cards, so they have no score; the database ranks them
        # last.
        pairs = zip(candidates, scores.tolist(), strict=False)
        known = {str(row["card_id"]): score for row, score in pairs if isfinite(score)}
        return {"model": name, "scores": known}


def mix_context(
    goal: NDArray[np.float32], context: NDArray[np.float32], share: float, dimension: int
) -> NDArray[np.float32]:
    """Returns the weighted mean of the vectors of a goal and its context, with L2 norm 1.

    Args:
        goal, context: their vectors. Vectors of their sentences may follow, and are ignored.
        share: weight of the context, from api.context_share.
        dimension: dimension of the model's vectors.
    """
    mixed = (1 - share) * goal[:dimension] + share * context[:dimension]
    return (mixed / np.linalg.norm(mixed)).astype(np.float32)
