"""How many cases tests draw by lot: few in `make test`, more in `make attack`."""

from __future__ import annotations

import os


def lots(number: int) -> int:
    """Returns the number of cases to draw.

    Args:
        number: for `make test`; QM_LOTS multiplies it.
    """
    return number * int(os.environ.get("QM_LOTS", "1"))
