"""Asks the service in this container whether it is running, as its clients do.

It reads the address of the service, and the authorities to trust, from run.json. The exit status is
0 if the service answers.
"""

from __future__ import annotations

import json
import os
import ssl
import sys
import urllib.request
from pathlib import Path

_ANSWER_S = 2.0


def main() -> int:
    """Returns the exit status."""
    try:
        run = json.loads(Path(os.environ["QM_DATA_DIR"], "run.json").read_text(encoding="utf-8"))
        trusted = ssl.create_default_context(cafile=run["ca"])
        # The proxy of the environment is not for connections within the container.
        direct = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=trusted)
        )
        direct.open(f"{run['url']}/healthz", timeout=_ANSWER_S).close()
    except (OSError, ValueError, KeyError) as error:
        print(f"the service does not answer: {error}", file=sys.stderr)  # noqa: T201
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
