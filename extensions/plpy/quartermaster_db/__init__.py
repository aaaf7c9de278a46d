"""Pure Python shared by PL/Python function bodies and the service."""

from __future__ import annotations

import os

# ONNX Runtime sends telemetry over the network unless it is disabled before the import.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
