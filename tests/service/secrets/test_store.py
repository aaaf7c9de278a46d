"""Credentials stay in one private file and out of everything else."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from quartermaster.core.errors import QmError
from quartermaster.core.logs import mask
from quartermaster.secrets.store import SecretStore


@pytest.fixture
def store(tmp_path: Path) -> SecretStore:
    return SecretStore(tmp_path)


def test_a_value_comes_back_by_its_locator_also_later(store: SecretStore, tmp_path: Path):
    locator = store.put("github/token", "ghp-abcdef")
    assert locator == "secret:github/token"
    assert SecretStore(tmp_path).resolve(locator) == "ghp-abcdef"


def test_the_file_is_readable_by_its_owner_only(store: SecretStore, tmp_path: Path):
    store.put("a", "one")
    store.put("b", "two")
    assert stat.S_IMODE((tmp_path / "secrets.json").stat().st_mode) == 0o600
    assert {path.name for path in tmp_path.iterdir()} == {"secrets.json", "secrets.lock"}


def test_a_locator_may_name_an_environment_variable(
    store: SecretStore, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("SOME_TOKEN", "from outside")
    assert store.resolve("env:SOME_TOKEN") == "from outside"


def test_resolved_values_are_hidden_from_logs(store: SecretStore):
    store.resolve(store.put("x", "quite-secret-value"))
    assert mask("sent quite-secret-value") == "sent [masked]"


def test_names_are_listed_and_values_are_not(store: SecretStore):
    store.put("b", "two")
    store.put("a", "one")
    assert store.names() == ["a", "b"]


def test_a_removed_secret_is_gone(store: SecretStore):
    locator = store.put("a", "one")
    store.remove("a")
    with pytest.raises(QmError) as caught:
        store.resolve(locator)
    assert (caught.value.code, caught.value.slug) == ("QM404", "secret_not_found")
    assert "qm secret set a" in caught.value.hint


@pytest.mark.parametrize("locator", ["env:NOT_THERE_AT_ALL", "secret:unknown"])
def test_what_is_missing_is_named_with_the_next_step(store: SecretStore, locator: str):
    with pytest.raises(QmError) as caught:
        store.resolve(locator)
    assert caught.value.slug == "secret_not_found"
    assert caught.value.hint


def test_a_credential_given_as_a_locator_is_not_repeated(store: SecretStore):
    with pytest.raises(QmError) as caught:
        store.resolve("ghp_the_token_itself")
    assert caught.value.slug == "secret_locator_invalid"
    assert "ghp_" not in str(caught.value)


@pytest.mark.parametrize("name", ["", "a b", "../x", "x" * 256, "ü"])
def test_a_bad_name_is_refused(store: SecretStore, name: str):
    with pytest.raises(QmError) as caught:
        store.put(name, "v")
    assert caught.value.slug == "secret_name_invalid"


@pytest.mark.parametrize("content", ["{", "[]", "\x00"])
def test_a_damaged_file_is_said_and_not_overwritten(
    store: SecretStore, tmp_path: Path, content: str
):
    path = tmp_path / "secrets.json"
    path.write_text(content)
    with pytest.raises(QmError) as caught:
        store.put("a", "one")
    assert caught.value.slug == "secret_store_unreadable"
    assert path.read_text() == content
