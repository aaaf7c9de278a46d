"""What a person's shell says to other programs, and what of it our installers hear."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from quartermaster.core.paths import read_admin, write_admin
from quartermaster.core.shell import forget_libpq_settings, installer_environment
from tests.support.debian_root import REPOSITORY
from tests.support.shells import SHELLS, unset_in_libpq


def test_every_variable_that_libpq_reads_is_tried() -> None:
    assert unset_in_libpq() == set()


def test_settings_for_other_databases_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    _set(monkeypatch, SHELLS["libpq"])
    forget_libpq_settings()
    # How long to wait for a server is meant for each.
    assert SHELLS["libpq"].keys() & os.environ.keys() == {"PGCONNECT_TIMEOUT"}


def test_they_are_forgotten_for_the_embedded_server_and_kept_for_a_database_of_the_user(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    _set(monkeypatch, SHELLS["libpq"])
    write_admin(tmp_path, "postgresql://db.example.org/tools")
    assert read_admin(tmp_path)
    assert os.environ["PGSSLMODE"] == "verify-full"
    write_admin(tmp_path, "postgresql://postgres@127.0.0.1/quartermaster", is_embedded=True)
    assert read_admin(tmp_path)
    assert "PGSSLMODE" not in os.environ


@pytest.mark.parametrize("program", ["pip", "npm", "Python"])
def test_what_is_installed_and_where_is_not_for_the_shell_to_say(program: str) -> None:
    harmless = {"VIRTUAL_ENV", "CONDA_PREFIX"}
    retained = installer_environment({**SHELLS[program], "HOME": "/people/ada"})
    assert retained.keys() - harmless == {"HOME", "PIP_USER"}
    assert retained["PIP_USER"] == "0"


def test_where_packages_come_from_is_for_the_shell_to_say() -> None:
    said = {
        "PIP_INDEX_URL": "https://packages.example.org/simple",
        "PIP_CERT": "/etc/company.pem",
        "PIP_CONFIG_FILE": "/people/ada/pip.conf",
        "npm_config_registry": "https://packages.example.org/npm",
        "NPM_CONFIG_USERCONFIG": "/people/ada/.npmrc",
        "npm_config_//packages.example.org/:_auth": "canary",
        "https_proxy": "http://proxy.example.org:3128",
        "NODE_EXTRA_CA_CERTS": "/etc/company.pem",
        "SSL_CERT_FILE": "/etc/company.pem",
    }
    assert said.items() <= installer_environment(said).items()


def test_setup_hears_the_same_of_pip_as_the_installers_of_the_service() -> None:
    script = (REPOSITORY / "scripts/setup.sh").read_text()
    cleaning = script[script.index("for name in") : script.index("# The user that")]
    names = {f"PIP_{setting}" for setting in ("INDEX_URL", "TARGET", "TRUSTED_HOST", "CACHE_DIR")}
    for shell in ("pip", "Python"):
        names |= SHELLS[shell].keys()
    given = dict.fromkeys(names, "x")
    done = subprocess.run(
        ["bash", "-c", f"{cleaning}\nenv"],
        env={**given, "PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=True,
    )
    heard = {line.partition("=")[0] for line in done.stdout.splitlines()} & {*names, "PIP_USER"}
    assert heard == installer_environment(given).keys()


def test_folders_get_the_modes_that_we_give_them() -> None:
    statement = "import os; from quartermaster.core.shell import *; use_own_modes(); "
    statement += "print(oct(os.umask(0)))"
    done = subprocess.run(
        ["sh", "-c", f'umask 077; exec "{sys.executable}" -c "{statement}"'],
        capture_output=True,
        text=True,
    )
    assert done.stdout.strip() == "0o22"


def _set(patch: pytest.MonkeyPatch, variables: dict[str, str]) -> None:
    for name, text in variables.items():
        patch.setenv(name, text)
