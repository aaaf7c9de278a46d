"""Notes about the ends of calls, in files that outlive this process until rows are written."""

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

    There are two pages: while one is being sent, new notes are written to the other.

    Args:
        data_dir: the data directory.
    """

    def __init__(self, data_dir: Path) -> None:
        self._folder = data_dir / FOLDER
        self._page: Page | None = None
        self._spare: list[Page] = []

    def add(self, record: Record) -> bool:
        """Note how a call ended; returns false if the note cannot be written."""
        record = end_record(record)
        try:
            if self._page is None:
                self._page = self._spare.pop() if self._spare else self._new_page()
            # The file is not synced: a note must survive the end of this process, but not a crash
            # of the machine.
            self._page.file.append(record, is_synced=False)
        except OSError as error:
            _log.warning("end_not_noted", error=str(error))
            return False
        self._page.records.append(record)
        return True

    def _new_page(self) -> Page:
        return Page(new_file(self._folder, NOTES))

    def take(self) -> Page | None:
        """Return the page of new notes and begin another one; None if there are no notes."""
        page, self._page = self._page, None
        return page

    def settle(self, page: Page) -> None:
        """Delete a page that the database has stored."""
        page.file.clear()
        page.records.clear()
        self._spare.append(page)

    def close(self) -> None:
        """Close the files; no notes will follow, and all pages are settled."""
        while self._spare:
            self._spare.pop().file.remove()


def end_record(told: Record) -> Record:
    """Describe how a call has just ended, in the format that the database expects."""
    return {"event": "end", "at": now(), **told}
