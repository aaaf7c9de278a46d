"""The files of the core and of the kinds, SQL parsed, for the rules that hold for all of them."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pglast
from pglast import ast, enums

ROOT = Path(__file__).parents[2]
# The core, and the folders of kinds, which are laid out like it.
PLACES = [ROOT, *sorted(path.parent for path in ROOT.glob("kinds/*/sql"))]


def files(pattern: str) -> list[Path]:
    """Returns the files of the core and of the kinds that match a pattern, in order."""
    return [path for place in PLACES for path in sorted(place.glob(pattern))]


def toml_members(name: str) -> dict[str, Any]:
    """Returns what the TOML files of this name say, those of the core and of the kinds together."""
    texts = [path.read_text(encoding="utf-8") for path in files(name)]
    return {key: value for text in texts for key, value in tomllib.loads(text).items()}


FUNCTION_FILES = files("functions/**/*.sql")
MIGRATIONS = files("migrations/*.sql")
OTHER_SQL = files("sql/**/*.sql")
CLIENTS = ROOT / "clients"
PACKAGES = [
    ROOT / "service" / "quartermaster",
    *files("quartermaster_*"),
    CLIENTS / "python" / "quartermaster_client",
]
LAB = ROOT / "lab"
TESTS = [*files("tests"), CLIENTS / "tests", LAB]
DOCUMENTS = sorted(
    {
        *files("*.md"),
        *ROOT.glob("*/README.md"),
        *CLIENTS.glob("*/README.md"),
        *files("docs/**/*.md"),
        *LAB.glob("notes/*.md"),
    }
)
SCHEMAS = sorted({path.name for path in files("functions/*") if path.is_dir()})

OPERATION_SCHEMAS = ("api", "service")
"""The schemas whose functions people and the service call; each has a folder for each domain."""

_COMMENT = re.compile(r"--[^\n]*|/\*.*?\*/", re.DOTALL)
_COMMENT_ON = re.compile(r"^comment on .*?';$", re.DOTALL | re.MULTILINE)
_INPUT = {
    enums.FunctionParameterMode.FUNC_PARAM_DEFAULT,
    enums.FunctionParameterMode.FUNC_PARAM_IN,
    enums.FunctionParameterMode.FUNC_PARAM_INOUT,
    enums.FunctionParameterMode.FUNC_PARAM_VARIADIC,
}


def relative(path: Path) -> str:
    """Returns the path as people name it, from the root of the repository."""
    return path.relative_to(ROOT).as_posix()


def modules() -> dict[str, Path]:
    """Returns the modules of the core's package and of those of kinds, by their dotted names."""
    found: dict[str, Path] = {}
    for package in PACKAGES:
        for path in sorted(package.rglob("*.py")):
            parts = path.relative_to(package.parent).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def place_of(path: Path) -> Path:
    """Returns the folder of the kind that a file belongs to; for a file of the core, the root."""
    return next(place for place in reversed(PLACES) if path.is_relative_to(place))


def code_of(text: str) -> str:
    """Returns the statements without comments and without `comment on`: what the server
    executes.
    """
    return _COMMENT_ON.sub("", _COMMENT.sub("", text))


@dataclass(frozen=True)
class Function:
    """One `create function` statement with its labels by name."""

    statement: ast.CreateFunctionStmt

    @property
    def name(self) -> str:
        return ".".join(part.sval for part in self.statement.funcname)

    @property
    def inputs(self) -> list[str]:
        return [p.name for p in self.statement.parameters or () if p.mode in _INPUT]

    @cached_property
    def labels(self) -> dict[str, Any]:
        """Label to value: language, volatility, parallel, security, and `set NAME` for each GUC."""
        labels: dict[str, Any] = {}
        for option in self.statement.options:
            if option.defname == "set":
                setting = option.arg
                labels[f"set {setting.name}"] = ", ".join(
                    str(arg.val.sval if hasattr(arg.val, "sval") else arg.val)
                    for arg in setting.args or ()
                )
            else:
                argument = option.arg
                labels[option.defname] = getattr(argument, "sval", argument)
        return labels

    @property
    def is_definer(self) -> bool:
        security = self.labels.get("security")
        return security is not None and bool(security.boolval)


@dataclass(frozen=True)
class FunctionFile:
    """A file under `functions/` of the core or of a kind."""

    path: Path

    @property
    def name(self) -> str:
        """schema.function, as the path says: functions/schema/[domain/]function.sql."""
        return f"{self.parts[0]}.{self.parts[-1]}"

    @property
    def is_operation(self) -> bool:
        """Whether people or the service call it."""
        return self.parts[0] in OPERATION_SCHEMAS

    @property
    def parts(self) -> tuple[str, ...]:
        """The path below functions/ without its suffix: where the tests of it lie too."""
        folders = self.path.parent.relative_to(place_of(self.path) / "functions").parts
        return (*folders, self.path.name.removesuffix(".sql").removesuffix(".plpy"))

    @cached_property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @property
    def header(self) -> str:
        return self.text.partition("create ")[0]

    @cached_property
    def statements(self) -> list[Any]:
        return [raw.stmt for raw in pglast.parse_sql(self.text)]

    @property
    def functions(self) -> list[Function]:
        return [Function(s) for s in self.statements if isinstance(s, ast.CreateFunctionStmt)]

    @property
    def comments(self) -> list[str]:
        """Names of the functions a `comment on function` speaks of."""
        return [
            ".".join(part.sval for part in s.object.objname)
            for s in self.statements
            if isinstance(s, ast.CommentStmt)
        ]

    @property
    def owner(self) -> str | None:
        """The role to which it gives its functions; None: they stay with qm_owner."""
        owners = [s.newowner.rolename for s in self.statements if isinstance(s, ast.AlterOwnerStmt)]
        return owners[0] if owners else None

    @property
    def comment_texts(self) -> list[str]:
        """What each `comment on function` says."""
        return [s.comment or "" for s in self.statements if isinstance(s, ast.CommentStmt)]

    @property
    def granted(self) -> list[str]:
        """Names of the functions that it lets roles call, one for each grant."""
        return [
            ".".join(part.sval for part in target.objname)
            for s in self.statements
            if isinstance(s, ast.GrantStmt) and s.is_grant
            for target in s.objects
        ]
