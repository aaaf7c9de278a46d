"""How calls ended whose rows do not say so yet: in files that outlive this process."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from quartermaster.degraded.spool_file import FOLDER, NOTES, Record, SpoolFile, new_file, now
from quartermaster.logs import get_logger

_MOST_IN_A_FILE: Final = 1000
_log = get_logger(part="call_log")


class Page:
    """A file of notes, and how many of them there were and are still to be settled."""

    def __init__(self, file: SpoolFile) -> None:
        self.file = file
        self.added = self.open = 0


class EndNotes:
    """Notes that a later process hands in (`degraded.spool`) if this one is killed.

    Args:
        data_dir: where the folder is.
    """

    def __init__(self, data_dir: Path) -> None:
        self._folder = data_dir / FOLDER
        self._page: Page | None = None

    def add(self, record: Record) -> Page | None:
        """Notes one end; returns where, for `settle`, or None: the disk refuses."""
        try:
            if self._page is None or self._page.added == _MOST_IN_A_FILE:
                self._page = Page(new_file(self._folder, NOTES))
            # Not synced: it has to outlive this process, not the machine.
            self._page.file.append({"event": "end", "at": now(), **record}, is_synced=False)
        except OSError as error:
            _log.warning("end_not_noted", error=str(error))
            return None
        self._page.added += 1
        self._page.open += 1
        return self._page

    def settle(self, page: Page) -> None:
        """One end that was noted there is in the database now."""
        page.open -= 1
        if page.open:
            return
        if page is self._page:
            page.file.clear()
            page.added = 0
        else:
            page.file.remove()

    def close(self) -> None:
        """No more will be noted, and all are settled."""
        if self._page is not None:
            self._page.file.remove()
            self._page = None
