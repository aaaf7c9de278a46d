"""Converts, loads and runs embedding models and rerankers."""

from __future__ import annotations

from quartermaster.models.shared_code import make_shared_code_importable

# PL/Python runs the same encoder, so every module here may import `quartermaster_db`. This package
# is imported first, because it also turns off ONNX Runtime's telemetry.
make_shared_code_importable()

import quartermaster_db  # noqa: E402, F401  # pyright: ignore[reportUnusedImport]
