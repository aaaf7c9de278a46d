"""The keyring of Linux as it is: GNOME's Secret Service on a bus of its own, without a desktop."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.canary import canary, leaks_in_folder

pytestmark = pytest.mark.skipif(
    not (shutil.which("dbus-run-session") and shutil.which("gnome-keyring-daemon")),
    reason="gnome-keyring or dbus is not there: run scripts/test-prerequisites.sh",
)

QM = Path(sys.executable).parent / "qm"
# Started inside the session, so that it ends with it.
UNLOCKED = 'printf %s "$0" | gnome-keyring-daemon --unlock --components=secrets >&2; exec "$@"'
RESOLVE = (
    "import sys; from pathlib import Path; from quartermaster.secrets.store import SecretStore;"
    " print(SecretStore(Path(sys.argv[1])).resolve('secret:mail/key'))"
)


class Desktop:
    """A user who logs in to a desktop now and then.

    Args:
        folder: their home, and what a login makes.
    """

    def __init__(self, folder: Path) -> None:
        self.data = folder / "data"
        for place in (folder / "home", folder / "run", self.data):
            place.mkdir(mode=0o700)
        hidden = {"DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY", "XDG_DATA_HOME"}
        self._environment = {k: v for k, v in os.environ.items() if k not in hidden} | {
            "HOME": str(folder / "home"),
            "XDG_RUNTIME_DIR": str(folder / "run"),
        }

    def run(
        self, *command: str | Path, password: str | None = None, typed: str | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Returns a command, in a session whose keyring this password unlocks; None: in no
        session.
        """
        session = ["dbus-run-session", "--", "sh", "-c", UNLOCKED, password] if password else []
        return subprocess.run(
            [*session, *command],
            env=self._environment,
            input=typed,
            stdin=subprocess.DEVNULL if typed is None else None,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def resolve(self, password: str | None) -> subprocess.CompletedProcess[str]:
        """Returns what a service would read."""
        return self.run(sys.executable, "-c", RESOLVE, self.data, password=password)


def test_secrets_are_in_the_secret_service_and_only_for_whoever_unlocks_it(tmp_path: Path):
    desktop, value = Desktop(tmp_path), canary()
    move = (QM, "secret", "move", "keyring", "--yes", "--data-dir", desktop.data)
    retained = desktop.run(
        QM, "secret", "set", "mail/key", "--data-dir", desktop.data, typed=value + "\n"
    )
    assert retained.returncode == 0, retained.stderr
    refused = desktop.run(*move)
    assert refused.returncode == 1
    assert "QM423 keyring_unavailable" in refused.stderr
    assert desktop.resolve(None).stdout.strip() == value, "what cannot be moved stays"

    moved = desktop.run(*move, password="login password")
    assert moved.returncode == 0, moved.stderr
    assert not leaks_in_folder(tmp_path), "neither in the data directory nor in the keyring's file"
    again = desktop.resolve("login password")
    assert again.stdout.strip() == value, again.stderr

    # Nobody is there to be asked for the password of a locked one, so nobody is waited for.
    locked = desktop.resolve("another password")
    assert locked.returncode == 1
    assert "QM423 keyring_unavailable" in locked.stderr
    assert value not in locked.stdout + locked.stderr

    removed = desktop.run(
        QM,
        "secret",
        "rm",
        "mail/key",
        "--yes",
        "--data-dir",
        desktop.data,
        password="login password",
    )
    assert removed.returncode == 0, removed.stderr
    assert "secret_not_found" in desktop.resolve("login password").stderr
