"""The same run with one thing taken away at a time.

"Without lexical" (dense, fuzzy) leaves the channel no candidates and no say: its weight in fusion
is 0, and so is the weight of its features in the learned score (search.silence), as if it told
nothing of any card. Nothing is learned anew, so what the other features could make up for is not
seen. Vectors still tell cards that say the same, and what MMR finds alike.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Any, Final

from quartermaster.eval.asking import Asker
from quartermaster.eval.measuring import Evaluation

ModeSettings = Mapping[str, Any]

_CHANNELS: Final = ("lexical", "dense", "fuzzy")
_OFF: Final = {
    "without rerank": {"rerank": 0},
    "without MMR": {"lambda": 0},
    "without utility": {"weight_success": 0, "weight_latency": 0, "weight_risk": 0},
    "plain fusion": {"scoring": "fusion"},
}


def _silenced(channel: str) -> dict[str, Any]:
    return {channel: 0, f"weight_{channel}": 0}


def _alone(channel: str) -> dict[str, Any]:
    others = [_silenced(other) for other in _CHANNELS if other != channel]
    # Its own order, not that of a score that looks at lengths, too.
    return {key: value for other in others for key, value in other.items()} | {"scoring": "fusion"}


_ARMS: Final[dict[str, dict[str, Any]]] = {
    **{f"without {channel}": _silenced(channel) for channel in _CHANNELS},
    **{f"{channel} only": _alone(channel) for channel in _CHANNELS},
    **_OFF,
}


def arms(settings: ModeSettings) -> dict[str, dict[str, Any]]:
    """What each arm sets in a mode, by the arm's name; arms that would change nothing are left
    out, and so are settings that the mode has not.

    Args:
        settings: of the mode, as api.list_modes gives it.
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
    """The arms that cannot change anything in an evaluation, by name, with the reason.

    Args:
        settings: of the mode.
        reranks: whether there is a cross-encoder.
        is_learned: whether the score was learned with the embedding model in use.
    """
    changing = arms(settings)
    found = {name: "the mode has it so" for name in _ARMS if name not in changing}
    if not reranks:
        found["without rerank"] = "no reranker is set"
    if not settings.get("weight_risk"):
        found["without utility"] = "no tool has been called there, and risk has no weight"
    if not is_learned:
        found["plain fusion"] = "nothing was learned with this embedding model"
    return found


async def ablate(
    asker: Asker, modes: Collection[str], run: Callable[[str], Awaitable[Evaluation]]
) -> tuple[dict[str, Evaluation], dict[str, str]]:
    """Runs every arm that can change something; the modes stay as the last arm has set them.

    Args:
        asker: of the service.
        modes: in which goals are asked.
        run: measures once; told the name of the arm.

    Returns:
        What each arm measured, and why others are left out.

    Raises:
        QmError: of the database.
    """
    own = {name: settings for name, settings in (await asker.modes()).items() if name in modes}
    reranks, is_learned = asker.reranker is not None, await asker.is_learned()
    resting = [idle(settings, reranks=reranks, is_learned=is_learned) for settings in own.values()]
    left_out = {
        name: why for name, why in resting[0].items() if all(name in one for one in resting)
    }
    measured: dict[str, Evaluation] = {}
    for name in _ARMS:
        if name not in left_out:
            await asker.configure(
                {mode: settings | arms(settings).get(name, {}) for mode, settings in own.items()}
            )
            measured[name] = await run(name)
    return measured, left_out
