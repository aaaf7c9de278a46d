"""What one run of a command was given, and how it answers people and programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from quartermaster.cli import output
from quartermaster.cli.options import DataDir, DryRun, Dsn, Json, Yes
from quartermaster.cli.session import Row, Session, open_session, running
from quartermaster.core import paths

if TYPE_CHECKING:
    from quartermaster.secrets.store import SecretStore
    from quartermaster.settings import Settings


class Command(ExitStack):
    """One run of a command; its subclasses say which of the shared options it has.

    Attributes:
        json: print the returned value, and nothing for people.
        dry_run: only show what would change.
        yes: do not ask.
        data_dir: of the Quartermaster to use, as given.
        dsn: of another database.
        settings_file: other than that of the data directory.
        failed: exit status 1 once all is said.
    """

    json: bool = False
    dry_run: bool = False
    yes: bool = False
    data_dir: Path | None = None
    dsn: str | None = None
    settings_file: Path | None = None
    failed: bool = False

    def __post_init__(self) -> None:
        super().__init__()

    @property
    def target(self) -> str:
        """DSN of the database.

        Raises:
            QmError: QM503 not_running.
        """
        return self.dsn or running(self.data_dir).dsn

    @cached_property
    def session(self) -> Session:
        """The connection to the database; it is opened when it is first used.

        Raises:
            QmError: QM503 not_running or database_unavailable.
        """
        return self.enter_context(open_session(self.data_dir, self.dsn))

    def call(self, operation: str, /, **arguments: object) -> list[Row]:
        """Calls an api function, as `Session.call`."""
        return self.session.call(operation, **arguments)

    def call_value(self, operation: str, /, **arguments: object) -> Any:
        """Calls an api function of one value, as `Session.call_value`."""
        return self.session.call_value(operation, **arguments)

    def unless_dry(self) -> AbstractContextManager[None]:
        """A transaction around all calls inside that a dry run rolls back."""
        return self.session.rolled_back() if self.dry_run else nullcontext()

    @property
    def preview(self) -> str:
        """What follows a sentence about a change that a dry run only shows."""
        return " (preview; nothing was changed)" if self.dry_run else ""

    @property
    def folder(self) -> Path:
        """The data directory."""
        return paths.data_dir(self.data_dir)

    @property
    def is_served(self) -> bool:
        """Whether a service of the data directory is there to do work."""
        run = paths.RunFile.read(self.folder)
        return run is not None and run.is_alive()

    def settings(self) -> Settings:
        """The settings of the data directory.

        Raises:
            QmError: QM422 settings_invalid.
        """
        from quartermaster.settings import load

        return load(self.folder, self.settings_file)

    def model_places(self) -> tuple[Path, SecretStore]:
        """Where models lie that have been made ready, and the secrets of those that are remote."""
        from quartermaster.secrets.store import SecretStore

        return paths.runtime_dir(self.folder), SecretStore(self.folder)

    def say(self, text: str) -> None:
        """A sentence for people."""
        if not self.json:
            output.say(text)

    def note(self, text: str) -> None:
        """A sentence for people beside the result, on stderr."""
        if not self.json:
            output.note(text)

    def table(
        self,
        rows: Sequence[Mapping[str, Any]],
        columns: output.Columns,
        *,
        title: str = "",
        empty: str = "",
        wrapped: str = "",
    ) -> None:
        """A table for people; see `output.print_rows`."""
        if not self.json:
            output.print_rows(rows, columns, title=title, empty=empty, wrapped=wrapped)

    def facts(self, subject: str, name: str, facts: Mapping[str, Any]) -> None:
        """What is known of one thing, for people; see `output.print_facts`."""
        if not self.json:
            output.print_facts(subject, name, facts)

    def confirmed(self, question: str) -> bool:
        """Whether to do it: not in a dry run; a no of the person asked ends the command."""
        if self.dry_run:
            return False
        output.confirm(question, yes=self.yes)
        return True

    def answer(self, value: object) -> None:
        """Ends the command: prints its value for programs.

        Raises:
            typer.Exit: status 1, as `failed` says.
        """
        if self.json:
            output.print_json(value)
        if self.failed:
            raise typer.Exit(1)


@dataclass
class Qm(Command):
    """A command with an answer for programs."""

    json: Json = False
    data_dir: DataDir = None
    dsn: Dsn = None


@dataclass
class Trial(Command):
    """One that can be tried without an effect."""

    dry_run: DryRun = False
    json: Json = False
    data_dir: DataDir = None
    dsn: Dsn = None


@dataclass
class Decision(Command):
    """One that shows what it is about to do, and asks."""

    dry_run: DryRun = False
    yes: Yes = False
    json: Json = False
    data_dir: DataDir = None
    dsn: Dsn = None


@dataclass
class Local(Command):
    """One that does without a database."""

    json: Json = False
    data_dir: DataDir = None


@dataclass
class Plain(Command):
    """One that only prints text."""

    data_dir: DataDir = None
    dsn: Dsn = None
