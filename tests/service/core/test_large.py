"""Work on large values is done in a thread, and that on others at once."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from quartermaster.core.large import LARGE_BYTES, handled, has_more_values, is_large

pytestmark = pytest.mark.anyio

LARGE: dict[str, Any] = {
    "a text": "x" * LARGE_BYTES,
    "a text inside": {"content": [{"type": "text", "text": "x" * LARGE_BYTES}]},
    "many texts": [{"a": "x" * 1_000}] * (LARGE_BYTES // 1_000),
    "many numbers": [0] * LARGE_BYTES,
    "many members": {str(n): None for n in range(LARGE_BYTES)},
}
SMALL: list[Any] = [None, 7, "x" * 1_000, {"content": [{"type": "text", "text": "x" * 100_000}]}]


@pytest.mark.parametrize("what", LARGE)
async def test_large(what: str) -> None:
    assert is_large(LARGE[what])
    assert await handled(LARGE[what], threading.get_ident) != threading.get_ident()


@pytest.mark.parametrize("value", SMALL)
async def test_small(value: object) -> None:
    assert not is_large(value)
    assert await handled(value, threading.get_ident) == threading.get_ident()


@pytest.mark.parametrize("value", [LARGE["a text"], SMALL[0]])
async def test_an_error_reaches_the_caller(value: object) -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        await handled(value, int, "seven")


def test_values_are_counted_up_to_a_limit() -> None:
    value = {"a": [1, 2, {"b": "text"}]}
    assert not has_more_values(value, 6)
    assert has_more_values(value, 5)
