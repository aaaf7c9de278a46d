"""Findings: dangerous calls whose arguments can do harm."""

from __future__ import annotations

import ast
import re
from abc import abstractmethod
from collections.abc import Callable

from quartermaster.quality.findings import Finding, Step
from quartermaster.quality.taint.judge import harmful, literal_text
from quartermaster.quality.taint.library import Library
from quartermaster.quality.taint.marks import Mark
from quartermaster.quality.taint.rules.classes import CLASSES
from quartermaster.quality.taint.rules.sinks import SINKS, Sink
from quartermaster.quality.taint.values import (
    Args,
    Call,
    ClassV,
    Const,
    Extern,
    Instance,
    Kwargs,
    Map,
    Seq,
    Text,
    Thing,
    Unknown,
    Value,
    bake,
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
SQL = re.compile(rf"\b({'|'.join(SQL_WORDS)})\b", re.IGNORECASE)


class Sinks(Library):
    """Looks at every call for sinks, and keeps the findings."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[tuple[str, int], Finding] = {}
        self.framework = ""
        self.conditions: dict[str, Callable[[Call], bool]] = {
            "runs_shell": self.w_runs_shell,
            "shell_program": self.w_shell_program,
            "is_remote_shell": self.w_remote_shell,
            "is_path": self.w_is_path,
            "is_upload": self.w_is_upload,
            "is_archive": self.w_is_archive,
            "is_html": self.w_is_html,
            "html_type": self.w_html_type,
            "is_handler": self.w_is_handler,
            "is_sql": self.w_is_sql,
            "is_ldap": self.w_is_ldap,
            "is_module": self.w_is_module,
            "is_logger": self.w_is_logger,
            "unsafe_yaml": self.w_unsafe_yaml,
            "allows_pickle": self.w_allows_pickle,
            "unsafe_xml": self.w_unsafe_xml,
            "unsafe_parser": self.w_unsafe_parser,
            "xmltodict_entities": self.w_xmltodict,
            "is_tree": self.w_is_tree,
            "is_http_client": self.w_is_http_client,
            "is_template_env": self.w_is_template_env,
        }
        self.log_is_safe = False

    def report(self, rule: str, mark: Mark | None, node: ast.AST, text: str = "") -> None:
        """Adds a finding."""
        weakness = CLASSES[rule]
        line = getattr(node, "lineno", 0) or 1
        if (rule, line) in self.found:
            return
        source = mark.text if mark is not None else "the program"
        message = text or weakness.what.format(source=source)
        steps: tuple[Step, ...] = ()
        if mark is not None:
            start = [Step(mark.line, f"{mark.text} enters here")] if mark.line else []
            steps = (*start, *mark.steps)
        steps = (*steps, Step(line, f"it is used here: {_shown(node)}"))
        self.found[rule, line] = Finding(
            rule=weakness.rule,
            message=message,
            line=line,
            severity=weakness.severity,
            column=getattr(node, "col_offset", 0) or 0,
            end_line=getattr(node, "end_lineno", None),
            cwe=weakness.cwe,
            remedy=weakness.remedy,
            steps=steps,
        )

    def check_call(self, call: Call) -> Value | None:
        for sink in self.sinks_of(call.name):
            if not sink.when or self.conditions[sink.when](call):
                self.check_sink(sink, call)
        return self.used(call)

    def sinks_of(self, name: str) -> list[Sink]:
        """The sinks of a name; also if it was imported another way."""
        if name in SINKS:
            return SINKS[name]
        last = "." + name.rsplit(".", 1)[-1]
        if not name.startswith(".") and name.count(".") > 0 and last in SINKS:
            return [s for s in SINKS[last] if s.rule in {"sql", "log", "ldap", "xpath"} and s.when]
        return []

    @abstractmethod
    def used(self, call: Call) -> Value | None: ...

    def check_sink(self, sink: Sink, call: Call) -> None:
        kinds = CLASSES[sink.rule].kinds
        for value in self.sink_values(sink, call):
            mark = harmful(sink.rule, kinds, bake(value, self.facts()))
            if mark is not None:
                self.report(sink.rule, mark, call.node)
                return

    def sink_values(self, sink: Sink, call: Call) -> list[Value]:
        """The values of the dangerous arguments."""
        args, kwargs = call.args, call.kwargs
        found: list[Value] = []
        for arg in sink.args:
            if arg == "self":
                found.extend([call.owner] if call.owner is not None else [])
            elif arg == "*":
                found.extend([*args, *kwargs.values()])
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

    def _log_values(self, found: list[Value]) -> list[Value]:
        """The message with its arguments put in, so that %r and %d count."""
        if self.log_is_safe or not found:
            return []
        from quartermaster.quality.taint.expressions import percent_format

        first, rest = found[0], found[1:]
        if isinstance(first, Unknown) and first.type == "int" and rest:
            first, rest = rest[0], rest[1:]
        rest = (
            [v for v in rest if not isinstance(v, Map | Const)]
            if const_str(first) is None
            else rest
        )
        if rest and const_str(first) is not None:
            return [percent_format(first, Seq("tuple", rest), self)]
        return [first, *rest]

    def _script(self, value: Value) -> Value:
        """Of a list of arguments for a shell, the script."""
        for option in options(value):
            if isinstance(option, Seq):
                items = option.items
                texts = [const_str(i) for i in items]
                for flag in ("-c", "/c", "-Command", "-lc", "-ec", "/C"):
                    if flag in texts and texts.index(flag) + 1 < len(items):
                        return items[texts.index(flag) + 1]
                if items and texts[0] and re.search(r"(^|/)ssh$", texts[0]):
                    return choice(items[1:])
                return (
                    option
                    if option.rest is not None and not items
                    else (items[0] if items else option)
                )
        return value

    # Conditions.

    def w_runs_shell(self, call: Call) -> bool:
        shell = call.kwargs.get("shell")
        if shell is not None and truth(shell) is not False:
            return True
        first = call.args[0] if call.args else call.kwargs.get("args")
        return first is not None and any(self._is_shell_list(o) for o in options(first))

    def _is_shell_list(self, value: Value) -> bool:
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

    def w_shell_program(self, call: Call) -> bool:
        texts = [const_str(a) or "" for a in call.args[:3]]
        return any(SHELLS.search(t) for t in texts[:2]) or (
            bool(call.args) and bool(marks_of(call.args[0]))
        )

    def w_remote_shell(self, call: Call) -> bool:
        return isinstance(call.owner, Thing) and any(
            t in call.owner.type for t in ("fabric", "invoke", "asyncssh", "Connection")
        )

    def w_is_path(self, call: Call) -> bool:
        return isinstance(call.owner, Text | Unknown) and call.owner.type == "path"

    def w_is_upload(self, call: Call) -> bool:
        return (
            isinstance(call.owner, Unknown)
            and bool(call.args)
            and (call.owner.type in {"upload", "request.files"} or bool(marks_of(call.args[0])))
        )

    def w_is_archive(self, call: Call) -> bool:
        if not isinstance(call.owner, Thing) or "tarfile" not in call.owner.type:
            return False
        filter_ = const_str(call.kwargs.get("filter"))
        return filter_ not in {"data", "tar"} and not (
            isinstance(call.kwargs.get("filter"), Extern)
        )

    def w_is_html(self, call: Call) -> bool:
        kwargs = call.kwargs
        kind = kwargs.get("content_type") or kwargs.get("mimetype") or kwargs.get("media_type")
        if kind is None and len(call.args) > 1 and call.name.startswith("django"):
            kind = call.args[1]
        if kind is None:
            headers = kwargs.get("headers")
            if isinstance(headers, Map):
                kind = next(
                    (v for k, v in headers.items.items() if str(k).lower() == "content-type"), None
                )
        text = literal_text(kind).strip() if kind is not None else ""
        return not text or "html" in text or "svg" in text or "xml" in text

    def w_html_type(self, call: Call) -> bool:
        kind = call.kwargs.get("content_type") or call.kwargs.get("media_type")
        if kind is None:
            headers = call.kwargs.get("headers")
            if isinstance(headers, Map):
                kind = next(
                    (v for k, v in headers.items.items() if str(k).lower() == "content-type"), None
                )
        return kind is not None and "html" in literal_text(kind)

    def w_is_handler(self, call: Call) -> bool:
        return (
            self._is_tornado(call.owner) and bool(call.args) and not isinstance(call.args[0], Map)
        )

    def _is_tornado(self, owner: Value | None) -> bool:
        if isinstance(owner, Thing):
            return "RequestHandler" in owner.type
        return isinstance(owner, Instance) and any(
            b.endswith("RequestHandler") for b in owner.cls.external_bases()
        )

    def w_is_sql(self, call: Call) -> bool:
        first = call.args[0] if call.args else next(iter(call.kwargs.values()), None)
        if first is None:
            return False
        text = literal_text(first)
        if SQL.search(text):
            return True
        method = call.name.rsplit(".", 1)[-1]
        if method in {"executemany", "executescript", "mogrify", "fetchval", "fetchrow", "execute"}:
            return isinstance(call.owner, Unknown | Thing | Extern | None) and not self._is_tornado(
                call.owner
            )
        return False

    def w_is_ldap(self, call: Call) -> bool:
        owner = call.owner
        if isinstance(owner, Thing | Unknown | Extern):
            type_ = owner.name if isinstance(owner, Extern) else owner.type
            if any(word in type_.lower() for word in ("ldap", "bonsai")):
                return True
            if type_.startswith(("re.", "request", "lxml")):
                return False
        texts = " ".join(literal_text(a) for a in [*call.args, *call.kwargs.values()])
        if re.search(r"\((?:[&|!]|\w+[~<>]?=)", texts) or re.search(r"\b(dc|ou|cn|uid)=", texts):
            return True
        return "ldap" in self.framework and call.name.rsplit(".", 1)[-1] not in {"delete", "modify"}

    def w_is_module(self, call: Call) -> bool:
        return (
            bool(call.args)
            and isinstance(call.args[0], Extern)
            and call.args[0].name in {"os", "sys", "builtins", "subprocess"}
        )

    def w_is_logger(self, call: Call) -> bool:
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

    def w_unsafe_yaml(self, call: Call) -> bool:
        loader = call.kwargs.get("Loader") or (call.args[1] if len(call.args) > 1 else None)
        if loader is None:
            return True
        return any(self._unsafe_loader(o) for o in options(loader))

    def _unsafe_loader(self, loader: Value) -> bool:
        if isinstance(loader, ClassV):
            return any(
                b.endswith(("UnsafeLoader", "yaml.Loader", "FullLoader"))
                for b in loader.external_bases()
            )
        if isinstance(loader, Extern):
            last = loader.name.rsplit(".", 1)[-1]
            return "Safe" not in last and "Base" not in last
        return False

    def w_allows_pickle(self, call: Call) -> bool:
        value = call.kwargs.get("allow_pickle") or (call.args[2] if len(call.args) > 2 else None)
        return value is not None and truth(value) is True

    def w_unsafe_xml(self, call: Call) -> bool:
        parser = call.kwargs.get("parser") or (call.args[1] if len(call.args) > 1 else None)
        if parser is not None:
            return any(self.unsafe_parser(o) for o in options(parser))
        return self.unsafe_options(call.kwargs)

    def unsafe_options(self, kwargs: Kwargs) -> bool:
        """Whether keyword arguments switch entities on."""
        return (
            any(
                truth(kwargs[k]) is True and const_str(kwargs[k]) != "internal"
                for k in ("resolve_entities", "load_dtd", "dtd_validation", "huge_entities")
                if k in kwargs
            )
            and truth(kwargs.get("resolve_entities", Unknown())) is not False
        )

    def unsafe_parser(self, parser: Value) -> bool:
        """Whether a parser resolves external entities."""
        if not isinstance(parser, Thing):
            return False
        if "XMLParser" in parser.type or "XMLPullParser" in parser.type:
            return self.unsafe_options(parser.kwargs)
        for key, value in parser.attrs.items():
            if "feature" in key and "external" in key and truth(value) is True:
                return True
        return False

    def w_unsafe_parser(self, call: Call) -> bool:
        return call.owner is not None and any(self.unsafe_parser(o) for o in options(call.owner))

    def w_xmltodict(self, call: Call) -> bool:
        value = call.kwargs.get("disable_entities")
        return value is not None and truth(value) is False

    def w_is_tree(self, call: Call) -> bool:
        if (
            not call.args
            or isinstance(call.owner, Const | Seq | Map)
            or (isinstance(call.owner, Unknown) and call.owner.type == "str")
        ):
            return False
        return bool(re.search(r"[/\[@]", literal_text(call.args[0])))

    def w_is_http_client(self, call: Call) -> bool:
        if isinstance(call.owner, Map | Seq | Const | Text):
            return False
        type_ = call.owner.type if isinstance(call.owner, Thing | Unknown) else ""
        if re.search(r"session|client|requests|http|urllib|aiohttp|pool", type_, re.IGNORECASE):
            return (not type_.startswith("request") and type_ != "session") or type_.startswith(
                "requests"
            )
        if isinstance(call.node, ast.Call) and isinstance(call.node.func, ast.Attribute):
            text = ast.unparse(call.node.func.value).lower()
            return bool(
                re.search(
                    r"(^|[._])(http|https|client|session|requests|fetcher|web)s?(\(\))?$|"
                    r"\['http'\]|\['client'\]|\['session'\]",
                    text,
                )
            ) and self._is_url_like(call.args)
        return False

    def _is_url_like(self, args: Args) -> bool:
        return bool(args) and not isinstance(args[0], Const)

    def w_is_template_env(self, call: Call) -> bool:
        return not (isinstance(call.owner, Thing) and "Sandbox" in call.owner.type)


def _inside_package(name: Value) -> bool:
    """Whether the name of a module begins with a package, so that no other can be chosen."""
    return all(
        isinstance(o, Const)
        or (isinstance(o, Text) and re.match(r"[a-z_]\w*\.", str(o.parts[0])) is not None)
        for o in options(name)
    )


def _shown(node: ast.AST) -> str:
    """The code of a sink in one short line, without its texts: they may hold secrets."""
    target = node.func if isinstance(node, ast.Call) else node
    try:
        text = ast.unparse(target)
    except (ValueError, RecursionError, AttributeError):
        return type(node).__name__
    text = re.sub(r"'[^']*'|\"[^\"]*\"", "'...'", text)
    return (text if len(text) <= 60 else text[:57] + "...") + (
        "()" if isinstance(node, ast.Call) else ""
    )
