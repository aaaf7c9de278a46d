"""One test for a rule that holds for many files."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TypeVar

import pytest

Subject = TypeVar("Subject")


def for_each(
    subjects: Sequence[Subject], name: Callable[[Subject], str]
) -> Callable[[Callable[[Subject], None]], Callable[[], None]]:
    """Makes a check of one thing a test of all; the test names every one that fails.

    A test for each would be thousands, of which telling costs more than checking.

    Args:
        subjects: what is checked; there have to be some.
        name: of one of them.
    """

    def decorate(check: Callable[[Subject], None]) -> Callable[[], None]:
        @functools.wraps(check)
        def test() -> None:
            assert subjects, "there is nothing to check"
            complaints: list[str] = []
            for subject in subjects:
                try:
                    check(subject)
                except AssertionError as error:
                    complaints.append(f"{name(subject)}: {error}")
            if complaints:
                pytest.fail("\n".join(complaints), pytrace=False)

        # Pytest would take the arguments of the check for fixtures.
        del test.__wrapped__
        return test

    return decorate
