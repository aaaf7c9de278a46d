"""What the service counts and measures, in the form that Prometheus reads."""

from __future__ import annotations

from quartermaster.metrics.meters import Meters

__all__ = ["Meters"]
