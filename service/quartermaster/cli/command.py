"""The options of one command run, and its output for people and for programs."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import typer

from quartermaster.cli import NOT_READY, output
from quartermaster.cli.options import DataDir, DryRun, Dsn, Json, Yes
from quartermaster.cli.session import AdminSession, admin_dsn, open_session, running
from quartermaster.core import paths
from quartermaster.core.api_call import AnyRow, AnyValue, ApiCall, ApiValue

if TYPE_CHECKING:
    from quartermaster.cli.service_client import ServiceClient
    from quartermaster.secrets.store import SecretStore
    from quartermaster.settings.settings import Settings

_Rows = TypeVar("_Rows", bound=Sequence[Mapping[str, Any]])


@dataclass
class Command(ExitStack):
    """One run of a command; the subclasses define which of the shared options a command has.

    Attributes:
        options: names of the fields that are options of the command, in the order of its help.
        dry_run: whether to show only what would change.
        yes: whether to skip the request for confirmation.
        json: whether to print the returned value as JSON instead of text for people.
        data_dir: data directory from the command line; None uses the default.
        dsn: DSN of a database to use instead of the running database.
        settings_file: settings file to use instead of the file in the data directory.
        failed: whether the command ends with exit status 1.
        unfinished: whether the command ends with the exit status for unfinished work.
    """

    options: ClassVar[tuple[str, ...]] = ()

    dry_run: DryRun = False
    yes: Yes = False
    json: Json = False
    data_dir: DataDir = None
    dsn: Dsn = None
    settings_file: Path | None = field(default=None, init=False)
    failed: bool = field(default=False, init=False)
    unfinished: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        super().__init__()

    @property
    def target(self) -> str:
        """DSN of the database.

        Raises:
            QmError: QM503 not_running, QM403 data_dir_not_ours.
        """
        return self.dsn or admin_dsn(self.data_dir)

    @cached_property
    def session(self) -> AdminSession:
        """The connection to the database, which is opened at its first use.

        Raises:
            QmError: QM503 not_running or database_unavailable.
        """
        return self.enter_context(open_session(self.data_dir, self.dsn))

    def call(self, asked: ApiCall[AnyRow], /) -> list[AnyRow]:
        """Calls an api function; see `AdminSession.call`."""
        return self.session.call(asked)

    def call_value(self, asked: ApiValue[AnyValue], /) -> AnyValue:
        """Calls an api function that returns one value; see `AdminSession.call_value`."""
        return self.session.call_value(asked)

    def read(self, asked: ApiCall[AnyRow], /) -> list[AnyRow]:
        """Calls an api function that changes nothing: through the service, or in the database of
        the DSN.

        Raises:
            QmError: QM503 not_running or not_reachable, and the error that the function raised.
        """
        if self.dsn is not None:
            return self.call(asked)
        return self.service.read(asked)

    def read_value(self, asked: ApiValue[AnyValue], /) -> AnyValue:
        """Calls an api function that changes nothing and returns one value; see `read`."""
        return next(iter(self.read(asked)[0].values()))

    @cached_property
    def service(self) -> ServiceClient:
        """The running service. If two variables each name a service, prints which of the two
        services is used.

        Raises:
            QmError: QM503 not_running, QM403 data_dir_not_ours.
        """
        from quartermaster.cli.service_client import ServiceClient

        run = running(self.data_dir)
        if self.is_elsewhere and os.environ.get("QM_DATA_DIR"):
            self.note(f"Asking the service at {run.url} (QM_URL), not that of QM_DATA_DIR.")
        return ServiceClient(run)

    def unless_dry(self) -> AbstractContextManager[object]:
        """Returns a context manager. In a dry run, it rolls back all calls in the block; otherwise,
        each call is a separate transaction.
        """
        return self.session.rolled_back() if self.dry_run else nullcontext()

    def together(self) -> AbstractContextManager[object]:
        """Returns a transaction around all calls in the block. All or none of the calls take
        effect; in a dry run, none.
        """
        return self.session.rolled_back() if self.dry_run else self.session.together()

    @property
    def preview(self) -> str:
        """Suffix that marks a sentence about a change as the result of a dry run."""
        return " (preview; nothing was changed)" if self.dry_run else ""

    @property
    def folder(self) -> Path:
        """The data directory."""
        return paths.data_dir(self.data_dir)

    @property
    def is_elsewhere(self) -> bool:
        """Whether QM_URL names the service, which may be on another machine."""
        return not (self.dsn or self.data_dir) and paths.RunFile.in_environment() is not None

    @property
    def has_key(self) -> bool:
        """Whether the command acts for the owner of QM_KEY, who may not be an administrator."""
        return self.dsn is None and paths.chosen_key(self.data_dir) is not None

    @property
    def is_served(self) -> bool:
        """Whether a service is running in the data directory."""
        run = paths.RunFile.read(self.folder)
        return run is not None and run.is_alive()

    def settings(self) -> Settings:
        """Returns the settings of the data directory.

        Raises:
            QmError: QM422 settings_invalid.
        """
        from quartermaster.settings.settings import load

        return load(self.folder, self.settings_file)

    def model_places(self) -> tuple[Path, SecretStore]:
        """Returns the folder that contains prepared models, and the secret store for the keys of
        remote models.
        """
        from quartermaster.secrets.store import SecretStore

        return paths.runtime_dir(self.folder), SecretStore(self.folder)

    def say(self, text: str) -> None:
        """Prints a sentence for people."""
        if not self.json:
            output.say(text)

    def foretell(self, text: str) -> None:
        """Prints what the command is about to do. With --json, prints to stderr, and only if a
        person is asked for confirmation.
        """
        if not self.json:
            output.say(text)
        elif not (self.yes or self.dry_run):
            output.note(text)

    def note(self, text: str) -> None:
        """Prints a sentence for people to stderr, separate from the result."""
        if not self.json:
            output.note(text)

    def table(
        self, rows: _Rows, columns: output.Columns, *, title: str = "", empty: str = ""
    ) -> _Rows:
        """Prints a table for people, and returns its rows; see `output.print_rows`."""
        if not self.json:
            output.print_rows(rows, columns, title=title, empty=empty)
        return rows

    def facts(self, subject: str, name: str, facts: Mapping[str, Any]) -> None:
        """Prints the facts about one thing for people; see `output.print_facts`."""
        if not self.json:
            output.print_facts(subject, name, facts)

    def confirmed(self, question: str) -> bool:
        """Asks for confirmation; a negative answer ends the command. A dry run does not ask, and
        returns False.
        """
        if self.dry_run:
            return False
        output.confirm(question, yes=self.yes)
        return True

    def confirmed_by_name(self, question: str, name: str) -> bool:
        """Asks the user to type a name; another answer ends the command. A dry run does not ask,
        and returns False.
        """
        if self.dry_run:
            return False
        output.confirm_by_name(question, name, yes=self.yes)
        return True

    def answer(self, value: object) -> None:
        """Prints the value of the command if JSON was requested, and sets the exit status.

        Raises:
            typer.Exit: with status 1 if `failed` is set, or with `NOT_READY` if `unfinished` is
                set.
        """
        if self.json:
            output.print_json(value)
        if self.failed or self.unfinished:
            raise typer.Exit(1 if self.failed else NOT_READY)


class Qm(Command):
    """A command that can also answer in JSON."""

    options = ("json", "data_dir", "dsn")


class DryRunCommand(Command):
    """A command that supports a dry run."""

    options = ("dry_run", "json", "data_dir", "dsn")


class Decision(Command):
    """A command that shows the changes that it will make, and asks for confirmation."""

    options = ("dry_run", "yes", "json", "data_dir", "dsn")


class Consent(Command):
    """A command that asks for confirmation if it would grant something."""

    options = ("yes", "json", "data_dir", "dsn")


class Local(Command):
    """A command that does not need the database."""

    options = ("json", "data_dir")


class PlainCommand(Command):
    """A command that only prints text."""

    options = ("data_dir", "dsn")
