"""Embedding models: conversion, loading, encoding."""

from __future__ import annotations

from quartermaster.models.shared_code import make_shared_code_importable

# The encoder is the one PL/Python runs, so every module here may import `quartermaster_db`;
# importing it now also silences ONNX Runtime's telemetry before anything loads that.
make_shared_code_importable()

import quartermaster_db  # noqa: E402, F401  # pyright: ignore[reportUnusedImport]
