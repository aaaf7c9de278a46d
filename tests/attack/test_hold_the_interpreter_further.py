"""A small file of a project is slow to read: /healthz answers meanwhile, and others are served."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest

from tests.support.health_watch import watching
from tests.support.member import CODE, Member

# Generous: on an idle machine, it takes milliseconds.
SLOWEST_HEALTH_S: Final = 5.0
MOST_GROWTH_MB: Final = 250
Asked = tuple[str, dict[str, Any]]


def a_name_without_a_value(mallory: Member) -> Asked:
    mallory.write("Dockerfile", f"FROM debian:13\nENV A=1 {'a' * 30_000}\nUSER app\n")
    return "validate_config", {"file_path": "Dockerfile"}


def variables_that_do_not_end(mallory: Member) -> Asked:
    """Validates a Compose file; the Dockerfile that it names counts as well."""
    mallory.write("Dockerfile", f"FROM {'${a-' * 15_000}\nUSER app\n")
    mallory.write("compose.yaml", "services:\n  a:\n    build: .\n")
    return "validate_config", {"file_path": "compose.yaml"}


def apt_in_options_of_apt(mallory: Member) -> Asked:
    mallory.write("Dockerfile", f"FROM debian:13\nRUN apt{' -apt' * 8_000}\nUSER app\n")
    return "validate_config", {"file_path": "Dockerfile"}


def a_rule_of_stars(mallory: Member) -> Asked:
    mallory.write(".gitignore", f"{'*a' * 12}*b\n")
    mallory.write("a" * 200, "")
    return "impact_analysis", {"file_path": CODE}


def a_key_of_many_parts(mallory: Member) -> Asked:
    """Returns a reader that keeps the key of each table around it fills the memory as well."""
    mallory.write("pyproject.toml", f"{'a.' * 15_000}a = 1\n")
    return "project_profile", {}


def a_repair_with_a_long_difference(mallory: Member) -> Asked:
    lines = "".join(f"import m{n}\nx{n % 150} = {n % 150}\n" for n in range(4_000))
    mallory.write("long.py", lines)
    return "score_file", {"file_path": "long.py", "quick": True, "fix": True}


def an_encoding_of_no_code(mallory: Member) -> Asked:
    mallory.write("long.py", f"# coding: punycode\n{'a-' * 100_000}\n")
    return "score_file", {"file_path": "long.py", "quick": True}


def a_name_after_a_foreign_letter(mallory: Member) -> Asked:
    mallory.write("long.py", f"# é\nx = {'a' * 30_000}\n")
    return "score_file", {"file_path": CODE}


def rules_that_mean_nothing(mallory: Member) -> Asked:
    mallory.write(".gitignore", "!\n\\\n[z-a]\n[[:foo:]]\n")
    return "project_profile", {}


@pytest.mark.parametrize(
    "prepare",
    [
        an_encoding_of_no_code,
        a_name_after_a_foreign_letter,
        rules_that_mean_nothing,
        a_name_without_a_value,
        variables_that_do_not_end,
        apt_in_options_of_apt,
        a_rule_of_stars,
        a_key_of_many_parts,
        a_repair_with_a_long_difference,
    ],
)
def test_a_small_file(mallory: Member, prepare: Callable[[Member], Asked]) -> None:
    mallory.commit()
    tool, arguments = prepare(mallory)
    with watching(mallory.instance.run_file) as watched:
        mallory.ask(tool, **arguments)
    assert not watched.failed
    assert max(watched.health_s) <= SLOWEST_HEALTH_S
    assert watched.grown_mb <= MOST_GROWTH_MB
