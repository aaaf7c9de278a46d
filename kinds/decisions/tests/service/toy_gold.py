"""Decisions that a person wrote down for a shop that does not exist, and places in it with the
decisions that should be served there: 2 for those that the task needs, 1 for those that also apply.
Written before anything was served.
"""

from __future__ import annotations

from typing import Any


def decision(pattern: str, scope: str, **more: Any) -> dict[str, Any]:
    """Returns a decision as it is imported; a scope with a slash or a star is a glob of paths."""
    kind = "path" if "/" in scope or "*" in scope else "language" if scope else "global"
    return {
        "pattern": pattern,
        "scope": {"kind": kind, "value": scope},
        "confidence": "high",
        "evidence": [{"kind": "commit", "commit": "abcdef1"}],
        **more,
    }


DECISIONS = {
    "serializer": decision("Endpoints return serializers.", "src/api/**", instead="a dict"),
    "version": decision("Put new endpoints below `/v2`.", "src/api/routes/**"),
    "permission": decision(
        "Every endpoint names its permission in the decorator.",
        "src/api/routes/**",
        rationale="An endpoint without one was open for a week.",
    ),
    "pagination": decision("Lists are paged by a cursor, 100 rows at most.", "src/api/**"),
    "money": decision("Amounts of money are Decimal.", "src/billing/**", instead="float"),
    "round": decision("Round to cents only when an invoice is written.", "src/billing/**"),
    "stripe": decision(
        "Call Stripe only through `billing.gateway`.",
        "src/billing/**",
        rationale="Retries and idempotency keys are there.",
    ),
    "migration": decision(
        "A migration only adds; columns are dropped one release later.", "migrations/**"
    ),
    "index": decision("Create indexes concurrently.", "migrations/**"),
    "session": decision("Open a transaction with `db.transaction()`.", "src/**/*.py"),
    "raw": decision("Never build SQL from strings.", "src/**/*.py", polarity="avoid"),
    "mail": decision(
        "Mails are sent by a task, never in a request.", "src/**", keywords=["email", "notify"]
    ),
    "retry": decision("Tasks are idempotent, because they are retried.", "src/tasks/**"),
    "queue": decision("Give each task a queue and a timeout.", "src/tasks/**"),
    "fixture": decision("Make rows with factories.", "tests/**", instead="fixtures in JSON"),
    "clock": decision("Freeze the clock with `frozen_time`.", "tests/**"),
    "logger": decision("Log with structlog, events in snake case.", "python"),
    "utc": decision("Times are UTC and aware.", "python", keywords=["datetime", "timezone"]),
    "template": decision("Texts that people see are translated.", "templates/**"),
    "css": decision("Colours come from variables.", "static/**/*.css"),
}

PLACES: list[tuple[str, str, dict[str, int]]] = [
    (
        "src/api/routes/orders.py",
        "add an endpoint that lists orders",
        {"pagination": 2, "serializer": 2, "permission": 2, "version": 2},
    ),
    (
        "src/api/routes/users.py",
        "let only admins delete a user",
        {"permission": 2, "serializer": 1, "version": 1, "pagination": 1},
    ),
    ("src/api/serializers.py", "return the address of a user", {"serializer": 2, "pagination": 1}),
    (
        "src/billing/invoices.py",
        "compute the total of an invoice with tax",
        {"round": 2, "money": 2, "stripe": 1},
    ),
    (
        "src/billing/refunds.py",
        "refund a payment with Stripe",
        {"stripe": 2, "money": 1, "round": 1},
    ),
    (
        "src/billing/discounts.py",
        "add a discount in percent",
        {"money": 2, "round": 2, "stripe": 1},
    ),
    ("migrations/0042_orders.sql", "drop the column old_total", {"migration": 2, "index": 1}),
    ("migrations/0043_index.sql", "create an index on orders", {"index": 2, "migration": 1}),
    (
        "src/tasks/reminders.py",
        "send a reminder by email every night",
        {"mail": 2, "retry": 2, "queue": 2},
    ),
    ("src/tasks/cleanup.py", "delete old carts", {"retry": 2, "queue": 2, "session": 1}),
    (
        "src/orders/service.py",
        "notify the customer when an order is shipped",
        {"mail": 2, "session": 1},
    ),
    (
        "src/orders/queries.py",
        "write a query for the report of sales",
        {"raw": 2, "session": 1},
    ),
    ("tests/api/test_orders.py", "test that orders expire", {"clock": 2, "fixture": 2}),
    ("templates/orders/list.html", "show the number of orders", {"template": 2}),
    ("static/css/cart.css", "make the button of the cart red", {"css": 2}),
    ("README.md", "fix a typo", {}),
    ("docker/Dockerfile", "update the base image", {}),
    (".github/workflows/ci.yml", "cache the dependencies", {}),
    ("LICENSE", "change the year", {}),
    ("docs/pictures/logo.svg", "make the logo smaller", {}),
]
