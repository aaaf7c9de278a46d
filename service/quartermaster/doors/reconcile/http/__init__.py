"""The Entity Reconciliation API, versions 0.2 (which OpenRefine uses) and 1.0-draft."""

from __future__ import annotations

from quartermaster.doors.reconcile.http.cors import OpenToPages
from quartermaster.doors.reconcile.http.routes import reconcile_routes

__all__ = ["OpenToPages", "reconcile_routes"]
