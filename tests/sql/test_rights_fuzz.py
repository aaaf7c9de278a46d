"""Thousands of random policies: the database and thirty lines of Python decide alike.

A policy is what rules make of one principal: each set of rules speaks of forty principals by their
own names, their organisations, their roles and of everyone, so that it is forty policies.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import psycopg
import pytest
from psycopg.types.json import Jsonb

from tests.support.database import Database
from tests.support.lots import lots

pytestmark = pytest.mark.sql

SETS, BATCH, SEED = lots(50), 50, 20261122
ORIGINS = ("git", "github", "mail", "time_1")
OWN_NAMES = ("get", "get_all", "delete%x", "send")
HINTS: tuple[dict[str, bool], ...] = (
    {},
    {"readOnlyHint": True},
    {"destructiveHint": False},
    {"readOnlyHint": False},
)
CATEGORIES = ("a", "b", "c")
PLAIN: dict[str, Any] = {"categories": [], "annotations": {}}
ROLES = ("user", "operator", "admin")
ORGANISATIONS = ("acme", "other", "third")
PRINCIPALS = {f"agent {n}": (ROLES[n % 3], (*ORGANISATIONS, None)[n % 4]) for n in range(40)}
TOOLSETS: dict[str, dict[str, Any]] = {
    "desk": {"tools": ["*get*"]},
    "lab": {"origins": "git*", "read_only": True},
}
PATTERNS = ("*", "git", "git*", "*hub*", "mail", "?ail", "time_1", "time?1", "none")
NAME_PATTERNS = (
    "*",
    "*__get*",
    "git__*",
    "mail__send",
    "*get*all",
    "*delete%*",
    "memo ?",
    "?????*",
)

ARRANGED = """
create function t.judge(p_definitions jsonb)
returns table (principal text, toolset text, seen text, differing bigint)
language plpgsql as $$
declare
    v_definition record;
begin
    for v_definition in
        select d.definition, d.position from jsonb_array_elements(p_definitions)
            with ordinality as d (definition, position)
    loop
        perform t.make_rules(v_definition.definition);
        return query
        with asker as materialized (
            select p.id, p.name, s.name as toolset, policy.rights_of(p.id, s.name) as rights
            from policy.principal as p
            cross join (values (null), ('desk'), ('lab')) as s (name)
            where p.name like 'agent %'
        )

        select
            a.name,
            a.toolset,
            string_agg(x.name, ',' order by x.name collate "C") filter (
                where policy.is_visible(x.rights_class, a.rights)
            ),
            count(*) filter (
                where v_definition.position = 1
                    and policy.is_visible(x.rights_class, a.rights) <> (
                        select d.is_allowed
                        from policy.decide(a.id, a.toolset, x.rights_class) as d
                    )
            )
        from asker as a
        cross join (
            select c.name, c.rights_class from search.card as c
            union all
            select 'origin ' || o.name, o.rights_class from catalog.origin as o
        ) as x
        group by a.name, a.toolset;
    end loop;
    delete from policy.rule as r
    using policy.rule_version as v
    where v.id = r.version_id and not v.is_active;
end
$$;
"""


Item = dict[str, Any]
Rule = dict[str, Any]
Policy = dict[str, Any]


@cache
def is_like(value: str, pattern: str) -> bool:
    expression = re.escape(pattern).replace(r"\*", ".*").replace(r"\?", ".")
    return re.fullmatch(expression, value, re.DOTALL) is not None


def fits(patterns: str | list[str], value: str | None) -> bool:
    given = [patterns] if isinstance(patterns, str) else patterns
    return value is not None and any(is_like(value, pattern) for pattern in given)


def meant(rule: Rule, item: Item) -> bool:
    """Returns whether every member that the rule has fits."""
    is_tool, hints = item["kind"] == "tool", item["annotations"]
    reads = is_tool and hints.get("readOnlyHint") is True
    destroys = is_tool and not reads and hints.get("destructiveHint") is not False
    fitting: dict[str, Callable[[Any], bool]] = {
        "kinds": lambda value: fits(value, item["kind"]),
        "origins": lambda value: fits(value, item["origin"]),
        "names": lambda value: fits(value, item["name"]),
        "tools": lambda value: is_tool and fits(value, item["name"]),
        "categories": lambda value: not set(item["categories"]).isdisjoint(value),
        "read_only": lambda value: is_tool and reads == value,
        "destructive": lambda value: is_tool and destroys == value,
    }
    return all(fitting[key](value) for key, value in rule.items() if key in fitting)


def means(policy: Policy, items: list[Item]) -> dict[tuple[str, str], set[int]]:
    """Returns the items that are meant, by the effect and the subject of rules."""
    found: dict[tuple[str, str], set[int]] = {}
    for rule in policy["rules"]:
        fitting = {n for n, item in enumerate(items) if meant(rule, item)}
        found.setdefault((rule["effect"], rule["subject"]), set()).update(fitting)
    return found


def seen_by(
    principal: str,
    toolset: str | None,
    default: str,
    meanings: dict[tuple[str, str], set[int]],
    pinned: set[int],
) -> set[int]:
    """Denies overrules allow, allow overrules the default; a toolset shows what it pins."""
    role, organisation = PRINCIPALS[principal]
    names = ["everyone", f"role:{role}", f"principal:{principal}", f"organisation:{organisation}"]
    names.append(f"toolset:{toolset}")
    nothing = set[int]()
    denied = nothing.union(*(meanings.get(("deny", name), nothing) for name in names))
    allowed = nothing.union(*(meanings.get(("allow", name), nothing) for name in names))
    return (pinned if default == "allow" else pinned & allowed) - denied


def make_items() -> Iterator[Item]:
    for o, origin in enumerate(ORIGINS):
        yield {"kind": "origin", "origin": origin, "name": None} | PLAIN
        for n, own in enumerate(OWN_NAMES):
            yield {
                "kind": "tool",
                "origin": origin,
                "own": own,
                "categories": [c for i, c in enumerate(CATEGORIES) if (o + n) % (i + 2) == 0],
                "annotations": HINTS[(o + n) % len(HINTS)],
            }
    for n in range(3):
        yield {"kind": "memo", "origin": "mail", "name": f"memo {n}"} | PLAIN


def make_policy(random_: random.Random) -> Policy:
    subjects = {
        **{f"principal:{name}": 3 for name in PRINCIPALS},
        **{f"organisation:{name}": 2 for name in ORGANISATIONS},
        **{f"role:{role}": 1 for role in ROLES},
        **{f"toolset:{name}": 2 for name in TOOLSETS},
        "everyone": 1,
    }

    def some(values: tuple[str, ...]) -> list[str]:
        return random_.sample(values, random_.randint(1, 2))

    def make_rule(subject: str) -> Rule:
        rule: Rule = {"effect": random_.choice(("allow", "deny")), "subject": subject}
        if random_.random() < 0.5:
            rule["origins"] = random_.choice((some(PATTERNS), random_.choice(PATTERNS)))
        kind = random_.random()
        if kind < 0.4:
            rule[random_.choice(("tools", "names"))] = some(NAME_PATTERNS)
        elif kind < 0.5:
            rule["kinds"] = some(("tool", "memo", "origin"))
        if random_.random() < 0.2:
            rule["categories"] = some(CATEGORIES)
        if random_.random() < 0.2:
            rule[random_.choice(("read_only", "destructive"))] = random_.random() < 0.5
        return rule

    rules = [
        make_rule(subject)
        for subject, most in subjects.items()
        for _ in range(random_.randint(0, most))
    ]
    random_.shuffle(rules)
    return {"default": random_.choice(("allow", "deny")), "rules": rules}


def arrange(connection: psycopg.Connection[Any], items: list[Item]) -> None:
    connection.execute("select t.make_kind('memo')")
    for organisation in ORGANISATIONS:
        connection.execute("select api.put_organisation(%s)", [organisation])
    for name, (role, organisation) in PRINCIPALS.items():
        connection.execute(
            "select policy.put_principal(%s, 'agent', %s, null, %s)", [name, role, organisation]
        )
    for name, pinned in TOOLSETS.items():
        connection.execute("select api.put_toolset(%s, %s)", [name, Jsonb(pinned)])
    for origin in ORIGINS:
        connection.execute("select t.make_origin(%s)", [origin])
    for n, item in enumerate(items):
        if item["kind"] == "tool":
            tool = {key: item[key] for key in ("origin", "annotations", "categories")}
            row = connection.execute(
                "select public_name from t.put_tools(%s)",
                [Jsonb([tool | {"name": item["own"]}])],
            ).fetchone()
            assert row
            item["name"] = row[0]
        elif item["kind"] == "memo":
            connection.execute(
                "select search.put_cards('memo', %s)",
                [Jsonb([{"ref": n, "name": item["name"], "origin": "mail", "fields": ["x"]}])],
            )


def test_no_random_policy_is_read_in_two_ways(database: Database):
    random_, items = random.Random(SEED), list(make_items())
    checked = 0
    with psycopg.connect(database.dsn, autocommit=True) as connection:
        arrange(connection, items)
        pins: dict[str | None, set[int]] = {None: set(range(len(items)))}
        for name, pinned in TOOLSETS.items():
            pins[name] = {n for n, item in enumerate(items) if meant(pinned, item)}
        connection.execute(ARRANGED.encode())
        for _ in range(SETS // BATCH):
            policies = [make_policy(random_) for _ in range(BATCH)]
            meant_by = [means(policy, items) for policy in policies]
            rows = connection.execute("select * from t.judge(%s)", [Jsonb(policies)]).fetchall()
            answers = len(rows) // BATCH
            assert answers == len(PRINCIPALS) * (1 + len(TOOLSETS))
            for i, (principal, toolset, seen, differing) in enumerate(rows):
                policy, meanings = policies[i // answers], meant_by[i // answers]
                shown = seen_by(principal, toolset, policy["default"], meanings, pins[toolset])
                expected = sorted(items[n]["name"] or f"origin {items[n]['origin']}" for n in shown)
                assert (seen or "") == ",".join(expected), (policy, principal, toolset)
                assert differing == 0, (policy, principal, toolset)
                checked += toolset is None
    assert checked == SETS * len(PRINCIPALS)
