"""Where credentials lie: in the open file, the vault and the keyring alike."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import keyring
import pytest
from keyring.backends.fail import Keyring as NoKeyring
from keyring.backends.null import Keyring as ForgetfulKeyring

from quartermaster.core.errors import QmError
from quartermaster.secrets import passphrase
from quartermaster.secrets.backend import Kind
from quartermaster.secrets.choice import KINDS
from quartermaster.secrets.store import SecretStore
from tests.support.canary import canary, leaks_in_folder

pytestmark = pytest.mark.usefixtures("user_keyring", "vault_passphrase")


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_kept_comes_back_and_nothing_else_is_readable(kind: Kind, tmp_path: Path) -> None:
    store = SecretStore(tmp_path)
    value = canary()
    store.put("first", value)
    store.move(kind)
    store.put("second", "ü\n" + value)
    store.put("third", "x")
    store.remove("third")

    again = SecretStore(tmp_path)
    assert again.kind == kind
    assert again.names() == ["first", "second"]
    assert [again.resolve(f"secret:{name}") for name in again.names()] == [value, "ü\n" + value]
    assert not leaks_in_folder(tmp_path)
    for path in tmp_path.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert kind == "file" or value not in path.read_text()


@pytest.mark.parametrize("former", KINDS)
@pytest.mark.parametrize("latter", KINDS)
def test_moving_leaves_nothing_behind(
    former: Kind, latter: Kind, store: SecretStore, tmp_path: Path
) -> None:
    value = canary()
    store.put("a", value)
    store.move(former)
    assert store.move(latter) == 1

    assert (store.kind, store.resolve("secret:a")) == (latter, value)
    files = {"file": "secrets.json", "keyring": "keyring.json", "vault": "vault.json"}
    assert {path.name for path in tmp_path.iterdir()} == {files[latter], "secrets.lock"}


def test_a_locked_vault_says_what_to_do_and_loses_nothing(
    store: SecretStore, vault_passphrase: str
) -> None:
    store.put("a", "one")
    store.move("vault")
    assert passphrase.VAULT_VARIABLE not in os.environ, "no process started later inherits it"
    for known in ([], ["not the passphrase"]):
        passphrase._known[:] = known  # pyright: ignore[reportPrivateUsage]
        for attempt in (store.names, lambda: store.put("b", "two")):
            with pytest.raises(QmError) as caught:
                attempt()
            assert (caught.value.code, caught.value.slug) == ("QM423", "vault_locked")
            assert passphrase.FILE_VARIABLE in caught.value.hint
    assert store.resolve("env:HOME")
    passphrase.remember(vault_passphrase)
    assert store.names() == ["a"]


def test_a_passphrase_is_as_costly_to_guess_as_owasp_asks(
    store: SecretStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    passphrase.remember("real")
    store.move("vault")
    header = json.loads((tmp_path / "vault.json").read_text())["header"]
    assert (header["kdf"], header["n"], header["r"], header["p"]) == ("scrypt", 2**17, 8, 1)


def test_a_vault_that_was_changed_does_not_open(store: SecretStore, tmp_path: Path) -> None:
    store.put("a", "one")
    store.move("vault")
    path = tmp_path / "vault.json"
    whole = json.loads(path.read_text())
    whole["header"]["n"] = 2**16
    path.write_text(json.dumps(whole))
    with pytest.raises(QmError, match="file was changed"):
        store.names()


def test_a_new_passphrase_replaces_the_old_one(store: SecretStore, tmp_path: Path) -> None:
    store.put("a", "one")
    with pytest.raises(QmError, match="has no passphrase"):
        store.rekey("new passphrase")
    store.move("vault")
    before = (tmp_path / "vault.json").read_text()
    store.rekey("new passphrase")

    with pytest.raises(QmError, match="vault_locked"):
        store.names()
    passphrase.remember("new passphrase")
    assert store.resolve("secret:a") == "one"
    after = (tmp_path / "vault.json").read_text()
    assert json.loads(before)["header"]["salt"] != json.loads(after)["header"]["salt"]


def test_a_passphrase_file_is_read_anew(
    store: SecretStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "passphrase"
    file.write_text("of a file\n")
    monkeypatch.delenv(passphrase.VAULT_VARIABLE)
    monkeypatch.setenv(passphrase.FILE_VARIABLE, str(file))
    store.put("a", "one")
    store.move("vault")
    store.rekey("another")
    file.write_text("another\n")
    assert store.resolve("secret:a") == "one"


@pytest.mark.parametrize("broken", [NoKeyring, ForgetfulKeyring])
def test_a_keyring_that_keeps_nothing_is_refused(
    broken: type[NoKeyring], store: SecretStore
) -> None:
    store.put("a", "one")
    keyring.set_keyring(broken())
    with pytest.raises(QmError) as caught:
        store.move("keyring")
    assert (caught.value.slug, "vault" in caught.value.hint) == ("keyring_unavailable", True)
    assert (store.kind, store.resolve("secret:a")) == ("file", "one")


@pytest.mark.parametrize("change", ["put", "rekey", "move to vault", "move to file"])
def test_killed_at_any_step_there_is_the_old_or_the_new(change: str, tmp_path: Path) -> None:
    script = Path(__file__).with_name("cut_off.py")
    done = subprocess.run(
        [sys.executable, script, str(tmp_path), change], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["steps"] >= 3
    assert report["lost"] == []


def test_processes_change_it_one_after_the_other(store: SecretStore, tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path\n"
        "from quartermaster.secrets.store import SecretStore\n"
        "for n in range(20): SecretStore(Path(sys.argv[1])).put(f'{sys.argv[2]}/{n}', 'x' * 4)"
    )
    writers = [
        subprocess.Popen([sys.executable, "-c", program, str(tmp_path), name]) for name in "ab"
    ]
    assert [writer.wait(60) for writer in writers] == [0, 0]
    assert len(store.names()) == 40
