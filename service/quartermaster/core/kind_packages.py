"""Kinds of cards from Python packages, which are found by their entry points."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any, Final, TypeVar

from quartermaster import DISTRIBUTION, __version__
from quartermaster.core.errors import QmError

if TYPE_CHECKING:
    import mcp_types as types
    from prometheus_client.core import Metric
    from starlette.routing import Route

    from quartermaster.core.findings import Scan

GROUP: Final = "quartermaster.kinds"
COMMANDS: Final = "quartermaster.commands"
"""Group of entry points that name the commands of ``qm``: a `typer.Typer` for each word."""
MORE_COMMANDS: Final = {word: f"{COMMANDS}.{word}" for word in ("eval", "stats")}
"""Groups of entry points that add their commands to ``qm eval`` and ``qm stats``."""
COMMANDS_HELP: Final = "quartermaster.commands.help"
"""Group of entry points with the texts of ``qm --help`` about commands: a dictionary of `ShortHelp`
by word. With these texts, the modules of the commands need not be imported.
"""

T = TypeVar("T")

BROKEN_HINT: Final = "Install the package again, or remove it."


@dataclass(frozen=True)
class ShortHelp:
    """The text of ``qm --help`` about a command.

    Attributes:
        text: the first paragraph of its help.
        heading: the heading under which it is listed; empty for the heading of all kinds.
        after: command of the core after which it is listed; by default, it comes last.
    """

    text: str
    heading: str = ""
    after: str = ""


@dataclass(frozen=True)
class KindTool:
    """An MCP tool of a package.

    Attributes:
        definition: name, description and schema; its bytes must never change.
        answer: function that takes the service, the caller and arguments that match the schema.
    """

    definition: types.Tool
    answer: Callable[..., Awaitable[types.CallToolResult]]


@dataclass(frozen=True)
class KindPrompt:
    """A prompt of a door.

    Attributes:
        definition: name, description and arguments.
        text: text of the prompt.
    """

    definition: types.Prompt
    text: str


@dataclass(frozen=True)
class KindResource:
    """A resource of a door, or all resources that match a template.

    Attributes:
        definition: the resource or the template.
        read: function that takes the service, the caller and a URI, and returns the text of the
            resource. It returns None if the URI names no such resource.
    """

    definition: types.Resource | types.ResourceTemplate
    read: Callable[..., Awaitable[str | None]]


@dataclass(frozen=True)
class KindDoor:
    """An MCP server of a package, which runs in the service and is served at ``/mcp/NAME``.

    In the catalog, its tools belong to an origin that has the name of the door. So `search_tools`
    finds them, `call_tool` runs them, and rules decide who may use them.

    Attributes:
        name: name of the door and of its origin; lower-case letters, digits and hyphens.
        title: title for people.
        description: the purpose of the tools; it is searched together with each tool.
        instructions: the text about the door that clients give to their model.
        tools: the tools.
        prompts, resources: prompts and resources that clients of the door are offered.
    """

    name: str
    title: str
    description: str
    instructions: str
    tools: tuple[KindTool, ...]
    prompts: tuple[KindPrompt, ...] = ()
    resources: tuple[KindResource, ...] = ()


@dataclass(frozen=True)
class KindServer:
    """An MCP server of a package that is not an origin: its tools are offered at ``/mcp/NAME``
    only.

    Attributes:
        name: name of the server; lower-case letters, digits and hyphens.
        open: function that takes the service and returns the server (a `GatewayServer`).
    """

    name: str
    open: Callable[..., Any]


@dataclass(frozen=True)
class KindHttp:
    """Routes and layers of a package that are served over HTTP in addition to MCP.

    Attributes:
        routes: function that returns the routes. It takes the service, a function that adds the
            check of keys and tokens to an application, and the limit for the requests from one
            principal.
        layer: the outermost layer around the paths of the package; it takes an application and
            passes requests to other paths through unchanged. None if there is none.
    """

    routes: Callable[..., Sequence[Route]]
    layer: type[Any] | None = None


@dataclass(frozen=True)
class KindWork:
    """A task that every service process repeats.

    Attributes:
        name: name in the log.
        every_s: pause after each run, in seconds.
        run: function that takes the service. If it raises a QmError or an OSError, it runs again
            after the pause.
    """

    name: str
    every_s: float
    run: Callable[..., Awaitable[object]]


@dataclass(frozen=True)
class KindScanner:
    """A scanner of Python files for the quality score. The result of a scan is used until the file,
    the facts, or the code in the folder of `examine` change.

    Attributes:
        name: name of the scanner.
        facts: function that returns the data that `examine` needs in addition to the file; empty if
            there is nothing to look for. It takes the database, the caller, the name of the
            project, the `ProjectFileAccess` of its files and the path of a file.
        examine: function that takes the path, the bytes of the file and the facts, and returns the
            scan. It runs in a worker, for files that Python can parse.
    """

    name: str
    facts: Callable[..., Awaitable[bytes]]
    examine: Callable[[str, bytes, bytes], Scan]


@dataclass(frozen=True)
class KindPackage:
    """The parts that a package adds for its kinds. Its entry point names an instance of this class.

    Attributes:
        start: function that is called with each service that starts. It returns the object that the
            package keeps in the service, which holds it in `parts`. An object that has to be closed
            with the service is entered into the service's stack `closing`. None if the package
            keeps nothing.
        tools: MCP tools that every client sees in addition to the bridge tools.
        door: further MCP tools, which have a separate endpoint and can also be found by searches;
            None if there are none.
        server: an MCP server that is not a door; None if there is none.
        http: routes that are served over HTTP in addition to MCP; None if there are none.
        work: tasks that every service process repeats.
        metrics: function that takes the service and returns metrics for ``/metrics``.
        status: function that takes the service and returns members for ``/status``.
        scanner: a scanner for the quality score; None if there is none.
        scan: a function that examines a file with the help of the database, for the quality score.
            It takes the database, the caller, the name of the project and the `Content`, and
            returns a scan, or None if it does not look at the file. None if there is no such
            function.
        about_file: a function that finds the decisions about a file. It takes the database, the
            caller, the name of the project and the path of the file below its root, and returns
            decisions as JSON objects, best first. None if there is no such function.
        on_use: a function that is called after the use of a tool of any package. It takes the
            database, the caller, the name of the tool and the subject of the use. None if the
            package does not need it.
        missed: the tables with rows that people have made, by schema. A person who uninstalls
            Quartermaster sees how many rows these tables have. If no package names a schema, all
            tables of the schema are listed.
    """

    start: Callable[..., Awaitable[object]] | None = None
    tools: tuple[KindTool, ...] = ()
    door: KindDoor | None = None
    server: KindServer | None = None
    http: KindHttp | None = None
    work: tuple[KindWork, ...] = ()
    metrics: Callable[..., Iterable[Metric]] | None = None
    status: Callable[..., dict[str, object]] | None = None
    scanner: KindScanner | None = None
    scan: Callable[..., Awaitable[Scan | None]] | None = None
    about_file: Callable[..., Awaitable[list[dict[str, Any]]]] | None = None
    on_use: Callable[..., Awaitable[None]] | None = None
    missed: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])


@cache
def kind_packages() -> tuple[KindPackage, ...]:
    """Returns the kind packages of all installed Python packages, in the order of their names.

    Raises:
        QmError: QM500 kind_package_broken.
    """
    return tuple(loaded(entry, KindPackage) for entry in entries(GROUP))


def entries(group: str) -> list[EntryPoint]:
    """Returns the entry points of a group in all installed packages, in the order of their names.

    Raises:
        QmError: QM500 kind_package_broken. One of our own packages has another version than
            Quartermaster, whose functions it calls.
    """
    return list(_entries(group, tuple(sys.path)))


@cache
def _entries(group: str, _path: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    # The metadata of all packages on the path is read, which takes 15 ms.
    found = tuple(sorted(entry_points(group=group), key=lambda entry: entry.name))
    for distribution in {entry.dist for entry in found if entry.dist}:
        package = distribution.name
        if is_ours(package) and (version := distribution.version) != __version__:
            raise QmError(
                500,
                "kind_package_broken",
                f"{package} has the version {version}, and Quartermaster {__version__}.",
                f"Install the same version of both. {how_to_install(package)}",
            )
    return found


def doors() -> list[KindDoor]:
    """Returns the doors of all installed packages."""
    return [package.door for package in kind_packages() if package.door is not None]


def servers() -> list[KindServer]:
    """Returns the MCP servers of all installed packages that are not doors."""
    return [package.server for package in kind_packages() if package.server is not None]


def package_of(entry: EntryPoint) -> str:
    """Returns the name of the Python package that an entry point belongs to."""
    return entry.dist.name if entry.dist else entry.value


def is_ours(distribution: str) -> bool:
    """Returns whether a Python package of kinds comes with Quartermaster, in the same version."""
    return distribution.startswith(f"{DISTRIBUTION}-")


def how_to_install(distribution: str) -> str:
    """Returns the command that installs one of our own packages into the environment of
    Quartermaster.
    """
    wheel = f"{distribution.replace('-', '_')}-{__version__}-py3-none-any.whl"
    command = shlex.join([sys.executable, "-m", "pip", "install", f"./{wheel}"])
    return f"In a clone, run make setup. With wheels, run {command}."


def loaded(entry: EntryPoint, kind: type[T]) -> T:
    """Returns the object that an entry point names.

    Args:
        entry: the entry point.
        kind: the type that it must have.

    Raises:
        QmError: QM500 kind_package_broken.
    """
    value = loaded_or_reason(entry, kind)
    if not isinstance(value, str):
        return value
    raise QmError(
        500,
        "kind_package_broken",
        f"{entry.name} in the package {package_of(entry)} cannot be loaded: {value}.",
        BROKEN_HINT,
    )


def loaded_or_reason(entry: EntryPoint, kind: type[T]) -> T | str:
    """Returns the object that an entry point names, or the reason why it cannot be loaded; see
    `loaded`.
    """
    try:
        value = entry.load()
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a module can raise anything
        return f"{type(error).__name__}: {error}"
    return value if isinstance(value, kind) else f"{entry.value} is no {kind.__name__}"
