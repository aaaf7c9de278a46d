"""Reads distributions in separate processes with limits on memory and CPU time."""

from __future__ import annotations

import gc
import json
import resource
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context, parent_process
from os import _exit, cpu_count
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any, Final

from quartermaster.guardrails.masking import masked_secrets
from quartermaster_knowledge.environment import CONTROL, InstalledDistribution
from quartermaster_knowledge.reading import PackageReader
from quartermaster_knowledge.rows import rows_of, without_places

# What reading one distribution may take. The largest that was seen, SQLAlchemy, takes 0.2 GB and
# 11 s. A fault of the reader or a hostile package takes whatever there is.
MOST_MEMORY: int = 2_000_000_000
MOST_SECONDS: int = 300
# PostgreSQL stores at most 256 MB in an array of JSON.
_MOST_JSON: Final = 200_000_000
_MOST_UNREAD: Final = 50


@dataclass(frozen=True)
class DistributionContents:
    """The contents that a process has read from a distribution."""

    distribution: InstalledDistribution
    rows: list[dict[str, Any]]
    unread: list[str]

    def distribution_row(self) -> dict[str, Any]:
        """Returns the row that the database stores."""
        return {
            "name": self.distribution.name,
            "version": self.distribution.version,
            "digest": self.distribution.digest.hex(),
            "modules": list(self.distribution.modules),
            "summary": masked_secrets(self.distribution.summary),
            "unread": self.unread,
            "symbols": self.rows,
        }


def read_all(distributions: Sequence[InstalledDistribution]) -> Iterator[DistributionContents]:
    """Reads several distributions in parallel. Yields each distribution as soon as it has been
    read.
    """
    count = min(cpu_count() or 1, 4, len(distributions))
    if not count:
        return
    readers = _Readers(count)
    threads = ThreadPoolExecutor(count)
    try:
        futures = [threads.submit(readers.read, each) for each in distributions]
        for future in as_completed(futures):
            yield future.result()
    finally:
        threads.shutdown(cancel_futures=True)
        readers.close()


class _Readers:
    """A pool of processes, each of which reads one distribution at a time.

    If a distribution makes a process fail, the pool reports this for the distribution, and still
    reads the other distributions.
    """

    def __init__(self, count: int) -> None:
        self._idle = SimpleQueue[ProcessPoolExecutor]()
        for _ in range(count):
            self._idle.put(_new_process())

    def read(self, distribution: InstalledDistribution) -> DistributionContents:
        """Reads a distribution in an idle process. Waits until a process is idle."""
        process = self._idle.get()
        try:
            return process.submit(_read_within, distribution, MOST_SECONDS).result()
        except Exception as error:  # noqa: BLE001 - whatever a file makes the reader raise
            process.shutdown()
            process = _new_process()
            return DistributionContents(distribution, [], [_reason(error)])
        finally:
            self._idle.put(process)

    def close(self) -> None:
        """Ends all processes of the pool."""
        while not self._idle.empty():
            self._idle.get().shutdown()


def _new_process() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(
        1, mp_context=get_context("spawn"), initializer=_bound, initargs=(MOST_MEMORY,)
    )


def _reason(error: Exception) -> str:
    if isinstance(error, MemoryError):
        return f"needs more than {MOST_MEMORY / 1e9:g} GB of memory to be read"
    if isinstance(error, BrokenProcessPool):
        return f"its reading process was ended, or took more than {MOST_SECONDS} s"
    return "its files cannot be read"


def _bound(most: int) -> None:
    """Prepares a reading process: ends it together with its parent, and limits the memory that it
    can map.
    """
    Thread(target=_end_with_parent, daemon=True).start()
    statm = Path("/proc/self/statm")
    mapped = int(statm.read_text().split()[0]) * resource.getpagesize() if statm.exists() else 0
    _limit(resource.RLIMIT_AS, mapped + most)


def _end_with_parent() -> None:
    """Ends this process when its parent has ended, because nobody would use the results."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        _exit(1)


def _read_within(distribution: InstalledDistribution, seconds: int) -> DistributionContents:
    used = resource.getrusage(resource.RUSAGE_SELF)
    # The kernel ends a process that needs more.
    _limit(resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime) + 1 + seconds)
    return read_distribution(distribution)


def _limit(name: int, most: int) -> None:
    hard = resource.getrlimit(name)[1]
    resource.setrlimit(name, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def read_distribution(distribution: InstalledDistribution) -> DistributionContents:
    """Reads the objects of one distribution. Its code is not executed."""
    # Trees of syntax have many cycles and die together: to collect them in between takes long.
    collects = gc.isenabled()
    gc.disable()
    try:
        return _read(distribution)
    finally:
        if collects:
            gc.enable()


def _read(distribution: InstalledDistribution) -> DistributionContents:
    if distribution.unread:
        return DistributionContents(distribution, [], [distribution.unread])
    # On some systems /lib is a link; the finder of modules resolves links.
    reader = PackageReader(distribution.folder.resolve(), distribution.modules, distribution.own)
    symbols = reader.read()
    reader.read_document(distribution.readme)
    for document in distribution.documents:
        reader.read_document(document.read_text(encoding="utf-8", errors="replace")[:400_000])
    compiled = [f"{name}: compiled, without stubs" for name in distribution.compiled]
    unread = [
        CONTROL.sub("\ufffd", masked_secrets(each))
        for each in [*reader.unread, *compiled][:_MOST_UNREAD]
    ]
    rows = without_places(rows_of(symbols), distribution.folder)
    if len(rows) < len(symbols):
        left_out = len(symbols) - len(rows)
        unread.append(f"{left_out} objects whose name contains a secret or is too long")
    if len(json.dumps(rows)) > _MOST_JSON:
        return DistributionContents(
            distribution, [], [f"more than {_MOST_JSON // 1_000_000} MB of documentation"]
        )
    return DistributionContents(distribution, rows, unread)
