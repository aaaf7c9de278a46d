"""Finds calls whose arguments are dangerous, and collects the findings."""

from __future__ import annotations

import ast
import re
from abc import abstractmethod

from quartermaster.core.findings import Finding, FlowStep
from quartermaster_quality.taint.expressions import percent_format
from quartermaster_quality.taint.judge import harmful, literal_text
from quartermaster_quality.taint.library import LibraryInterpreter
from quartermaster_quality.taint.marks import Mark
from quartermaster_quality.taint.rules.classes import CLASSES
from quartermaster_quality.taint.rules.sinks import SINKS, Sink
from quartermaster_quality.taint.values import (
    AbstractValue,
    ClassV,
    ComposedText,
    Const,
    Extern,
    ExternalCall,
    Instance,
    Kwargs,
    Map,
    Seq,
    Thing,
    Unknown,
    bake,
    blend,
    choice,
    const_str,
    marks_of,
    options,
    truth,
)

SHELLS = re.compile(r"(^|/)(ba|z|da|k|c)?sh$|^cmd(\.exe)?$|powershell|^pwsh$|^ssh$|^su$")
SQL_WORDS = (
    "select", "insert", "update", "delete", "replace", "create", "drop", "alter", "where",
    "order by", "from", "values", "union", "set", "limit", "pragma", "call", "truncate", "with",
    "and", "or", "group by", "asc", "desc", "join", "grant", "exec",
)  # fmt: skip
HTTP_CLIENT = re.compile(
    r"(^|[._])(http|https|client|session|requests|fetcher|web)s?(\(\))?$|"
    r"\['http'\]|\['client'\]|\['session'\]"
)
RUNS_SQL = {"executemany", "executescript", "mogrify", "fetchval", "fetchrow", "execute"}
SQL = re.compile(rf"\b({'|'.join(SQL_WORDS)})\b", re.IGNORECASE)


class Sinks(LibraryInterpreter):
    """Checks every call for sinks, and collects the findings."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[tuple[str, int], Finding] = {}
        self.framework = ""
        self.log_is_safe = False

    def report(self, rule: str, mark: Mark | None, node: ast.AST, text: str = "") -> None:
        """Adds a finding, unless the rule was already reported for the line."""
        weakness = CLASSES[rule]
        line = getattr(node, "lineno", 0) or 1
        if (rule, line) in self.found:
            return
        source = mark.text if mark is not None else "the program"
        steps = [] if mark is None else [*mark.steps]
        if mark is not None and mark.line:
            steps.insert(0, FlowStep(mark.line, f"{mark.text} enters here"))
        steps.append(FlowStep(line, f"it is used here: {_shown(node)}"))
        self.found[rule, line] = Finding(
            rule=weakness.rule,
            message=text or weakness.what.format(source=source),
            line=line,
            severity=weakness.severity,
            column=getattr(node, "col_offset", 0) or 0,
            end_line=getattr(node, "end_lineno", None),
            cwe=weakness.cwe,
            remedy=weakness.remedy,
            steps=tuple(steps),
        )

    def check_call(self, call: ExternalCall) -> AbstractValue | None:
        for sink in self.sinks_of(call.name):
            if not sink.when or getattr(self, f"w_{sink.when}")(call):
                self.check_sink(sink, call)
        return self.used(call)

    def sinks_of(self, name: str) -> list[Sink]:
        """Returns the sinks of a function. If the rules do not know its full name, some rules are
        found by the last part of the name.
        """
        if name in SINKS:
            return SINKS[name]
        last = "." + name.rsplit(".", 1)[-1]
        if not name.startswith(".") and name.count(".") > 0 and last in SINKS:
            return [s for s in SINKS[last] if s.rule in {"sql", "log", "ldap", "xpath"} and s.when]
        return []

    @abstractmethod
    def used(self, call: ExternalCall) -> AbstractValue | None: ...

    def check_sink(self, sink: Sink, call: ExternalCall) -> None:
        for value in self.sink_values(sink, call):
            mark = harmful(sink.rule, bake(value, self.facts()))
            if mark is not None:
                self.report(sink.rule, mark, call.node)
                return

    def sink_values(self, sink: Sink, call: ExternalCall) -> list[AbstractValue]:
        """Returns the values of a call's dangerous arguments."""
        args, kwargs = call.args, call.kwargs
        found: list[AbstractValue] = []
        for arg in sink.args:
            if arg == "self":
                found.extend([call.owner] if call.owner is not None else [])
            elif arg == "*":
                found.extend(call.values)
            elif isinstance(arg, int):
                found.extend(args[arg : arg + 1])
            elif arg in kwargs:
                found.append(kwargs[arg])
        if sink.rule == "cmd":
            return [self._script(v) for v in found]
        if sink.rule == "log":
            return self._log_values(found)
        if call.last in {"__import__", "import_module"}:
            return [v for v in found if not _inside_package(v)]
        return found

    def _log_values(self, found: list[AbstractValue]) -> list[AbstractValue]:
        """Returns the log message with its arguments inserted, so that %r and %d are taken into
        account.
        """
        if self.log_is_safe or not found:
            return []
        first, *rest = found
        if isinstance(first, Unknown) and first.type == "int" and rest:
            first, *rest = rest
        if const_str(first) is None:
            return [first, *(v for v in rest if not isinstance(v, Map | Const))]
        return [percent_format(first, Seq("tuple", rest), self)] if rest else [first]

    def _script(self, value: AbstractValue) -> AbstractValue:
        """Returns the script in the argument list of a command; if it contains no script, returns
        the name of the program.
        """
        for option in options(value):
            if isinstance(option, Seq):
                items = option.items
                texts = [const_str(i) for i in items]
                for flag in ("-c", "/c", "-Command", "-lc", "-ec", "/C"):
                    if flag in texts and texts.index(flag) + 1 < len(items):
                        return items[texts.index(flag) + 1]
                if items and texts[0] and re.search(r"(^|/)ssh$", texts[0]):
                    return choice(items[1:])
                return items[0] if items else option
        return value

    # Conditions.

    def w_runs_shell(self, call: ExternalCall) -> bool:
        shell = call.kwargs.get("shell")
        if shell is not None and truth(shell) is not False:
            return True
        first = call.args[0] if call.args else call.kwargs.get("args")
        return first is not None and any(self._is_shell_list(o) for o in options(first))

    def _is_shell_list(self, value: AbstractValue) -> bool:
        if not isinstance(value, Seq) or not value.items:
            return False
        program = const_str(value.items[0])
        if program is None:
            return bool(marks_of(value.items[0]))
        texts = [const_str(i) or "" for i in value.items]
        if program.endswith("env") and len(texts) > 1:
            program = texts[1]
        if not SHELLS.search(program):
            return False
        return program.endswith("ssh") or any(
            t in {"-c", "/c", "/C", "-Command"} or re.fullmatch(r"-\w*c", t) for t in texts
        )

    def w_shell_program(self, call: ExternalCall) -> bool:
        first = call.args[:2]
        return any(SHELLS.search(const_str(a) or "") for a in first) or bool(blend(first[:1]).marks)

    def w_is_remote_shell(self, call: ExternalCall) -> bool:
        return isinstance(call.owner, Thing) and any(
            t in call.owner.type for t in ("fabric", "invoke", "asyncssh", "Connection")
        )

    def w_is_path(self, call: ExternalCall) -> bool:
        return isinstance(call.owner, ComposedText | Unknown) and call.owner.type == "path"

    def w_is_upload(self, call: ExternalCall) -> bool:
        return (
            isinstance(call.owner, Unknown)
            and bool(call.args)
            and (call.owner.type in {"upload", "request.files"} or bool(marks_of(call.args[0])))
        )

    def w_is_archive(self, call: ExternalCall) -> bool:
        chosen = call.kwargs.get("filter")
        safe = isinstance(chosen, Extern) or const_str(chosen) in {"data", "tar"}
        return isinstance(call.owner, Thing) and "tarfile" in call.owner.type and not safe

    def w_is_html(self, call: ExternalCall) -> bool:
        kind = call.named("content_type", "mimetype", "media_type")
        if call.name.startswith("django"):
            kind = kind or call.named(at=1)
        text = literal_text(kind or _content_type(call)).strip()
        return not text or "html" in text or "svg" in text or "xml" in text

    def w_html_type(self, call: ExternalCall) -> bool:
        kind = call.named("content_type", "media_type")
        return "html" in literal_text(kind or _content_type(call))

    def w_is_handler(self, call: ExternalCall) -> bool:
        is_page = bool(call.args) and not isinstance(call.args[0], Map)
        return is_page and self._is_tornado(call.owner)

    def _is_tornado(self, owner: AbstractValue | None) -> bool:
        if isinstance(owner, Thing):
            return "RequestHandler" in owner.type
        return isinstance(owner, Instance) and any(
            b.endswith("RequestHandler") for b in owner.cls.external_bases()
        )

    def w_is_sql(self, call: ExternalCall) -> bool:
        if not call.values:
            return False
        if SQL.search(literal_text(call.values[0])):
            return True
        unknown = isinstance(call.owner, Unknown | Thing | Extern | None)
        return call.last in RUNS_SQL and unknown and not self._is_tornado(call.owner)

    def w_is_ldap(self, call: ExternalCall) -> bool:
        owner = call.owner
        if isinstance(owner, Thing | Unknown | Extern):
            type_ = owner.name if isinstance(owner, Extern) else owner.type
            if any(word in type_.lower() for word in ("ldap", "bonsai")):
                return True
            if type_.startswith(("re.", "request", "lxml")):
                return False
        texts = " ".join(literal_text(a) for a in call.values)
        if re.search(r"\((?:[&|!]|\w+[~<>]?=)|\b(dc|ou|cn|uid)=", texts):
            return True
        return "ldap" in self.framework and call.last not in {"delete", "modify"}

    def w_is_module(self, call: ExternalCall) -> bool:
        module = call.args[0] if call.args else None
        modules = {"os", "sys", "builtins", "subprocess"}
        return isinstance(module, Extern) and module.name in modules

    def w_is_logger(self, call: ExternalCall) -> bool:
        owner = call.owner
        if isinstance(owner, Thing | Unknown):
            low = owner.type.lower()
            if "log" in low and "logn" not in low:
                return not low.startswith("structlog")
        if isinstance(owner, Extern):
            return bool(re.search(r"\blog(ger|ging)?\b|_log(ger)?$|\.logger$|\.log$", owner.name))
        if isinstance(call.node, ast.Call) and isinstance(call.node.func, ast.Attribute):
            return bool(
                re.search(r"\blog(ger)?$|_log(ger)?$|^audit", ast.unparse(call.node.func.value))
            )
        return False

    def w_unsafe_yaml(self, call: ExternalCall) -> bool:
        loader = call.named("Loader", at=1)
        return loader is None or any(self._unsafe_loader(o) for o in options(loader))

    def _unsafe_loader(self, loader: AbstractValue) -> bool:
        if isinstance(loader, ClassV):
            return any(
                b.endswith(("UnsafeLoader", "yaml.Loader", "FullLoader"))
                for b in loader.external_bases()
            )
        if isinstance(loader, Extern):
            last = loader.name.rsplit(".", 1)[-1]
            return "Safe" not in last and "Base" not in last
        return False

    def w_allows_pickle(self, call: ExternalCall) -> bool:
        value = call.named("allow_pickle", at=2)
        return value is not None and truth(value) is True

    def w_unsafe_xml(self, call: ExternalCall) -> bool:
        parser = call.named("parser", at=1)
        if parser is not None:
            return any(self.unsafe_parser(o) for o in options(parser))
        return self.unsafe_options(call.kwargs)

    def unsafe_options(self, kwargs: Kwargs) -> bool:
        """Returns whether the keyword arguments of an XML parser enable external entities."""
        names = ("resolve_entities", "load_dtd", "dtd_validation", "huge_entities")
        given = [kwargs[name] for name in names if name in kwargs]
        return (
            any(truth(v) is True and const_str(v) != "internal" for v in given)
            and truth(kwargs.get("resolve_entities", Unknown())) is not False
        )

    def unsafe_parser(self, parser: AbstractValue) -> bool:
        """Returns whether an XML parser is configured to resolve external entities."""
        if not isinstance(parser, Thing):
            return False
        if "XMLParser" in parser.type or "XMLPullParser" in parser.type:
            return self.unsafe_options(parser.kwargs)
        return any(
            "feature" in key and "external" in key and truth(value) is True
            for key, value in parser.attrs.items()
        )

    def w_unsafe_parser(self, call: ExternalCall) -> bool:
        return call.owner is not None and any(self.unsafe_parser(o) for o in options(call.owner))

    def w_xmltodict_entities(self, call: ExternalCall) -> bool:
        value = call.kwargs.get("disable_entities")
        return value is not None and truth(value) is False

    def w_is_tree(self, call: ExternalCall) -> bool:
        is_text = isinstance(call.owner, Unknown) and call.owner.type == "str"
        if not call.args or isinstance(call.owner, Const | Seq | Map) or is_text:
            return False
        return bool(re.search(r"[/\[@]", literal_text(call.args[0])))

    def w_is_http_client(self, call: ExternalCall) -> bool:
        if isinstance(call.owner, Map | Seq | Const | ComposedText):
            return False
        type_ = call.owner.type if isinstance(call.owner, Thing | Unknown) else ""
        if re.search(r"session|client|requests|http|urllib|aiohttp|pool", type_, re.IGNORECASE):
            return type_ != "session" and not re.match(r"request(?!s)", type_)
        variable = bool(call.args) and not isinstance(call.args[0], Const)
        if variable and isinstance(call.node, ast.Call):
            return isinstance(call.node.func, ast.Attribute) and bool(
                HTTP_CLIENT.search(ast.unparse(call.node.func.value).lower())
            )
        return False

    def w_is_template_env(self, call: ExternalCall) -> bool:
        return not (isinstance(call.owner, Thing) and "Sandbox" in call.owner.type)


def _content_type(call: ExternalCall) -> AbstractValue:
    """Returns the content type from the headers of a response; an empty string if the headers do
    not contain it.
    """
    headers = call.kwargs.get("headers")
    named = headers.items.items() if isinstance(headers, Map) else ()
    return next((v for k, v in named if str(k).lower() == "content-type"), Const(""))


def _inside_package(name: AbstractValue) -> bool:
    """Returns whether the name of a module starts with a fixed package, so that input cannot select
    a module outside the package.
    """
    return all(
        isinstance(o, Const)
        or (isinstance(o, ComposedText) and re.match(r"[a-z_]\w*\.", str(o.parts[0])) is not None)
        for o in options(name)
    )


def _shown(node: ast.AST) -> str:
    """Returns the code of a sink in one short line. String literals are removed, because they may
    contain secrets.
    """
    target = node.func if isinstance(node, ast.Call) else node
    try:
        text = ast.unparse(target)
    except (ValueError, RecursionError, AttributeError):
        return type(node).__name__
    text = re.sub(r"'[^']*'|\"[^\"]*\"", "'...'", text)
    return (text if len(text) <= 60 else text[:57] + "...") + (
        "()" if isinstance(node, ast.Call) else ""
    )
