"""What is read is stored while others are read, in few calls that become larger."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from quartermaster.knowledge.indexing import store


class _Stored:
    """Remembers how many objects each call stored."""

    def __init__(self) -> None:
        self.sizes: list[int] = []

    def call(self, operation: str, /, **arguments: object) -> list[dict[str, Any]]:
        raise AssertionError(operation)

    def call_value(self, operation: str, /, **arguments: Any) -> Any:
        assert operation == "store_distributions"
        distributions: Sequence[dict[str, Any]] = arguments["distributions"]
        self.sizes.append(sum(len(each["symbols"]) for each in distributions))
        return [bytes([len(self.sizes)])] * len(distributions)


def test_the_first_batch_is_small_and_the_others_double() -> None:
    stored = _Stored()
    sizes = (1500, 700, 3000, 1100, 8000, 9000, 10_500, 600, 400)
    objects, contents = store(stored, 1, ({"symbols": [{}] * size} for size in sizes))
    assert stored.sizes == [2200, 4100, 8000, 19_500, 1000]
    assert (objects, len(contents)) == (sum(sizes), len(sizes))
