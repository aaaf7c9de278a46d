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
from rich.markup import escape
from typer import Option

from quartermaster import __version__
from quartermaster.cli.credentials import open_store, warn_of_lock
from quartermaster.cli.noun import Noun
from quartermaster.cli.options import DataDir, Dsn, SettingsFile, configure
from quartermaster.cli.output import out, say
from quartermaster.cli.own_user import RUNS_AS_ROOT, leave_root
from quartermaster.core import logs, paths
from quartermaster.core.shell import use_own_modes
from quartermaster.core.stop_signals import stop_as_by_ctrl_c
from quartermaster.settings.settings import Settings

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
) -> None:
    """Start the database and all servers, and serve until Ctrl-C is pressed."""
    use_own_modes()
    folder = paths.data_dir(data_dir)
    why_root = leave_root(folder)
    tls = {"tls_cert": tls_cert, "tls_key": tls_key, "tls_ca": tls_ca}
    server = {"port": port} | {key: path and str(path) for key, path in tls.items()}
    configured = configure(folder, settings, dsn=dsn, server=server)
    # If the store is a vault and there is a terminal, open_store asks for the passphrase.
    warn_of_lock(open_store(data_dir))
    _log_to_file(folder, configured)
    out.print(f"[bold]Quartermaster {__version__}[/] in {folder}")
    if why_root:
        out.print(f"[yellow]{RUNS_AS_ROOT}[/] {escape(why_root)}")
    # The many classes created here never become garbage, so the collector need not scan them.
    gc.disable()
    from quartermaster.cli.welcome import Welcome
    from quartermaster.doors.http.app import up

    gc.freeze()
    gc.enable()

    stop_as_by_ctrl_c()
    welcome = Welcome(with_starters=starter)
    anyio.run(
        functools.partial(up, configured, folder, welcome, welcome.step),
        backend_options={"use_uvloop": sys.platform != "win32"},
    )
    files = {"settings": settings, **tls}
    given = {"port": port} | {name: file and file.absolute() for name, file in files.items()}
    options = {name.replace("_", "-"): value for name, value in given.items() if value is not None}
    again = ["qm", "up", *(f"--{name}={value}" for name, value in options.items())]
    if not starter:
        again.append("--no-starter")
    with suppress(OSError):  # the terminal may be gone
        say(f"Stopped. All data is kept; start again with: {shlex.join(again)}")


def _log_to_file(data_dir: Path, settings: Settings) -> None:
    """At a terminal, writes the log to a file, so that it does not hide the output."""
    if sys.stderr.isatty():
        folder = data_dir / "log"
        folder.mkdir(parents=True, exist_ok=True)
        sys.stderr = (folder / "service.log").open("a", encoding="utf-8", buffering=1)
    logs.configure(settings.log.level, json=settings.log.as_json)
