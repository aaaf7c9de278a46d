"""Repeats a measurement with one part removed, or with one part alone.

Each variant of a measurement is called an arm; all arms query the engine again. The arm "without
lexical" (or dense, or fuzzy) has the results that a search would have if this channel found
nothing. The channel adds no candidates. Its weight in fusion is 0, and so is the weight of its
features in the learned score (search.silence). The weights are not learned again, so the results do
not show how far the other features could replace the channel. Vectors are still used to detect
near-duplicates, and by MMR.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Any, Final

from quartermaster.eval.arena import Arena
from quartermaster.eval.evaluation import Evaluation

ModeSettings = Mapping[str, Any]

_CHANNELS: Final = ("lexical", "dense", "fuzzy")
_SWITCHED_OFF_SETTINGS: Final = {
    "without rerank": {"rerank": 0},
    "without MMR": {"lambda": 0},
    "without utility": {"weight_success": 0, "weight_latency": 0, "weight_risk": 0},
    "plain fusion": {"scoring": "fusion"},
}


def _silenced(channel: str) -> dict[str, Any]:
    return {channel: 0, f"weight_{channel}": 0}


def _alone(channel: str) -> dict[str, Any]:
    others = [_silenced(other) for other in _CHANNELS if other != channel]
    # Fusion keeps the channel's own order. The learned score would also depend on the lengths of
    # the texts.
    return {key: value for other in others for key, value in other.items()} | {"scoring": "fusion"}


_ARMS: Final[dict[str, dict[str, Any]]] = {
    **{f"without {channel}": _silenced(channel) for channel in _CHANNELS},
    **{f"{channel} only": _alone(channel) for channel in _CHANNELS},
    **_SWITCHED_OFF_SETTINGS,
}


def arms(settings: ModeSettings) -> dict[str, dict[str, Any]]:
    """Returns the settings that each arm changes in a mode, by arm name. Leaves out settings that
    the mode does not have, and arms without effect.

    Args:
        settings: settings of the mode, as returned by api.list_modes.
    """
    changes = {
        name: {key: value for key, value in change.items() if key in settings}
        for name, change in _ARMS.items()
    }
    return {
        name: change
        for name, change in changes.items()
        if any(settings[key] != value for key, value in change.items())
    }


def idle(settings: ModeSettings, *, reranks: bool, is_learned: bool) -> dict[str, str]:
    """Returns the reasons why arms cannot change anything in an evaluation, by arm name.

    Args:
        settings: settings of the mode.
        reranks: whether there is a cross-encoder.
        is_learned: whether the score was learned with the embedding model in use.
    """
    changing = arms(settings)
    found = {name: "the mode already has these settings" for name in _ARMS if name not in changing}
    if not reranks:
        found["without rerank"] = "no reranker is configured"
    if not settings.get("weight_risk"):
        found["without utility"] = (
            "no tools have been called in the evaluation, and risk has no weight"
        )
    if not is_learned:
        found["plain fusion"] = "nothing was learned with this embedding model"
    return found


async def ablate(
    arena: Arena, modes: Collection[str], run: Callable[[str], Awaitable[Evaluation]]
) -> tuple[dict[str, Evaluation], dict[str, str]]:
    """Runs every arm that can change something. Afterwards, the modes still have the settings of
    the last arm.

    Args:
        arena: the temporary database in which the goals are searched for.
        modes: modes to measure.
        run: function that makes one measurement; its argument is the name of the arm.

    Returns:
        The measurements by arm, and the reasons why other arms are left out.

    Raises:
        QmError: errors from the database.
    """
    own = {name: settings for name, settings in (await arena.modes()).items() if name in modes}
    reranks, is_learned = arena.reranker is not None, await arena.is_learned()
    resting = [idle(settings, reranks=reranks, is_learned=is_learned) for settings in own.values()]
    left_out = {
        name: why for name, why in resting[0].items() if all(name in one for one in resting)
    }
    measured: dict[str, Evaluation] = {}
    for name in _ARMS:
        if name not in left_out:
            await arena.configure(
                {mode: settings | arms(settings).get(name, {}) for mode, settings in own.items()}
            )
            measured[name] = await run(name)
    return measured, left_out
