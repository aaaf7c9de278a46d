"""The base of every section of the settings: a strict, frozen model and types of numbers."""

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
    # An environment variable can contain only one string: names separated by commas.
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    return value


Names = Annotated[tuple[str, ...], BeforeValidator(_split_list)]


class Section(BaseModel):
    """A part of the settings: unknown keys are errors, values never change."""

    model_config = ConfigDict(extra="forbid", frozen=True)
