"""Runs the database's jobs when they are due."""

from __future__ import annotations

from quartermaster.core.logs import get_logger
from quartermaster.service import Service

log = get_logger(part="jobs")


async def run_due_jobs(service: Service) -> int:
    """Run due jobs, the longest waiting first; no two processes run the same job.

    Returns:
        The number of jobs that ran.

    Raises:
        QmError: the errors of api.run_job.
    """
    done = 0
    while rows := await service.database.call("run_job", service.worker):
        [row] = rows
        done += 1
        outcome = "ok" if row["failure"] is None else "failed"
        service.meters.jobs.labels(row["job"], outcome).inc()
        if row["failure"] is not None:
            log.warning("job_failed", job=row["job"], failure=row["failure"])
        elif "warning" in row["result"]:
            log.warning("job_warns", job=row["job"], **row["result"])
        else:
            # The run of a frequent job is not logged if there was nothing to do.
            say = log.info if any(row["result"].values()) else log.debug
            say("job_done", job=row["job"], ms=round(row["duration_ms"]), **row["result"])
    return done
