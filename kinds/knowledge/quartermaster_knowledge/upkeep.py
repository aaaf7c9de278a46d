"""Reads environments again after packages in them were installed, updated or removed."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from quartermaster.core.errors import QmError
from quartermaster.core.logs import get_logger
from quartermaster.db.from_thread import FromThread
from quartermaster.projects.threads import run_in_background
from quartermaster.service import Service
from quartermaster_knowledge import api
from quartermaster_knowledge.environment import state_of
from quartermaster_knowledge.indexing import index_environment

log = get_logger(part="knowledge")


async def keep_environments_read(service: Service) -> None:
    """Reads every environment that has changed since it was last read completely."""
    for row in await service.database.call(api.environments_to_watch(), service.worker):
        try:
            await _read_if_changed(service, row)
        except (QmError, OSError) as error:
            log.warning("environment_not_read", folder=row["folder"], error=str(error))
        except Exception:
            # Nothing that an environment contains may keep the others from being read.
            log.exception("environment_not_read", folder=row["folder"])


async def _read_if_changed(service: Service, row: api.EnvironmentsToWatchRow) -> None:
    folder = Path(row["folder"])
    if not _may_be_read(folder, row["root"]):
        return
    root = Path(row["root"]) if row["root"] else None
    if await run_in_background(state_of, folder, root) == row["state"]:
        return
    principal = await service.database.find_principal(row["indexed_by"])
    read = partial(
        index_environment,
        FromThread(service.database, principal),
        folder,
        project=row["project"],
        root=root,
    )
    log.info("environment_read", folder=row["folder"], **await run_in_background(read))


def _may_be_read(folder: Path, root: str | None) -> bool:
    """Returns whether a folder may be read: an administrator named it, or it is inside the folder
    of the project.
    """
    return folder.is_dir() and (root is None or folder.resolve().is_relative_to(root))
