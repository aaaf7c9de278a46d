"""Changes a store again and again, killed one step later each time, and tells what was lost."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from quartermaster.core.errors import QmError
from quartermaster.secrets import passphrase, vault
from quartermaster.secrets.store import SecretStore

OLD, NEW = "passphrase of before", "passphrase of after"
VALUES = {"a": "value a", "b": "value b"}
_STEPS = {"open", "os.rename", "os.remove"}


def prepare(folder: Path, change: str) -> Callable[[], object]:
    store = SecretStore(folder)
    for name, value in VALUES.items():
        store.put(name, value)
    if change in {"rekey", "move to file"}:
        store.move("vault")
    changes: dict[str, Callable[[], object]] = {
        "put": lambda: store.put("a", "new value"),
        "rekey": lambda: store.rekey(NEW),
        "move to vault": lambda: store.move("vault"),
        "move to file": lambda: store.move("file"),
    }
    return changes[change]


def is_whole(folder: Path) -> bool:
    """Returns whether every value is there, with the old passphrase or the new."""
    store = SecretStore(folder)
    for known in (OLD, NEW):
        passphrase.remember(known)
        try:
            found = {name: store.resolve(f"secret:{name}") for name in store.names()}
        except QmError:
            continue
        return found in (VALUES, {**VALUES, "a": "new value"})
    return False


def run_killed(step: int, folder: Path, change: Callable[[], object]) -> bool:
    """Returns whether the change came to its end before that step on the disk."""
    child = os.fork()
    if child == 0:
        left = [step]

        def count(event: str, arguments: tuple[object, ...]) -> None:
            if event in _STEPS and str(folder) in str(arguments[0]):
                left[0] -= 1
                if left[0] == 0:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(count)
        change()
        os._exit(0)
    _, status = os.waitpid(child, 0)
    return status == 0


def main() -> None:
    scratch, change = Path(sys.argv[1]), sys.argv[2]
    os.environ.pop(passphrase.VAULT_VARIABLE, None)
    vault._COST = 2**14  # pyright: ignore[reportPrivateUsage]
    lost: list[int] = []
    step = 0
    while True:
        step += 1
        folder = scratch / str(step)
        passphrase.remember(OLD)
        action = prepare(folder, change)
        is_done = run_killed(step, folder, action)
        if not is_whole(folder):
            lost.append(step)
        # Whatever was left half-way, the next change works.
        SecretStore(folder).put("c", "after")
        shutil.rmtree(folder)
        if is_done:
            break
    sys.stdout.write(json.dumps({"steps": step, "lost": lost}))


main()
