"""Stores for credentials: a plain file, the user's keyring, or an encrypted vault."""

from __future__ import annotations

from quartermaster.secrets.backend import Backend, Kind
from quartermaster.secrets.choice import KINDS, find_backend, make_backend

__all__ = ["KINDS", "Backend", "Kind", "find_backend", "make_backend"]
