"""How functions become commands of ``qm``: each class of options that they take is one argument."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any, get_type_hints

import typer

from quartermaster.cli.command import Command

Function = Callable[..., Any]


class Noun(typer.Typer):
    """Commands under one word.

    Args:
        help: of the word; none where it is itself the one command.
    """

    def __init__(self, help: str = "") -> None:  # noqa: A002
        super().__init__(no_args_is_help=True, help=help)

    def include(self, *others: typer.Typer) -> None:
        """Adds the commands of other modules."""
        for other in others:
            self.registered_commands += other.registered_commands
            self.registered_groups += other.registered_groups

    def verb(self, **further: Any) -> Callable[[Function], Function]:
        """Adds a function as a command: ``map_role_command`` becomes ``map-role``.

        Its help is the docstring. Its options are those parameters that are no dataclass, then the
        fields of those that are one, the first parameter's last. With ``--json`` the value that it
        returns is printed; what it says to people is silent then.

        Args:
            further: as `typer.Typer.command` takes it.
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
    own = [each for each in given if not _is_group(each)]
    options = [option for group in reversed(groups.values()) for option in _options_of(group)]
    signature = inspect.Signature([*own, *options])

    def command(*arguments: Any, **named: Any) -> None:
        bound = signature.bind(*arguments, **named)
        bound.apply_defaults()
        values: dict[str, Any] = dict(bound.arguments)
        for name, group in groups.items():
            values[name] = group(**{each.name: values.pop(each.name) for each in fields(group)})
        run = next((value for value in values.values() if isinstance(value, Command)), Command())
        with run:
            run.answer(function(**values))

    command.__doc__ = function.__doc__
    command.__name__ = function.__name__
    command.__signature__ = signature  # pyright: ignore[reportFunctionMemberAccess]
    command.__annotations__ = {each.name: each.annotation for each in signature.parameters.values()}
    return command


def _is_group(parameter: inspect.Parameter) -> bool:
    return is_dataclass(parameter.annotation)


def _options_of(group: Any) -> Iterator[inspect.Parameter]:
    hints = get_type_hints(group, include_extras=True)
    for each in fields(group):
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        yield inspect.Parameter(each.name, kind, default=each.default, annotation=hints[each.name])
