"""Turns functions into ``qm`` commands; a function takes each group of options as one argument."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import fields, is_dataclass
from functools import wraps
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import typer

from quartermaster.cli.command import Command

Function = Callable[..., Any]


class Noun(typer.Typer):
    """A group of commands under one word.

    Args:
        help: help text of the group; empty if the word itself is the only command.
    """

    def __init__(self, help: str = "") -> None:  # noqa: A002
        super().__init__(no_args_is_help=True, help=help)

    def include(self, *others: typer.Typer) -> None:
        """Adds the commands from other modules."""
        for other in others:
            self.registered_commands += other.registered_commands
            self.registered_groups += other.registered_groups

    def verb(self, **further: Any) -> Callable[[Function], Function]:
        """Adds a function as a command: ``map_role_command`` becomes ``map-role``.

        The docstring is the help text. The options are the parameters that are not dataclasses,
        then the fields of the parameters that are dataclasses; the fields of the first parameter
        come last. The options of a dataclass that has a `panel` get a heading of their own in the
        help. With ``--json``, the returned value is printed instead of the text for people.

        The text in an annotation is the help text. `typer.Option` or `typer.Argument` may follow it
        and say what differs from the rule: a parameter with a default is an option with its name,
        and one without a default is an argument. A switch that is off by default can only be turned
        on.

        Args:
            further: further arguments of `typer.Typer.command`.
        """

        def add(function: Function) -> Function:
            word = function.__name__.removesuffix("_command").replace("_", "-")
            command = _command_of(function)
            self.command(word, **further)(command)
            return command

        return add


def _command_of(function: Function) -> Function:
    hints = get_type_hints(function, include_extras=True)
    given = [
        each.replace(annotation=hints[each.name])
        for each in inspect.signature(function).parameters.values()
    ]
    groups: dict[str, Any] = {each.name: each.annotation for each in given if _is_group(each)}
    own = [_with_help(each) for each in given if not _is_group(each)]
    options = [option for group in reversed(groups.values()) for option in _options_of(group)]
    signature = inspect.Signature([*own, *options])

    @wraps(function)
    def command(*arguments: Any, **named: Any) -> None:
        bound = signature.bind(*arguments, **named)
        bound.apply_defaults()
        values: dict[str, Any] = dict(bound.arguments)
        for name, group in groups.items():
            values[name] = group(**{each.name: values.pop(each.name) for each in fields(group)})
        run = next((value for value in values.values() if isinstance(value, Command)), Command())
        with run:
            run.answer(function(**values))

    command.__signature__ = signature  # pyright: ignore[reportFunctionMemberAccess]
    command.__annotations__ = {each.name: each.annotation for each in signature.parameters.values()}
    return command


def _is_group(parameter: inspect.Parameter) -> bool:
    return is_dataclass(parameter.annotation)


def _options_of(group: Any) -> Iterator[inspect.Parameter]:
    hints = get_type_hints(group, include_extras=True)
    for each in fields(group):
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        field = inspect.Parameter(
            each.name, kind, default=each.default, annotation=hints[each.name]
        )
        yield _with_help(field, getattr(group, "panel", None))


def _with_help(parameter: inspect.Parameter, panel: str | None = None) -> inspect.Parameter:
    """Moves the text in the annotation of a parameter to its option or argument."""
    if get_origin(parameter.annotation) is not Annotated:
        return parameter
    kind, *further = get_args(parameter.annotation)
    if not isinstance(text := further[0], str):
        return parameter
    info = copy(further[1]) if further[1:] else _usual(parameter, kind)
    info.help, info.rich_help_panel = text, panel
    return parameter.replace(annotation=Annotated[kind, info])


def _usual(parameter: inspect.Parameter, kind: Any) -> Any:
    if parameter.default is parameter.empty:
        return typer.Argument()
    if kind is bool and parameter.default is False:
        return typer.Option(f"--{parameter.name.replace('_', '-')}")
    return typer.Option()
