"""Compares the decisions of a project with its current commit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, cast

from typing_extensions import TypedDict

from quartermaster.core.api_call import ApiCaller
from quartermaster.projects.git import open_repository
from quartermaster_decisions import api
from quartermaster_decisions.checking import guard_of
from quartermaster_decisions.health import health_of
from quartermaster_decisions.ingest import commit_of
from quartermaster_decisions.mining import cache_of
from quartermaster_decisions.outcomes import outcomes_of


@dataclass(frozen=True)
class Refreshed:
    """The results of a comparison.

    Attributes:
        commit: the commit with which the decisions were compared.
        reports: the health of each decision. Rejected decisions are left out.
        outcomes: whether later commits followed the decisions that agents got.
    """

    commit: str
    reports: list[dict[str, Any]]
    outcomes: list[dict[str, Any]]

    @property
    def flagged(self) -> list[dict[str, Any]]:
        """The reports of decisions that the code no longer follows."""
        return [one for one in self.reports if one["health"] != "fresh"]

    @property
    def counts(self) -> dict[str, int]:
        """Counts the served decisions: those that were followed, those that were violated, and
        those that did not apply.
        """
        results = [one["outcome"] for one in self.outcomes]
        return {one: results.count(one) for one in ("followed", "violated", "not_applicable")}


class ServedDecision(TypedDict):
    """The members of a row of api.served_decisions that this module uses."""

    path: str | None
    served_at: datetime
    decision: Any
    check_definition: Any
    receipt: Any


def refresh(
    calling: ApiCaller,
    root: Path,
    project: str | None,
    data_dir: Path,
    compare: Callable[[Path, list[dict[str, Any]], list[ServedDecision], Path], Refreshed]
    | None = None,
) -> Refreshed:
    """Compares the decisions of a project with its current commit, and stores the results.

    Args:
        calling: calls the API as the principal who reads the decisions and stores the results.
        root: folder of the project.
        project: NAME or OWNER/NAME. None stands for the only project.
        data_dir: data directory, which contains the cache of the repository.
        compare: runs `compared`, for example in a worker. None runs it in this process.

    Raises:
        QmError: 404 folder_not_found, 422 repository_empty, and the errors of git and of the
            database.
    """
    folder = guard_of(root).root
    rows = calling.call(api.find_decisions(project=project, with_excerpts=True))
    found = [row["find_decisions"] for row in rows]
    decisions = [row for row in found if row["status"] != "rejected"]
    served = cast("list[ServedDecision]", calling.call(api.served_decisions(project=project)))
    new = (compare or compared)(folder, decisions, served, data_dir)
    if new.reports:
        calling.call_value(
            api.report_decision_health(reports=new.reports, commit=new.commit, project=project)
        )
    if new.outcomes:
        calling.call_value(api.store_decision_outcomes(outcomes=new.outcomes, project=project))
    return new


def compared(
    folder: Path, decisions: list[dict[str, Any]], served: list[ServedDecision], data_dir: Path
) -> Refreshed:
    """Compares decisions with the current commit of a repository. Runs in a worker of the service.

    Args:
        folder: the repository.
        decisions: decisions from api.find_decisions.
        served: rows from api.served_decisions.
        data_dir: see `refresh`.

    Raises:
        QmError: see `refresh`.
    """
    with open_repository(folder) as repository:
        commit = commit_of(repository, None)
        reports = health_of(repository, decisions, commit, cache_of(data_dir, folder))
        return Refreshed(commit, reports, outcomes_of(repository, served))
