from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import keyring
import pytest
from keyring.backend import KeyringBackend

from quartermaster.secrets import passphrase, vault
from quartermaster.secrets.store import SecretStore
from tests.support.canary import canary


class DictKeyring(KeyringBackend):
    """A keyring of this process: what the library asks of one, and nothing kept on disk."""

    priority = 1  # pyright: ignore[reportAssignmentType]

    def __init__(self) -> None:
        super().__init__()
        self.retained: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.retained.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.retained[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.retained[service, username]


@pytest.fixture
def store(tmp_path: Path) -> SecretStore:
    return SecretStore(tmp_path)


@pytest.fixture
def user_keyring() -> Generator[DictKeyring]:
    former = keyring.get_keyring()
    made = DictKeyring()
    keyring.set_keyring(made)
    yield made
    keyring.set_keyring(former)


@pytest.fixture
def vault_passphrase(monkeypatch: pytest.MonkeyPatch) -> str:
    """Of every vault of this test, as the environment gives it."""
    # The least that a vault accepts; what a real one costs is told by its own test.
    monkeypatch.setattr(vault, "_COST", 2**14)
    chosen = canary("passphrase")
    monkeypatch.setenv(passphrase.VAULT_VARIABLE, chosen)
    return chosen
