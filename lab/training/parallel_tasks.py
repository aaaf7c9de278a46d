"""Tasks that run side by side, each in a process of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import torch

from quartermaster.core.logs import configure


def run_together(tasks: Sequence[Callable[[], None]], threads: int) -> None:
    """Runs tasks; they share the CPU threads. If one fails, the others still end."""
    with ProcessPoolExecutor(
        len(tasks),
        mp_context=get_context("spawn"),
        initializer=_begin,
        initargs=(max(1, threads // len(tasks)),),
    ) as pool:
        for running in [pool.submit(task) for task in tasks]:
            running.result()


def _begin(threads: int) -> None:
    configure("info", json=False)
    torch.set_num_threads(threads)
    torch.manual_seed(1)
