"""Notes of how calls ended, in files that outlive this process, until the rows are written."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from quartermaster.core.logs import get_logger
from quartermaster.outage.spool_file import FOLDER, NOTES, Record, SpoolFile, new_file, now

_log = get_logger(part="call_log")


@dataclass
class Page:
    """A file of notes, and its content."""

    file: SpoolFile
    records: list[Record] = field(default_factory=list[Record])


class EndNotes:
    """Notes that a later process writes to the database (`outage.spool`) if this one is killed.

    Two pages take turns: while one is being handed in, the other is written.

    Args:
        data_dir: where the folder is.
    """

    def __init__(self, data_dir: Path) -> None:
        self._folder = data_dir / FOLDER
        self._page: Page | None = None
        self._spare: list[Page] = []

    def add(self, record: Record) -> bool:
        """Notes one end; false: the disk refuses."""
        record = end_record(record)
        try:
            if self._page is None:
                self._page = self._spare.pop() if self._spare else self._new_page()
            # Not synced: it has to outlive this process, not the machine.
            self._page.file.append(record, is_synced=False)
        except OSError as error:
            _log.warning("end_not_noted", error=str(error))
            return False
        self._page.records.append(record)
        return True

    def _new_page(self) -> Page:
        return Page(new_file(self._folder, NOTES))

    def take(self) -> Page | None:
        """Takes the notes since the last page, and begins a new page; None if there are none."""
        page, self._page = self._page, None
        return page

    def settle(self, page: Page) -> None:
        """Deletes a page that the database has stored."""
        page.file.clear()
        page.records.clear()
        self._spare.append(page)

    def close(self) -> None:
        """No more will be noted, and all are settled."""
        while self._spare:
            self._spare.pop().file.remove()


def end_record(told: Record) -> Record:
    """Describes how a call just ended, in the form that the database takes."""
    return {"event": "end", "at": now(), **told}
