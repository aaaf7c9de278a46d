"""The section ``knowledge`` of the settings."""

from __future__ import annotations

from ipaddress import ip_network
from typing import Annotated, Self
from urllib.parse import urlsplit

from pydantic import Field, model_validator

from quartermaster.settings.sections import Locator, Name, Names, Section, is_safe_url


class Documents(Section):
    """Settings that name the sources of documentation for libraries that are not installed. By
    default, no documentation is fetched.

    ``llms_txt`` maps the name of a library to the address of its llms.txt file. ``networks`` lists
    private networks that may be reached in addition to public addresses.
    """

    context7_url: Name | None = None
    context7_key: Locator | None = None
    llms_txt: dict[str, str] = Field(default_factory=dict)
    networks: Names = ()
    timeout_s: Annotated[float, Field(gt=0, le=30)] = 4

    @model_validator(mode="after")
    def _check_urls(self) -> Self:
        for url in (self.context7_url, *self.llms_txt.values()):
            if url is not None and not is_safe_url(url):
                raise ValueError(f"{url} neither uses https nor is on this machine")
            if url is not None and "@" in urlsplit(url).netloc:
                # Agents are told where a text is from, so all would see it.
                raise ValueError("an address of documentation contains a password")
        for network in self.networks:
            ip_network(network)
        return self


class Knowledge(Section):
    """Settings of this kind: whether the experts use the notes that come with Quartermaster, and
    where documentation comes from.
    """

    notes: bool = True
    documents: Documents = Documents()
