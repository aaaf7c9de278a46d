"""What is read is stored while others are read, in few calls that become larger."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from kinds.knowledge.tests.libraries import install
from quartermaster.cli.session import open_session
from quartermaster.core.api_call import AnyRow, ApiCall, ApiValue
from quartermaster.core.errors import QmError
from quartermaster_knowledge import bundles
from quartermaster_knowledge.bundles import load_bundle, write_bundle
from quartermaster_knowledge.indexing import index_environment, store
from tests.support.database import Database


class _Stored:
    """Remembers how many objects each call stored."""

    def __init__(self) -> None:
        self.sizes: list[int] = []

    def call(self, asked: ApiCall[AnyRow], /) -> list[AnyRow]:
        raise AssertionError(asked)

    def call_value(self, asked: ApiValue[Any], /) -> Any:
        assert asked.operation == "store_distributions"
        distributions: Sequence[dict[str, Any]] = asked.arguments["distributions"]
        self.sizes.append(sum(len(each["symbols"]) for each in distributions))
        return [bytes([len(self.sizes)])] * len(distributions)


def test_the_first_batch_is_small_and_the_others_double() -> None:
    stored = _Stored()
    sizes = (1500, 700, 3000, 1100, 8000, 9000, 10_500, 600, 400)
    objects, contents = store(stored, 1, ({"symbols": [{}] * size} for size in sizes))
    assert stored.sizes == [2200, 4100, 8000, 19_500, 1000]
    assert (objects, len(contents)) == (sum(sizes), len(sizes))


class _Forgotten:
    """A database in which what it has told to know is gone a few times."""

    def __init__(self, times: int) -> None:
        self.times = times
        self.stored_whole = 0

    def call(self, asked: ApiCall[AnyRow], /) -> list[AnyRow]:
        assert asked.operation == "known_distributions"
        return []

    def call_value(self, asked: ApiValue[Any], /) -> Any:
        if asked.operation == "put_environment" and asked.arguments.get("state"):
            if self.times:
                self.times -= 1
                raise QmError(409, "distribution_gone", "1 is gone", "Read it again.")
            self.stored_whole += 1
        return 1 if asked.operation == "put_environment" else [b"content"]


@pytest.mark.parametrize("times", [0, 1, 2])
def test_an_environment_is_read_again_if_something_was_forgotten_meanwhile(
    tmp_path: Path, times: int
) -> None:
    database = _Forgotten(times)
    index_environment(database, tmp_path)
    assert database.stored_whole == 1


def test_it_ends_if_this_happens_again_and_again(tmp_path: Path) -> None:
    database = _Forgotten(3)
    with pytest.raises(QmError, match="1 is gone"):
        index_environment(database, tmp_path)
    assert database.stored_whole == 0


def test_a_bundle_that_waits_for_another_says_so(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, "basalt", "1.0", {"basalt.py": "HEAT = 1200\n"})
    bundle = tmp_path / "docs.bundle"
    write_bundle(bundle, tmp_path)
    monkeypatch.setattr(bundles, "PATIENCE_S", 0.5)
    report: list[str] = []
    with database.connect() as other, open_session(None, database.dsn) as session:
        other.execute("begin")
        other.execute("select search.lock_kind('symbol')")

        def tell(sentence: str) -> None:
            report.append(sentence)
            other.execute("commit")

        with session.together():
            done = load_bundle(session, bundle, tell=tell)
    assert done["distributions"] == 1
    assert report == ["Waiting for another command, or the service, that is storing packages."]
