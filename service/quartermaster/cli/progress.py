"""Shows the progress of long-running work on standard error."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    ProgressColumn,
    SpinnerColumn,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.progress import Progress as Bars

from quartermaster.cli.output import err


def progress_bar(*columns: ProgressColumn) -> Bars:
    """A progress bar; it prints nothing if stderr is not a terminal."""
    return Bars(
        SpinnerColumn(),
        TextColumn("[progress.description]{task.description}"),
        BarColumn(),
        *columns,
        TimeElapsedColumn(),
        console=err,
        disable=not err.is_terminal,
    )


class Progress:
    """A bar for each step of a measurement, or one line if stderr is not a terminal.

    Args:
        title: title to print above the bars.
    """

    def __init__(self, title: str = "") -> None:
        if title:
            err.print(title, markup=False, highlight=False)
        self._bars = progress_bar(MofNCompleteColumn(), TimeRemainingColumn())
        self._tasks: dict[str, TaskID] = {}

    def update(self, what: str, done: int, total: int) -> None:
        """Shows the progress of a step."""
        if what not in self._tasks:
            self._tasks[what] = self._bars.add_task(what, total=total)
            if not err.is_terminal:
                err.print(f"{what}: {total:,}", markup=False, highlight=False)
        self._bars.update(self._tasks[what], completed=done, total=total)

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bars.stop()
