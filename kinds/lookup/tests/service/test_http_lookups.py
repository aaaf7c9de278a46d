"""The endpoint for programs, ``/v1/lookups/TABLE``."""

from __future__ import annotations

from typing import Any

import pytest

from tests.service.doors.http.test_http import Door, error_in
from tests.service.doors.http.test_http import door as door  # noqa: PLC0414 - a fixture
from tests.service.doors.http.test_v1 import as_role, slug_of
from tests.service.doors.http.test_v1 import doors as doors  # noqa: PLC0414 - a fixture

pytestmark = pytest.mark.anyio


async def test_a_lookup_answers_its_queries_in_their_order(doors: Door, execute: Any):
    execute("select t.make_lookups()")
    asked = {"queries": ["Betula pendula", {"query": "Betula", "threshold": 2}]}
    assert await slug_of(doors, None, "/v1/lookups/plant", **asked) == "token_missing"
    async with as_role(doors, "user") as http:
        report = (await http.post("/v1/lookups/plant", json=asked)).json()
        first, second = report["answers"]
        assert first["rows"][0]["value"] == "Betula pendula"
        assert second["error"]["slug"]
        absent = await http.post("/v1/lookups/nothing", json=asked)
        assert error_in(absent)["slug"] == "unsupported_table"
