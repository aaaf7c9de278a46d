"""A service ends when the functions of its database are those of another version."""

from __future__ import annotations

import anyio
import pytest

from quartermaster.core.errors import QmError
from quartermaster.workers.version import VersionWatch
from tests.service.workers.conftest import Catalog
from tests.support.waiting import LONGEST_S

pytestmark = pytest.mark.anyio


async def test_it_goes_on_while_the_version_is_the_same_and_ends_when_it_is_another(
    catalog: Catalog,
):
    watch = VersionWatch(catalog.service)
    with anyio.move_on_after(2) as scope:
        await watch.run()
    assert scope.cancelled_caught
    catalog.rows("update core.release set digest = repeat('0', 64) returning version")
    with anyio.fail_after(LONGEST_S), pytest.raises(QmError, match="another version") as report:
        await watch.run()
    assert report.value.slug == "version_changed"
