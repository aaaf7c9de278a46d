"""``qm up``: starts everything and serves."""

from __future__ import annotations

import functools
import gc
import shlex
import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import anyio
import typer
from rich.markup import escape
from typer import Option

from quartermaster import __version__
from quartermaster.cli.credential_prompt import open_store, warn_of_lock
from quartermaster.cli.noun import Noun
from quartermaster.cli.options import DataDir, Dsn, SettingsFile, configure
from quartermaster.cli.output import forget, out, pasteable, say
from quartermaster.cli.own_user import RUNS_AS_ROOT, leave_root
from quartermaster.core import logs, paths
from quartermaster.core.scratch import remove_left
from quartermaster.core.shell import use_own_modes
from quartermaster.core.stop_signals import stop_as_by_ctrl_c
from quartermaster.settings.settings import Settings
from quartermaster.upstream.confinement import confinement

noun = Noun()


@noun.verb()
def up_command(
    data_dir: DataDir = None,
    port: Annotated[
        int | None, "Port to serve on; 0 means any free port.", Option(min=0, max=65535)
    ] = None,
    tls_cert: Annotated[
        Path | None, "Serve HTTPS with this certificate (PEM file, with its chain)."
    ] = None,
    tls_key: Annotated[Path | None, "Private key for the certificate (PEM file)."] = None,
    tls_ca: Annotated[
        Path | None,
        "PEM file with the CA certificates that clients on this machine use to verify the"
        " certificate; default: the system's CA certificates.",
    ] = None,
    dsn: Dsn = None,
    settings: SettingsFile = None,
    starter: Annotated[bool, "Install and connect the starter servers."] = True,
    check: Annotated[
        bool,
        Option("--check", help="Show the example and stop; the status is 1 if no server works."),
    ] = False,
    log: Annotated[
        bool, Option("--log", help="Write the log to standard error, too, not only to its file.")
    ] = False,
) -> None:
    """Start the database and all servers, and serve until Ctrl-C is pressed."""
    use_own_modes()
    folder = paths.data_dir(data_dir)
    # The commands that are printed find the database by the data directory.
    shown_dsn = forget("QM_DATABASE__DSN")
    why_root = leave_root(folder)
    tls = {"tls_cert": tls_cert, "tls_key": tls_key, "tls_ca": tls_ca}
    server = {"port": port} | {key: path and str(path) for key, path in tls.items()}
    configured = configure(folder, settings, dsn=dsn, server=server)
    # If the store is a vault and there is a terminal, open_store asks for the passphrase.
    warn_of_lock(open_store(data_dir))
    _start_log(folder, configured, on_stderr=log)
    if left := remove_left():
        logs.get_logger().info("scratch_folders_removed", folders=left)
    in_pipe = not out.is_terminal
    out.print(f"[bold]Quartermaster {__version__}[/] in {escape(str(folder))}", soft_wrap=in_pipe)
    if why_root:
        out.print(f"[yellow]{RUNS_AS_ROOT}[/] {escape(why_root)}", soft_wrap=in_pipe)
    if confinement().kind == "none":
        out.print(f"[yellow]{confinement().describe()}[/]", soft_wrap=in_pipe)
    # The many classes created here never become garbage, so the collector need not scan them.
    gc.disable()
    from quartermaster.cli.welcome import Welcome
    from quartermaster.doors.http.app import up

    gc.freeze()
    gc.enable()

    stop_as_by_ctrl_c()
    welcome = Welcome(with_starters=starter, stays=not check)
    anyio.run(
        functools.partial(up, configured, folder, welcome, welcome.step, stays=not check),
        backend_options={"use_uvloop": sys.platform != "win32"},
    )
    if check:
        raise typer.Exit(int(welcome.has_failed))
    files = {"settings": settings, **tls}
    given = {"port": port, "dsn": shown_dsn}
    given |= {name: file and file.absolute() for name, file in files.items()}
    options = {name.replace("_", "-"): value for name, value in given.items() if value is not None}
    again = ["qm", "up", *(f"--{name}={value}" for name, value in options.items())]
    again += ["--no-starter"] * (not starter) + ["--log"] * log
    with suppress(OSError):  # the terminal may be gone
        hidden = shown_dsn not in (None, dsn)
        if hidden:
            say("The password of the database is not shown; put it into PGPASSWORD or ~/.pgpass.")
        say("Stopped. All data is kept; start again with:")
        out.print(pasteable(shlex.join(again)), markup=False, highlight=False, soft_wrap=True)


def _start_log(data_dir: Path, settings: Settings, *, on_stderr: bool) -> None:
    folder = data_dir / "log"
    paths.make_usable(data_dir)
    paths.make_usable(folder)
    logs.configure(
        settings.log.level,
        json=settings.log.as_json,
        file=folder / "service.log",
        stderr=on_stderr or settings.log.stderr,
    )
