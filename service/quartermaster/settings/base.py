"""The base of all settings sections: a strict, frozen model, and number types."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

Port = Annotated[int, Field(ge=0, le=65535)]
Positive = Annotated[int, Field(ge=1)]
NotNegative = Annotated[int, Field(ge=0)]
Seconds = Annotated[float, Field(gt=0)]
Hours = Annotated[float, Field(gt=0)]
Weight = Annotated[float, Field(ge=0)]
Share = Annotated[float, Field(ge=0, le=1)]


def _split_list(value: object) -> object:
    # An environment variable can contain only one string, so names are separated by commas.
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    return value


Names = Annotated[tuple[str, ...], BeforeValidator(_split_list)]


class Section(BaseModel):
    """A part of the settings. Unknown keys are errors, and values never change."""

    model_config = ConfigDict(extra="forbid", frozen=True)
