"""Checks where values are used: in variables with certain names, sessions, templates and calls."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

from quartermaster_quality.taint.credential_library import names_secret, snake
from quartermaster_quality.taint.hashes import unparsed
from quartermaster_quality.taint.judge import harmful, literal_text
from quartermaster_quality.taint.marks import Mark
from quartermaster_quality.taint.rules.classes import CLASSES
from quartermaster_quality.taint.signatures import Signatures
from quartermaster_quality.taint.state import Frame
from quartermaster_quality.taint.values import (
    AbstractValue,
    Args,
    ComposedText,
    Const,
    Extern,
    ExternalCall,
    Func,
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
    options,
    truth,
    with_rest,
)

# Names of settings: keys of sessions, environments of templates, and what marks HTML as safe.
SESSION_KEYS = {"secret_key", "session_secret", "jwt_secret_key", "session_key"}
ENVIRONMENTS = {
    "jinja2.Environment", "jinja2.sandbox.SandboxedEnvironment",
    "jinja2.sandbox.ImmutableSandboxedEnvironment", "jinja2.nativetypes.NativeEnvironment",
}  # fmt: skip
GETS_TEMPLATE = {".from_string", ".get_template", ".select_template"}
RENDER_METHODS = {".render", ".render_async", ".generate", ".stream"}
MARKS_SAFE = {
    "markupsafe.Markup", "flask.Markup", "jinja2.Markup", "django.utils.safestring.mark_safe",
}  # fmt: skip


class Uses(Signatures):
    """Implements the interpreter's hooks for weakness classes that depend on how a value is used,
    not on where it comes from.
    """

    def __init__(self) -> None:
        super().__init__()
        self.hashed_passwords: list[tuple[Mark, ast.AST]] = []
        self.hooks: tuple[Callable[[ExternalCall], AbstractValue | None], ...] = (
            self.u_random, self.u_hash, self.u_hmac, self.u_tls, self.u_cookie, self.u_credential,
            self.u_tempfile, self.u_signature, self.u_session, self.u_unpickler, self.u_template,
            self.u_html, self.u_file, self.u_xml, self.u_environ, self.u_debugger,
        )  # fmt: skip

    def used(self, call: ExternalCall) -> AbstractValue | None:
        return next((value for hook in self.hooks if (value := hook(call)) is not None), None)

    # Names.

    def named(self, name: str, value: AbstractValue, line: int) -> None:
        low = snake(name)
        node = ast.Pass(lineno=line, col_offset=0)
        self._random_in_name(low, value, node)
        is_key = low.endswith(("secret_key", "session_key", "jwt_secret"))
        if self.frame.func is None and is_key:
            self._literal_secret(value, node)

    def keyed(self, key: AbstractValue, value: AbstractValue, node: ast.AST) -> None:
        text = const_str(key)
        if text:
            low = snake(text)
            self._random_in_name(low, value, node)
            self._weak_hash_in_name(low, value, node)
            if low in SESSION_KEYS:
                self._literal_secret(value, node)
            if low in {"session_cookie_secure", "session_cookie_httponly"}:
                self._cookie_setting(value, node)

    def set_attribute(
        self, owner: AbstractValue, name: str, value: AbstractValue, _node: ast.AST
    ) -> None:
        super().set_attribute(owner, name, value, _node)
        low = snake(name)
        self._weak_hash_in_name(low, value, _node)
        for option in options(owner):
            type_ = option.type if isinstance(option, Thing) else ""
            if isinstance(option, Thing) and type_.startswith("ssl."):
                option.line = getattr(_node, "lineno", option.line)
            if low == "secret_key" and not isinstance(option, Instance):
                self._literal_secret(value, _node)
            if low == "verify" and truth(value) is False and "ession" in type_:
                self.report("tls", None, _node)

    def set_item(
        self, owner: AbstractValue, key: AbstractValue, value: AbstractValue, node: ast.Subscript
    ) -> None:
        for option in options(owner):
            framework = isinstance(option, Extern) and option.name in {
                "flask.session",
                "quart.session",
            }
            if framework or _is_session(option, node.value):
                self._into_session(key, value, node)
            if isinstance(option, Thing) and option.type.startswith("morsel"):
                option.attrs[f"[{(const_str(key) or '').lower()}]"] = value
        super().set_item(owner, key, value, node)
        for option in options(owner):
            if isinstance(option, Thing) and "SimpleCookie" in option.type:
                self._new_morsel(option, key, value, node)

    def item(self, owner: AbstractValue, key: AbstractValue, node: ast.AST) -> AbstractValue:
        if isinstance(owner, Thing) and "SimpleCookie" in owner.type:
            found = owner.attrs.get(f"[{const_str(key)}]")
            if found is not None:
                return found
            if const_str(key) is None:
                made = [v for k, v in owner.attrs.items() if k.startswith("[")]
                return choice(made) if made else Unknown()
        if isinstance(owner, Extern) and owner.name == "os.environ":
            return self._environment(const_str(key) or "", node)
        return super().item(owner, key, node)

    # The session.

    def _into_session(self, key: AbstractValue, value: AbstractValue, node: ast.AST) -> None:
        for part in (key, value):
            mark = harmful("trust", bake(part, self.facts()))
            if mark is not None:
                self.report("trust", mark, node)
                return

    def u_session(self, call: ExternalCall) -> AbstractValue | None:
        if call.name not in {".update", ".setdefault"}:
            return None
        method = call.node.func if isinstance(call.node, ast.Call) else None
        owner = method.value if isinstance(method, ast.Attribute) else None
        by_name = isinstance(call.owner, Extern) and call.owner.name.endswith(".session")
        if by_name or _is_session(call.owner, owner):
            for value in call.values:
                self._into_session(Const(""), value, call.node)
            return Const(None)
        return None

    def u_debugger(self, call: ExternalCall) -> AbstractValue | None:
        """Reports a server that runs with the Werkzeug debugger. On an error page, the debugger
        runs any code that a visitor types.
        """
        made_by = call.owner.type if isinstance(call.owner, Thing) else ""
        runs_app = call.name == ".run" and re.search(r"(^|\.)(Flask|Quart|Dash)\(\)$", made_by)
        switch = call.kwargs.get("debug" if runs_app else "use_debugger", Unknown())
        web = runs_app or call.name == "werkzeug.serving.run_simple"
        if web and truth(switch) is True:
            self.report("code", None, call.node, "The debugger runs code for any visitor.")
        return None

    # Templates and HTML.

    def u_template(self, call: ExternalCall) -> AbstractValue | None:
        name, owner, args, kwargs = call.name, call.owner, call.args, call.kwargs
        made_by = owner.type if isinstance(owner, Thing) else ""
        if name in ENVIRONMENTS:
            return Thing(f"env {'Sandbox' if 'Sandbox' in name else ''}", args, kwargs)
        if name in {"jinja2.Template", "mako.template.Template"}:
            made = Thing("template")
            made.attrs["source"] = args[0] if args else kwargs.get("text", Const(""))
            made.attrs["escapes"] = kwargs.get("autoescape", Const(False))
            return made
        if isinstance(owner, Thing) and made_by.startswith("env") and name in GETS_TEMPLATE:
            return self._template(owner, name, args)
        if isinstance(owner, Thing) and made_by == "template" and name in RENDER_METHODS:
            return self._rendered(owner, args, kwargs)
        if name == "flask.render_template_string":
            made = Thing("template")
            made.attrs["source"] = args[0] if args else Const("")
            made.attrs["escapes"] = Const(True)
            result = self._rendered(made, args[1:], kwargs)
            mark = harmful("xss", result)
            source = self.with_kind(made.attrs["source"], *CLASSES["template"].kinds)
            if mark is not None and source is None:
                self.report("xss", mark, call.node)
            return Unknown("html")
        return None

    def _template(self, env: Thing, name: str, args: Args) -> AbstractValue:
        made = Thing("template")
        label = args[0] if args else Const("")
        made.attrs["source"] = label
        escapes = env.kwargs.get("autoescape", Const(False))
        if name != ".from_string":
            made.attrs["source"] = self._loaded(env, label)
        if isinstance(escapes, Thing) and escapes.type.startswith("jinja2.select_autoescape"):
            escapes = Const(_selects(escapes, label if name != ".from_string" else None))
        made.attrs["escapes"] = escapes
        return made

    def _loaded(self, env: Thing, label: AbstractValue) -> AbstractValue:
        loader = env.kwargs.get("loader")
        if isinstance(loader, Thing) and loader.args and isinstance(loader.args[0], Map):
            return self.map_item(loader.args[0], label)
        return Const("")

    def _rendered(self, template: Thing, args: Args, kwargs: Kwargs) -> AbstractValue:
        """Returns the text that a template renders. Escaped variables add no marks."""
        escapes = truth(template.attrs["escapes"])
        source = literal_text(template.attrs["source"])
        names = dict(kwargs)
        for arg in args:
            if isinstance(arg, Map):
                names.update({str(k): v for k, v in arg.items.items()})
        spread = names.pop("**", None)
        if escapes is not False:
            raw = set(re.findall(r"\{\{-?\s*(\w+)[\w.\[\]'\"()|\s]*\|\s*safe", source))
            if "{% autoescape false" in source:
                raw = set(names)
            names = {k: v for k, v in names.items() if k in raw}
            spread = None
        elif source:
            names = {
                k: v
                for k, v in names.items()
                if not re.search(rf"\{{\{{-?\s*{re.escape(k)}[\w.]*\s*\|\s*(e|escape)\b", source)
            }
        return blend(with_rest(names.values(), spread), "html")

    def u_html(self, call: ExternalCall) -> AbstractValue | None:
        if call.name in MARKS_SAFE:
            return Thing("markupsafe.Markup", call.args)
        if call.name in {"django.utils.html.format_html", "django.utils.html.format_html_join"}:
            return Thing("markupsafe.Markup", call.args[:1])
        is_markup = isinstance(call.owner, Thing) and call.owner.type == "markupsafe.Markup"
        filled = is_markup and call.name in {".format", ".join", ".format_map"}
        return Thing("markupsafe.Markup") if filled else None

    # The end of a function.

    def returned(self, func: Func, frame: Frame) -> None:
        low = snake(func.name)
        if isinstance(func.node, ast.Lambda):
            return
        secret = names_secret(low)
        for value, _, line in frame.returns:
            if line < 0:
                continue
            node = ast.Pass(lineno=line, col_offset=0)
            if secret:
                self._report_kind("random", value, node, "weakrandom")
            mark = self.with_kind(value, "passwordhash")
            if mark is not None and not re.search(r"legacy|old|previous", low):
                self.hashed_passwords.append((mark, node))

    def passed(self, values: dict[str, AbstractValue], node: ast.AST) -> None:
        for name, value in values.items():
            if isinstance(value, Unknown | ComposedText | Thing):
                self._random_in_name(snake(name), value, node)


def _is_session(owner: AbstractValue | None, node: ast.AST | None) -> bool:
    if isinstance(owner, Thing):
        return owner.type == "session"
    if node is None or not isinstance(owner, Unknown | Extern):
        return False
    return unparsed(node).endswith("session")


def _selects(escapes: Thing, label: AbstractValue | None) -> bool:
    """Returns whether ``select_autoescape`` enables escaping for a template with a given name."""
    if label is None:
        default = escapes.kwargs.get("default_for_string", Const(True))
        return truth(default) is not False
    enabled = escapes.kwargs.get("enabled_extensions") or next(iter(escapes.args), None)
    names = ["html", "htm", "xml"]
    if isinstance(enabled, Seq):
        names = [const_str(i) or "" for i in enabled.items]
    text = literal_text(label).strip().lower()
    if "." not in text or any(text.endswith("." + n) for n in names):
        return True
    return truth(escapes.kwargs.get("default", Const(False))) is True
