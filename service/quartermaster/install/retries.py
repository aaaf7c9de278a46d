"""Repeats what other sessions keep from being done."""

from __future__ import annotations

import stamina

from quartermaster.install.execute import in_conflict

# The running service or autovacuum may hold a table in another order than the installation needs.
again_in_conflict = stamina.retry(on=in_conflict, attempts=5, wait_initial=0.2, timeout=None)
