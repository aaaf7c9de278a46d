"""How the parameters of a function become the arguments and options of a command."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import pytest
from typer import Option
from typer.main import get_command
from typer.testing import CliRunner

from quartermaster.cli.noun import WORDS, Noun

noun = Noun()
heard: list[tuple[str, str]] = []


@dataclass
class Paper:
    """Options in a group of their own."""

    panel: ClassVar = "Paper"
    size: Annotated[str, "Size of a sheet."] = "A4"
    both_sides: Annotated[bool, "Use both sides."] = False


@noun.verb()
def print_command(
    paper: Paper,
    file: Annotated[str, "File to print."],
    copies: Annotated[int, "Number of copies.", Option("--count", min=1)] = 1,
    wait: Annotated[bool, "Wait for the printer."] = True,
) -> None:
    """Print a file."""


@pytest.fixture(scope="module")
def parameters() -> dict[str, Any]:
    given: dict[str, Any] = {str(each.name): each for each in get_command(noun).params}
    return {name: each for name, each in given.items() if "completion" not in name}


def test_a_text_is_the_help_of_an_argument_or_an_option(parameters: dict[str, Any]):
    assert {name: each.help for name, each in parameters.items()} == {
        "file": "File to print.",
        "copies": "Number of copies.",
        "wait": "Wait for the printer.",
        "size": "Size of a sheet.",
        "both_sides": "Use both sides.",
    }
    kinds = {name: each.param_type_name for name, each in parameters.items()}
    assert [name for name, kind in kinds.items() if kind == "argument"] == ["file"]


def test_an_option_says_what_differs_from_the_rule(parameters: dict[str, Any]):
    assert (parameters["copies"].opts, parameters["copies"].min) == (["--count"], 1)


def test_a_switch_that_is_off_can_only_be_turned_on(parameters: dict[str, Any]):
    switches = [parameters[name] for name in ("wait", "both_sides")]
    assert [(each.opts, each.secondary_opts) for each in switches] == [
        (["--wait"], ["--no-wait"]),
        (["--both-sides"], []),
    ]


def test_options_of_a_group_have_its_heading(parameters: dict[str, Any]):
    headings = {name: each.rich_help_panel for name, each in parameters.items()}
    assert headings == {
        "file": None,
        "copies": None,
        "wait": None,
        "size": "Paper",
        "both_sides": "Paper",
    }


speaking = Noun()


@speaking.verb()
def say_command(to: Annotated[str, "Who."], what: Annotated[str, "Words.", WORDS] = "hi") -> None:
    """Say something."""
    heard.append((to, what))


def test_a_text_needs_no_quotes():
    runner = CliRunner()
    for words in (["bob"], ["bob", "how", "are  you"], ["bob", "--", "-x"]):
        assert runner.invoke(speaking, words).exit_code == 0
    say_command("bob", "good day")
    said = ["hi", "how are  you", "-x", "good day"]
    assert heard == [("bob", what) for what in said]


def _group_of(*words: str, after: str = "") -> Noun:
    group = Noun(after=after)
    for word in words:
        group.command(word)(lambda: None)
    return group


@pytest.mark.parametrize(
    ("after", "order"), [("", "abcxy"), ("a", "axybc"), ("gone", "abcxy"), ("c", "abcxy")]
)
def test_included_commands_stand_where_their_noun_says(after: str, order: str):
    whole = _group_of(*"abc")
    whole.include(_group_of(*"xy", after=after))
    assert [command.name for command in whole.registered_commands] == list(order)
