"""Files of the data directory are changed while the service is stopped.

Whoever can do so is an administrator already. The service must not take what it finds for true, and
must say in words what is wrong: no start ends in a traceback, and no signed file is believed.
"""

from __future__ import annotations

import shutil
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.support.instance import Instance, new_instance

GARBAGE = {"no text": bytes(range(256)), "another kind": b'["a", {"b": [1, null]}]\n'}
# Each row is damaged at once. A start goes on with those that share a row, none of which is read
# with the help of another.
FILES = (
    ("credentials.json",),
    ("signing_key",),
    ("instance.json",),
    ("quartermaster.yaml",),
    ("secrets.json", "outage/rights.json", "run.json", "postgres/port"),
    ("secret_addresses.json", "audit_heads.jsonl", "admin.json"),
)


@pytest.fixture(scope="module")
def used(stopped_data_dir: Path) -> Generator[Instance]:
    """A stopped service that was used: it has secrets, bindings, heads and an outage copy."""
    with new_instance(copy_of=stopped_data_dir) as instance:
        instance.start()
        assert instance.qm("secret", "set", "web/KEY", stdin="a secret of the test").returncode == 0
        assert instance.stop() == 0
        yield instance


@pytest.mark.parametrize("files", FILES, ids=" ".join)
@pytest.mark.parametrize("what", GARBAGE)
def test_a_start_says_what_is_wrong_or_goes_on(
    used: Instance, files: tuple[str, ...], what: str
) -> None:
    begun = len(used.stderr)
    with ExitStack() as stack:
        for file in files:
            stack.enter_context(damaged(used.data_dir / file, GARBAGE[what]))
        goes_on = started(used)
    said = used.stderr[begun:]
    assert "Traceback" not in said, said[-2000:]
    assert goes_on or (len(files) == 1 and "QM" in said), said[-2000:]


@contextmanager
def damaged(path: Path, content: bytes) -> Generator[None]:
    """A file has this content instead of its own."""
    retained = path.with_name(path.name + ".kept")
    if path.exists():
        shutil.copy2(path, retained)
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content)
    path.chmod(0o600)
    try:
        yield
    finally:
        path.unlink(missing_ok=True)
        if retained.exists():
            retained.replace(path)


def started(instance: Instance) -> bool:
    """Returns whether it starts; it is stopped again."""
    try:
        instance.start()
    except AssertionError:
        return False
    assert instance.stop() == 0
    return True
