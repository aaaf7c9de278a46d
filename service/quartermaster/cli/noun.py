"""Turns functions into ``qm`` commands. A function takes each group of options as one argument."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import fields, is_dataclass
from difflib import get_close_matches
from functools import wraps
from typing import Annotated, Any, Final, get_args, get_origin, get_type_hints

import typer
from typer.core import TyperGroup

from quartermaster import DISTRIBUTION
from quartermaster.cli.command import Command
from quartermaster.cli.options import present_name
from quartermaster.core.kind_packages import how_to_install

Function = Callable[..., Any]

WORDS: Final = typer.Argument()
"""Marks the last argument of a command as a text. Users can type its words without quotes."""
OF_KINDS: Final[dict[str, str]] = {
    **dict.fromkeys(("ask", "docs", "knowledge", "task", "eval knowledge"), "knowledge"),
    **dict.fromkeys(("candidates", "decisions", "eval decisions"), "decisions"),
    **dict.fromkeys(("lookup", "eval lookup", "stats lookups"), "lookup"),
    **dict.fromkeys(("quality", "eval quality"), "quality"),
}
"""Maps each command of our own kind packages to its kind. If the package is not installed, the
error message about the command names it.
"""
# Words that people type, and the words that commands have.
_COMMAND_SYNONYMS: Final = {
    **dict.fromkeys(("start", "run", "serve", "init"), "up"),
    **dict.fromkeys(("server", "servers", "mcp"), "origin"),
    **dict.fromkeys(("user", "users", "agent", "agents"), "principal"),
    **dict.fromkeys(("rules", "rule"), "policy"),
    **dict.fromkeys(("delete", "del", "uninstall"), "remove"),
    "ls": "list",
    "get": "show",
    "new": "create",
    "sql": "psql",
    "health": "doctor",
}
_STOP: Final = ("stop", "restart", "quit", "exit")
_MAX_SUGGESTIONS: Final = 3


class CommandGroup(TyperGroup):
    """A group of commands. If a user types an unknown command, the error message suggests similar
    commands.
    """

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        word = present_name(args[0])
        if word.startswith("-") or {word, args[0]} & self.commands.keys():
            return super().resolve_command(ctx, args)
        nearest = [f"{ctx.command_path} {each}" for each in self._nearest(ctx, args)]
        kind = OF_KINDS.get(" ".join([*ctx.command_path.split()[1:], word]))
        if kind is not None:
            package = f"{DISTRIBUTION}-{kind}"
            advice = f"It comes with the package {package}. {how_to_install(package)}"
        elif ctx.parent is None and word in _STOP:
            advice = "Press Ctrl-C in the terminal in which qm up runs."
        elif nearest:
            more = f", or another: {ctx.command_path} --help" if nearest[_MAX_SUGGESTIONS:] else "?"
            advice = f"Did you mean: {' or '.join(nearest[:_MAX_SUGGESTIONS])}{more}"
        else:
            advice = f"All commands: {ctx.command_path} --help."
        return ctx.fail(f"No such command {args[0]!r}.\n{advice}")

    def _nearest(self, ctx: Any, args: list[str]) -> list[str]:
        """Returns the names of commands that are similar to the typed words. If the user typed a
        verb without its noun, returns each noun that has the verb, with the verb.
        """
        word, noun = (_COMMAND_SYNONYMS.get(each, each) for each in (*args, "")[:2])
        if word in self.commands:
            return [word]
        named = self.list_commands(ctx)
        nouns = [each for each in named if word in getattr(self.commands[each], "commands", ())]
        nouns = [each for each in nouns if each in (noun, noun.removesuffix("s"))] or nouns
        return [f"{each} {word}" for each in nouns] or get_close_matches(word, self.commands)


class Noun(typer.Typer):
    """A group of commands under one word.

    Args:
        help: help text of the group; empty if the word itself is the only command.
        after: used if another noun includes these commands: the command of that noun after which
            they are listed. By default, they are listed last.
    """

    def __init__(self, help: str = "", *, after: str = "") -> None:  # noqa: A002
        super().__init__(cls=CommandGroup, no_args_is_help=True, help=help)
        self.after = after

    def include(self, *others: typer.Typer) -> None:
        """Adds the commands of other applications to this noun."""
        for other in others:
            words = [command.name for command in self.registered_commands]
            after = getattr(other, "after", "")
            place = words.index(after) + 1 if after in words else len(words)
            self.registered_commands[place:place] = other.registered_commands
            self.registered_groups += other.registered_groups

    def verb(self, **further: Any) -> Callable[[Function], Function]:
        """Adds a function as a command: ``map_role_command`` becomes ``map-role``.

        The docstring is the help text. The options are the parameters that are not dataclasses,
        then the fields of the parameters that are dataclasses; the fields of the first parameter
        come last. If a dataclass has a `panel`, its options are under this heading in the help.
        With ``--json``, the returned value is printed instead of the text for people.

        The text in an annotation is the help text. A parameter with a default value is an option
        with its name, and a parameter without one is an argument, unless `typer.Option` or
        `typer.Argument` follows the text and says otherwise. A switch that is off by default can
        only be turned on.

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
    texts = [each.name for each in given if WORDS in get_args(each.annotation)]
    options = [option for group in reversed(groups.values()) for option in _options_of(group)]
    signature = inspect.Signature([*own, *options])

    @wraps(function)
    def command(*arguments: Any, **named: Any) -> None:
        bound = signature.bind(*arguments, **named)
        bound.apply_defaults()
        values: dict[str, Any] = dict(bound.arguments)
        for name in texts:
            if values[name] in (None, []):
                del values[name]
            elif isinstance(values[name], list):
                values[name] = " ".join(values[name])
        for name, group in groups.items():
            values[name] = group(**{name: values.pop(name) for name in _option_names(group)})
        run = next((value for value in values.values() if isinstance(value, Command)), Command())
        with run:
            run.answer(function(**values))

    command.__signature__ = signature  # pyright: ignore[reportAttributeAccessIssue]
    command.__annotations__ = {each.name: each.annotation for each in signature.parameters.values()}
    return command


def _is_group(parameter: inspect.Parameter) -> bool:
    return is_dataclass(parameter.annotation)


def _options_of(group: Any) -> Iterator[inspect.Parameter]:
    hints = get_type_hints(group, include_extras=True)
    defaults = {each.name: each.default for each in fields(group)}
    for name in _option_names(group):
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        field = inspect.Parameter(name, kind, default=defaults[name], annotation=hints[name])
        yield _with_help(field, getattr(group, "panel", None))


def _option_names(group: Any) -> Sequence[str]:
    """Returns the fields of a group that are options. A command names its options in `options`; in
    other groups, all fields are options.
    """
    return group.options if issubclass(group, Command) else [each.name for each in fields(group)]


def _with_help(parameter: inspect.Parameter, panel: str | None = None) -> inspect.Parameter:
    """Makes the text in the annotation of a parameter the help text of its option or argument."""
    if get_origin(parameter.annotation) is not Annotated:
        return parameter
    kind, *further = get_args(parameter.annotation)
    if not isinstance(text := further[0], str):
        return parameter
    if WORDS in further:
        kind = list[str]
        if parameter.default is not parameter.empty:
            kind, parameter = list[str] | None, parameter.replace(default=None)
    info = copy(further[1]) if further[1:] else _usual(parameter, kind)
    info.help, info.rich_help_panel = text, panel
    return parameter.replace(annotation=Annotated[kind, info])


def _usual(parameter: inspect.Parameter, kind: Any) -> Any:
    if parameter.default is parameter.empty:
        return typer.Argument()
    if kind is bool and parameter.default is False:
        return typer.Option(f"--{parameter.name.replace('_', '-')}")
    return typer.Option()
