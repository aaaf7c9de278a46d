"""Compares decisions with the code whenever a project has a new commit."""

from __future__ import annotations

import os
from contextlib import aclosing
from functools import partial
from pathlib import Path
from typing import Final

from anyio import from_thread

from quartermaster.core.errors import QmError
from quartermaster.core.logs import get_logger
from quartermaster.db.from_thread import FromThread
from quartermaster.projects.git import open_repository
from quartermaster.projects.threads import run_in_background
from quartermaster.projects.worker_calls import WorkerError
from quartermaster.projects.workers import Workers
from quartermaster.service import Service
from quartermaster_decisions import api
from quartermaster_decisions.refreshing import compared, refresh

# The first comparison reads all code of a repository.
_COMPARING_S: Final = 600.0

log = get_logger(part="decisions")


async def keep_decisions_compared(service: Service) -> None:
    """Compares the decisions of every project whose current commit has changed since the last
    comparison.
    """
    for row in await service.database.call(api.projects_to_refresh(), service.worker):
        try:
            await _refresh_if_new(service, row)
        except (QmError, WorkerError, OSError) as error:
            log.warning("decisions_not_compared", project=row["project"], error=str(error))
        except Exception:
            # Nothing that a repository contains may keep the others from being compared.
            log.exception("decisions_not_compared", project=row["project"])


async def _refresh_if_new(service: Service, row: api.ProjectsToRefreshRow) -> None:
    root = Path(row["root"])
    head = await run_in_background(_head, root)
    if head is None or row["commits"] == [head]:
        return
    principal = await service.database.find_principal(row["owner"])
    calling = FromThread(service.database, principal)
    async with aclosing(Workers(1, path=os.environ.get("PATH", ""))) as workers:
        ask = partial(workers.call, compared, timeout_s=_COMPARING_S)
        compare = partial(from_thread.run, ask)
        given = (calling, root, row["project"], service.data_dir, compare)
        found = await run_in_background(refresh, *given)
    counts = {"decisions": len(found.reports), "flagged": len(found.flagged), **found.counts}
    log.info("decisions_compared", project=row["project"], commit=found.commit, **counts)


def _head(root: Path) -> str | None:
    """Returns the current commit of a repository. Returns None if the folder does not exist on this
    machine, or has no commit.

    If the folder was replaced with a link after the administrator added it, it is not read.
    """
    try:
        with open_repository(root) as repository:
            return repository.head
    except QmError as error:
        if error.slug in {"repository_not_found", "git_folder_denied"}:
            return None
        raise
