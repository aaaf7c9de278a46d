"""The same run with one thing taken away at a time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

Profile = Mapping[str, Any]

_CHANNELS: Final = ("lexical", "dense", "fuzzy")
_OFF: Final = {
    "without rerank": {"rerank": 0},
    "without MMR": {"lambda": 0},
    "without utility": {"weight_success": 0, "weight_latency": 0, "weight_risk": 0},
    "plain fusion": {"scoring": "fusion"},
}


def arms(profile: Profile) -> dict[str, dict[str, Any]]:
    """What each arm sets in a profile, by the arm's name; arms that would change nothing are left
    out, and so are members that the profile has not.

    Args:
        profile: of the mode, as api.list_modes gives it.
    """
    wanted: dict[str, dict[str, Any]] = {}
    for channel in _CHANNELS:
        wanted[f"without {channel}"] = _silenced(channel)
    for channel in _CHANNELS:
        others = [_silenced(other) for other in _CHANNELS if other != channel]
        alone = {key: value for other in others for key, value in other.items()}
        # A learned score would look at all channels again.
        wanted[f"{channel} only"] = alone | {"scoring": "fusion"}
    wanted |= _OFF
    changes = {
        name: {key: value for key, value in change.items() if key in profile}
        for name, change in wanted.items()
    }
    return {
        name: change
        for name, change in changes.items()
        if any(profile[key] != value for key, value in change.items())
    }


def _silenced(channel: str) -> dict[str, Any]:
    return {channel: 0, f"weight_{channel}": 0}
