"""A local server looks for the secrets of the service, for a person's files, for other homes."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.attack.conftest import KEY, Hostile
from tests.support.confined import needs_bubblewrap
from tests.support.upstreams import REPOSITORY

pytestmark = needs_bubblewrap
_WALK = """
import os
found = []
for folder, folders, files in os.walk("/"):
    folders[:] = [name for name in folders if os.path.join(folder, name) not in skipped]
    for name in files:
        try:
            with open(os.path.join(folder, name), "rb") as file:
                text = file.read(10_000_000)
        except OSError:
            continue
        found += [os.path.join(folder, name) for secret in secrets if secret.encode() in text]
"""


@pytest.mark.parametrize(
    "name",
    [
        "run.json",
        "admin.json",
        "credentials.json",
        "signing_key",
        "secrets.json",
        "instance.json",
        "audit_head.json",
        "log/postgres.log",
        "postgres/data/postgresql.conf",
        "postgres/data/PG_VERSION",
        "homes/neighbour/notes",
    ],
)
def test_a_file_of_the_data_directory(hostile: Hostile, name: str) -> None:
    path = hostile.instance.data_dir / name
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}")
    tried = hostile.attempt("found = open(path, 'rb').read(1)[0]", path=str(path))
    assert tried["error"] == "FileNotFoundError"


@pytest.mark.parametrize("name", ["", "/.ssh", "/.ssh/id_ed25519", "/.bash_history"])
def test_the_home_of_the_person(hostile: Hostile, name: str) -> None:
    for home in (hostile.home, Path.home()):
        tried = hostile.attempt("import os; os.stat(path)", path=f"{home}{name}")
        assert tried.get("error") in {"FileNotFoundError", "PermissionError"} or (
            # Folders above the server's own programs exist, but are empty otherwise.
            not name
            and "id_ed25519"
            not in str(hostile.attempt("import os; found = os.listdir(path)", path=str(home)))
        )


@pytest.mark.parametrize("name", ["shadow", "gshadow", "sudoers", "ssh", "machine-id", "crontab"])
def test_a_file_of_the_system(hostile: Hostile, name: str) -> None:
    assert "error" in hostile.attempt("import os; os.stat(path)", path=f"/etc/{name}")


def test_no_secret_is_anywhere_in_sight(hostile: Hostile) -> None:
    run = hostile.instance.run_file
    secrets = [run.token, hostile.instance.admin_dsn.partition("@")[0].rpartition(":")[2], KEY]
    assert all(len(secret) > 15 for secret in secrets)
    # These are programs, which take long to read, and sources that contain the key.
    skipped = ["/proc", "/dev", "/usr", sys.base_prefix, str(REPOSITORY)]
    tried = hostile.attempt(_WALK, secrets=secrets, skipped=skipped)
    assert tried == {"found": []}


def test_a_link_in_its_home_leads_nowhere(hostile: Hostile) -> None:
    code = "import os; os.symlink(target, 'link'); found = os.listdir('link')"
    tried = hostile.attempt(code, target=str(hostile.instance.data_dir))
    assert not {"run.json", "admin.json"} & set(tried.get("found", []))


def test_its_own_home_lasts(hostile: Hostile) -> None:
    """What is its own has to work, or nobody would keep the sandbox."""
    hostile.attempt("import os; open(os.environ['HOME'] + '/kept', 'w').write('yes')")
    hostile.instance.qm_json("origin", "sandbox", "hostile", "--network", "none", "--yes")
    tried = hostile.attempt("import os; found = open(os.environ['HOME'] + '/kept').read()")
    assert tried == {"found": "yes"}
    hostile.instance.qm_json("origin", "sandbox", "hostile", "--network", "internet", "--yes")


def test_a_granted_folder_above_the_data_directory_does_not_show_it(hostile: Hostile) -> None:
    data_dir = hostile.instance.data_dir
    shown = ("origin", "sandbox", "hostile", "--read", str(data_dir.parent), "--yes")
    hostile.instance.qm_json(*shown)
    tried = hostile.attempt("import os; found = os.listdir(path)", path=str(data_dir))
    assert tried == {"found": ["homes"]}
    hide = ("origin", "sandbox", "hostile", "--hide", str(data_dir.parent), "--yes")
    hostile.instance.qm_json(*hide)
