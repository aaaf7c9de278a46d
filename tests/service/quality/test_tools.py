"""The quality tools, as an agent uses them in a real small project."""

from __future__ import annotations

import pytest

from tests.service.quality.conftest import GOOD, Shop

pytestmark = pytest.mark.anyio


async def test_try(shop: Shop):
    shop.write("prices.py", GOOD)
    print(await shop.call("server_info"))
    print(await shop.call("score_file", file_path="prices.py"))
    print(await shop.call("score_file", file_path="prices.py"))
    print(await shop.call("quality_gate", file_path="prices.py"))
    print(await shop.call("checklist"))
