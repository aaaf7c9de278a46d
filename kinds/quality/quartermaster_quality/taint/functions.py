"""Models functions of Python and its libraries: computes the results of calls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import reduce

from quartermaster_quality.taint.compare import fact, whole_facts
from quartermaster_quality.taint.expressions import formatted, merged_map
from quartermaster_quality.taint.marks import DIGITS, NO_FACTS, any_of, both, mask_of
from quartermaster_quality.taint.methods import Methods, with_fields
from quartermaster_quality.taint.patterns import matched, substituted
from quartermaster_quality.taint.rules import results
from quartermaster_quality.taint.syntax import FSTRING
from quartermaster_quality.taint.values import (
    NO_MARKS,
    AbstractValue,
    ClassV,
    Const,
    Extern,
    ExternalCall,
    Instance,
    Map,
    Partial,
    Seq,
    Thing,
    Unknown,
    bake,
    blend,
    choice,
    const_str,
    line_of,
    make_text,
    map_marks,
    marks_of,
    options,
    part_of,
    truth,
    verdict,
    when,
    with_rest,
)


class FunctionInterpreter(Methods):
    """Interprets calls of functions that the file does not define."""

    def __init__(self) -> None:
        super().__init__()
        models: dict[str, Callable[[ExternalCall], AbstractValue | None]] = {
            "getattr": self.x_getattr,
            "setattr": self.x_setattr,
            "isinstance": self.x_isinstance,
            "ast.walk": self.x_walk,
            "any all": self.x_quantified,
            "map": self.x_map,
            "filter": self.x_filter,
            "zip": self.x_zip,
            "enumerate": self.x_enumerate,
            "dict collections.OrderedDict": self.x_dict,
            "list tuple set frozenset sorted reversed collections.deque": self.x_list,
            "str": self.x_str,
            "range": self.x_range,
            "len": self.x_len,
            "next": self.x_next,
            "vars dataclasses.asdict": self.x_vars,
            "bool": self.x_bool,
            "format": self.x_format,
            "functools.partial": self.x_partial,
            "dataclasses.replace": self.x_replace,
            "asyncio.gather": self.x_gather,
            "pathlib.Path pathlib.PurePath pathlib.PurePosixPath": self.x_path,
            "os.path.join posixpath.join": self.x_path,
            "re.compile": self.x_compile,
            "re.match re.fullmatch re.search": self.x_regex,
            "re.sub": self.x_sub,
            "os.path.isabs": self.x_isabs,
            FSTRING: self.x_fstring,
            "itertools.chain itertools.chain.from_iterable": self.x_chain,
            "collections.defaultdict": lambda _: Map({}),
            "types.SimpleNamespace": self.x_namespace,
            "types.MappingProxyType": self.x_same,
            "urllib.parse.quote": self.x_quote,
            "urllib.parse.urlunsplit urllib.parse.urlunparse": self.x_urlunsplit,
            "functools.reduce": self.x_reduce,
            "django.utils.http.url_has_allowed_host_and_scheme": self.x_safe_url,
            "django.utils.http.is_safe_url": self.x_safe_url,
            "hmac.compare_digest secrets.compare_digest": self.x_compare_digest,
            "django.utils.crypto.constant_time_compare": self.x_compare_digest,
            "base64.b64decode": self.x_decode_const,
            "starlette.datastructures.URL": self.x_url_of_scope,
        }
        self.externs = {name: model for names, model in models.items() for name in names.split()}

    def x_same(self, call: ExternalCall) -> AbstractValue | None:
        return call.args[0] if call.args else None

    def x_getattr(self, call: ExternalCall) -> AbstractValue | None:
        args = call.args
        name = const_str(args[1]) if len(args) > 1 else None
        if name is None:
            return blend(args[:1])
        return self.attribute(args[0], name, call.node)

    def x_setattr(self, call: ExternalCall) -> AbstractValue | None:
        args = call.args
        name = const_str(args[1]) if len(args) > 2 else None
        if name is not None:
            self.set_attribute(args[0], name, args[2], call.node)
        return Const(None)

    def x_isinstance(self, call: ExternalCall) -> AbstractValue | None:
        if len(call.args) != 2:
            return None
        value, given = call.args
        types = given.items if isinstance(given, Seq) else options(given)
        names = [t.name for t in types if isinstance(t, Extern)]
        only_names = len(names) == len(types)
        if names and only_names and set(names) <= {"int", "float", "bool"}:
            return verdict(fact(marks_of(value), mask=DIGITS | mask_of("-.e")))
        if isinstance(value, Unknown) and value.type == "syntax node":
            return _of_syntax({name.rsplit(".", 1)[-1] for name in names}, value)
        if isinstance(value, Instance) and all(isinstance(t, ClassV) for t in types):
            return Const(any(t in set(value.cls.mro()) for t in types))
        if isinstance(value, Const) and only_names:
            return Const(type(value.value).__name__ in names)
        return Unknown("bool")

    def x_walk(self, call: ExternalCall) -> AbstractValue | None:
        return Seq("list", [], part_of(blend(call.args[:1]), "|each", "syntax node"))

    def x_quantified(self, call: ExternalCall) -> AbstractValue | None:
        """Returns the value of ``any`` or ``all``, with the facts that follow from each result."""
        if not call.args:
            return Unknown("bool")
        items, rest = self.elements(call.args[0], line_of(call.node))
        values = with_rest(items, rest)
        is_any = call.last == "any"
        if is_any in [truth(v) for v in values] and rest is None:
            return Const(is_any)
        at = 0 if is_any else 1
        one = any_of(when(v)[at] for v in values if truth(v) is not (not is_any))
        every = whole_facts(reduce(both, (when(v)[1 - at] for v in values), NO_FACTS))
        return verdict(one, every) if is_any else verdict(every, one)

    def x_map(self, call: ExternalCall) -> AbstractValue | None:
        args = call.args
        if len(args) < 2:
            return None
        items, rest = self.elements(args[1], line_of(call.node))
        if len(items) > 24:
            items, rest = [], choice(with_rest(items, rest))
        made = [self.call_value(args[0], [i], {}, call.node) for i in items]
        last = None if rest is None else self.call_value(args[0], [rest], {}, call.node)
        return Seq("list", made, last)

    def x_filter(self, call: ExternalCall) -> AbstractValue | None:
        if len(call.args) < 2:
            return None
        retained: list[AbstractValue] = []
        for item in with_rest(*self.elements(call.args[1], line_of(call.node))):
            answer = self.call_value(call.args[0], [item], {}, call.node)
            if truth(answer) is not False:
                retained.append(bake(item, when(answer)[0]))
        return Seq("list", [], choice(retained)) if retained else Seq("list", [])

    def x_zip(self, call: ExternalCall) -> AbstractValue | None:
        columns = [self.elements(a, line_of(call.node)) for a in call.args]
        if columns and all(rest is None for _, rest in columns):
            rows = zip(*(items for items, _ in columns), strict=False)
            return Seq("list", [Seq("tuple", list(row)) for row in rows])
        row = [choice(with_rest(items, rest)) for items, rest in columns]
        return Seq("list", [], Seq("tuple", row))

    def x_enumerate(self, call: ExternalCall) -> AbstractValue | None:
        if not call.args:
            return None
        items, rest = self.elements(call.args[0], line_of(call.node))
        made: list[AbstractValue] = [Seq("tuple", [Const(i), v]) for i, v in enumerate(items)]
        last = None if rest is None else Seq("tuple", [Unknown("int"), rest])
        return Seq("list", made, last)

    def x_dict(self, call: ExternalCall) -> AbstractValue | None:
        for key, value in call.kwargs.items():
            self.keyed(Const(key), value, call.node)
        spread = call.kwargs.pop("**", None)
        sources = [self._pairs(a, call.node) for a in call.args] + [
            Map({**call.kwargs}, spread, spread)
        ]
        return merged_map(sources)

    def x_list(self, call: ExternalCall) -> AbstractValue | None:
        kind = "set" if call.last in {"set", "frozenset"} else "list"
        if not call.args:
            return Seq(kind, [])
        return Seq(kind, *self.elements(call.args[0], line_of(call.node)))

    def x_str(self, call: ExternalCall) -> AbstractValue | None:
        if not call.args:
            return Const("")
        value = self.as_text(call.args[0], call.node)
        if isinstance(value, Const):
            return Const(str(value.value)) if not isinstance(value.value, bytes) else value
        return Unknown(value.type, value.marks) if isinstance(value, Thing) else value

    def x_range(self, call: ExternalCall) -> AbstractValue | None:
        numbers = [a.value for a in call.args if isinstance(a, Const) and isinstance(a.value, int)]
        if len(numbers) == len(call.args) and numbers:
            made = range(*numbers)
            if len(made) <= 12:
                return Seq("list", [Const(i) for i in made])
        return Seq("list", [], Unknown("int"))

    def x_len(self, call: ExternalCall) -> AbstractValue | None:
        value = call.args[0] if call.args else Unknown()
        text = const_str(value)
        if text is not None:
            return Const(len(text))
        if isinstance(value, Seq) and value.rest is None and not self.frame.may:
            return Unknown("int") if value.kind == "set" else Const(len(value.items))
        return Unknown("int")

    def x_next(self, call: ExternalCall) -> AbstractValue | None:
        args = call.args
        if not args:
            return None
        items, rest = self.elements(args[0], line_of(call.node))
        return choice(items[:1] or with_rest([], rest) + args[1:2])

    def x_vars(self, call: ExternalCall) -> AbstractValue | None:
        if call.args and isinstance(call.args[0], Instance):
            return Map({k: v for k, v in call.args[0].attrs.items() if not k.startswith("__")})
        return None

    def x_bool(self, call: ExternalCall) -> AbstractValue | None:
        if not call.args:
            return Const(False)
        known = truth(call.args[0])
        return Const(known) if known is not None else Unknown("bool", NO_MARKS, when(call.args[0]))

    def x_format(self, call: ExternalCall) -> AbstractValue | None:
        return formatted(call.args[0], -1, const_str(call.named(at=1))) if call.args else None

    def x_partial(self, call: ExternalCall) -> AbstractValue | None:
        return Partial(call.args[0], call.args[1:], call.kwargs) if call.args else None

    def x_replace(self, call: ExternalCall) -> AbstractValue | None:
        return with_fields(call.args[0], call.kwargs) if call.args else None

    def x_url_of_scope(self, call: ExternalCall) -> AbstractValue | None:
        """Returns the URL that the browser has requested. A redirect to this URL is harmless,
        because the browser is already there.
        """
        scope = call.kwargs.get("scope")
        return None if scope is None else blend([scope], "url", safe=frozenset({"redirect"}))

    def x_gather(self, call: ExternalCall) -> AbstractValue | None:
        return Seq("list", call.args)

    def x_namespace(self, call: ExternalCall) -> AbstractValue | None:
        made = Thing("namespace")
        made.attrs.update(call.kwargs)
        return made

    def x_path(self, call: ExternalCall) -> AbstractValue | None:
        out: list[str | AbstractValue] = []
        for arg in call.args:
            if out:
                out.append("/")
            out.append(self.as_text(arg, call.node))
        return make_text(out or ["."], "path")

    def x_compile(self, call: ExternalCall) -> AbstractValue | None:
        return Thing("re.compile()", call.args, call.kwargs)

    def x_regex(self, call: ExternalCall) -> AbstractValue | None:
        args = call.args
        return matched(args[0], args[1], call.last, args[2:]) if len(args) > 1 else None

    def x_sub(self, call: ExternalCall) -> AbstractValue | None:
        args = call.args
        return substituted(args[0], args[1], args[2]) if len(args) > 2 else None

    def x_isabs(self, call: ExternalCall) -> AbstractValue | None:
        if not call.args:
            return None
        return verdict(false=fact(marks_of(call.args[0]), safe=("relative",)))

    def x_fstring(self, call: ExternalCall) -> AbstractValue | None:
        return make_text([self.as_text(a, call.node) for a in call.args])

    def x_chain(self, call: ExternalCall) -> AbstractValue | None:
        made = Seq("list", [])
        for arg in call.args:
            self.m_extend(ExternalCall(".extend", made, [arg], {}, call.node))
        return made

    def x_reduce(self, call: ExternalCall) -> AbstractValue | None:
        args = call.args
        if len(args) < 2:
            return None
        values = with_rest(*self.elements(args[1], line_of(call.node)))
        result = args[2] if len(args) > 2 else (values.pop(0) if values else Unknown())
        for value in values[:12]:
            result = self.call_value(args[0], [result, value], {}, call.node)
        return result

    def x_quote(self, call: ExternalCall) -> AbstractValue | None:
        safe = const_str(call.named("safe", at=1) or Const("/"))
        mask = mask_of(results.ALPHANUMERIC + "_.-~%" + (safe or ""))
        return map_marks(
            blend(call.args[:1], "str"),
            lambda m: replace(m, mask=m.mask & mask, safe=m.safe | {"url-part"}),
        )

    def x_urlunsplit(self, call: ExternalCall) -> AbstractValue | None:
        items, rest = self.elements(call.args[0], line_of(call.node)) if call.args else ([], None)
        if len(items) < 3 or rest is not None:
            return blend(call.args)
        scheme, host, path = items[0], items[1], items[2]
        out: list[str | AbstractValue] = []
        if const_str(scheme) != "":
            out.extend((scheme, ":"))
        if const_str(host) != "":
            out.extend(("//", host, "/"))
        out.append(path)
        for more in items[3:]:
            out.extend(("?", more))
        return make_text(out)

    def x_safe_url(self, call: ExternalCall) -> AbstractValue | None:
        first = call.args[0] if call.args else call.kwargs.get("url", Unknown())
        return verdict(fact(marks_of(first), safe=("url",)))

    def x_compare_digest(self, call: ExternalCall) -> AbstractValue | None:
        compared = [o for value in call.args for o in options(value) if isinstance(o, Thing)]
        signed = [marks_of(thing.attrs["over"]) for thing in compared if "over" in thing.attrs]
        return verdict(fact(NO_MARKS.union(*signed), safe=("signed",)))

    def x_decode_const(self, call: ExternalCall) -> AbstractValue | None:
        first = call.args[0] if call.args else None
        text = const_str(first)
        return Const(text, first.line) if text is not None and isinstance(first, Const) else None


def _of_syntax(names: set[str], node: Unknown) -> AbstractValue:
    """Returns the facts that ``isinstance`` proves about a syntax node of untrusted code, because
    nodes of some types are harmless.
    """
    good = fact(node.marks, safe=("code",))
    if names and not names & {"Attribute", "Call", "Subscript", "Lambda", "AST", "Import"}:
        return verdict(good)
    if "Attribute" in names or names >= {"Call", "Expression"}:
        return verdict(good) if "Expression" in names else verdict(false=good)
    return Unknown("bool")
