"""Pure Python shared by PL/Python function bodies and the service."""

from __future__ import annotations

import os

# ONNX Runtime reports to its makers over the network unless told not to before it is imported.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
