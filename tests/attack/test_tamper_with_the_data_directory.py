"""Files of the data directory are changed while the service is stopped.

Whoever can do so is an administrator already. The service must not take what it finds for true, and
must say in words what is wrong: no start ends in a traceback, and no signed file is believed.
"""

from __future__ import annotations

import shutil
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.support.instance import Instance, new_instance

GARBAGE = {"no text": bytes(range(256)), "another kind": b'["a", {"b": [1, null]}]\n'}
FILES = (
    "credentials.json",
    "signing_key",
    "secrets.json",
    "secret_addresses.json",
    "audit_heads.jsonl",
    "outage/rights.json",
    "instance.json",
    "run.json",
    "admin.json",
    "quartermaster.yaml",
    "postgres/port",
)


@pytest.fixture(scope="module")
def used(stopped_data_dir: Path) -> Generator[Instance]:
    """A stopped service that was used: it has secrets, bindings, heads and an outage copy."""
    with new_instance(copy_of=stopped_data_dir) as instance:
        instance.start()
        assert instance.qm("secret", "set", "web/KEY", stdin="a secret of the test").returncode == 0
        assert instance.stop() == 0
        yield instance


@pytest.mark.parametrize("file", FILES)
def test_a_start_says_what_is_wrong_or_goes_on(used: Instance, file: str) -> None:
    path = used.data_dir / file
    kept = path.with_name(path.name + ".kept")
    if path.exists():
        shutil.copy2(path, kept)
    try:
        for what, content in GARBAGE.items():
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content)
            path.chmod(0o600)
            begun = len(used.stderr)
            done = started(used)
            said = used.stderr[begun:]
            assert "Traceback" not in said, f"{file}, {what}: {said[-2000:]}"
            assert done or "QM" in said, f"{file}, {what}: {said[-2000:]}"
    finally:
        path.unlink(missing_ok=True)
        if kept.exists():
            kept.replace(path)


def started(instance: Instance) -> bool:
    """Whether it starts; it is stopped again."""
    try:
        instance.start()
    except AssertionError:
        return False
    assert instance.stop() == 0
    return True
