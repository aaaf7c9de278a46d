"""Temporary databases for the commands that measure, and the options that these commands share."""

from __future__ import annotations

import json
from collections.abc import Generator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any

from quartermaster.cli.command import Command, Qm
from quartermaster.cli.options import SettingsFile
from quartermaster.cli.output import err, note
from quartermaster.cli.session import Row
from quartermaster.cli.waiting import Progress
from quartermaster.core import logs, paths
from quartermaster.core.api_call import ApiCall
from quartermaster.core.stop_signals import raise_on_signals
from quartermaster.settings.settings import Settings

if TYPE_CHECKING:
    from quartermaster.eval.arena import EvaluationEnvironment

Sets = Annotated[
    list[Path],
    "Folders with tools.jsonl and queries.jsonl, or pairs of files: a file with tools, then a file"
    " with queries.",
]
LearningSplit = Annotated[str, "Split with the queries to learn from: dev or train."]

Kind = Annotated[str, "Kind of the cards in tools.jsonl; see qm card."]


@dataclass
class Measurement(Qm):
    """A command that measures in temporary databases."""

    options = (*Qm.options, "embedded", "settings_file")

    embedded: Annotated[bool, "Use a temporary database server even if qm up is running."] = False
    settings_file: SettingsFile = None

    def settings(self) -> Settings:
        """Loads the settings. From then on, only warnings and errors are logged, and SIGTERM acts
        like Ctrl-C.
        """
        logs.configure("warning", json=False)
        raise_on_signals()
        return super().settings()

    def bench(
        self, settings: Settings, count: int = 1
    ) -> AbstractContextManager[EvaluationEnvironment]:
        """Creates temporary databases; see `workbench`."""
        return workbench(settings, self.folder, self.dsn, count, embedded=self.embedded)


@dataclass
class Learning:
    """Options that say what to do with learned weights."""

    output: Annotated[Path | None, "Write the weights to this file (JSON)."] = None
    apply: Annotated[
        bool,
        "Activate the weights in the database of the running Quartermaster, or in the database of"
        " --dsn.",
    ] = False

    def keep(self, qm: Command, learned: Row, activate: ApiCall[Any]) -> None:
        """Writes the weights to the file and activates them, as far as requested.

        Args:
            qm: command whose database uses the weights.
            learned: learned weights, the content of the file.
            activate: call that activates the weights.
        """
        if self.output is not None:
            self.output.write_text(json.dumps(learned, indent=2) + "\n", encoding="utf-8")
            note(f"Weights written to {self.output}.")
        if self.apply:
            qm.call(activate)
            note("The weights are now in use.")


@contextmanager
def workbench(
    settings: Settings,
    data_dir: Path,
    dsn: str | None,
    count: int = 1,
    *,
    embedded: bool = False,
    title: str = "",
) -> Generator[EvaluationEnvironment]:
    """Creates temporary databases and drops them at the end.

    If a DSN is given, they are created on its server. Otherwise, they are created on the server of
    the running `qm up`. If no `qm up` is running, an embedded server is started, and stopped at the
    end.

    Raises:
        QmError: any error of the server or the installation.
    """
    from quartermaster.eval.arena import EvaluationEnvironment
    from quartermaster.install.throw_away import throw_away_database

    run = paths.RunFile.read(data_dir)
    keeps = dsn
    if dsn is None and run is not None and run.is_alive() and not embedded:
        keeps = paths.read_admin(data_dir)
    with ExitStack() as stack:
        with err.status("starting a database"):
            place = keeps or stack.enter_context(_server(settings, data_dir))
            made = [stack.enter_context(throw_away_database(place)) for _ in range(count)]
        progress = stack.enter_context(Progress(title))
        yield EvaluationEnvironment(settings, data_dir, made, progress.update, keeps)


@contextmanager
def _server(settings: Settings, data_dir: Path) -> Generator[str]:
    """Starts an embedded server in a temporary folder; yields its administrator's DSN."""
    from quartermaster.substrate.embedded import EmbeddedServer

    buffers, runtime_dir = settings.postgres.shared_buffers, paths.runtime_dir(data_dir)
    with TemporaryDirectory(prefix="qm-eval-", ignore_cleanup_errors=True) as name:
        # The folder must be open to the user that PostgreSQL runs as.
        Path(name).chmod(0o755)
        with EmbeddedServer(Path(name), runtime_dir, shared_buffers=buffers) as server:
            yield server.dsn
