"""Secrets of known formats are found, and look-alikes are not taken for one."""

from __future__ import annotations

import base64
import random

import pytest

from lab.comparisons.secrets_in_code import ALNUM, HEX, KEYS, SecretCase, negatives, ours, positives


@pytest.mark.parametrize("seed", [7, 8])
def test_nearly_all_secrets_are_found_and_no_look_alike(seed: int):
    chance = random.Random(seed)
    cases = list(positives(chance))
    assert len(cases) >= 3 * len(KEYS)
    assert sum(map(ours, cases)) / len(cases) >= 0.95
    assert [case for case in negatives(chance) if ours(case)] == []


CHANCE = random.Random(22)


def drawn(alphabet: str, length: int) -> str:
    return "".join(CHANCE.choices(alphabet, k=length))


def finds(text: str, path: str = "src/file") -> bool:
    return ours(SecretCase("by hand", path, text))


def test_a_call_of_curl_goes_on_behind_a_backslash_and_before_an_option():
    password = drawn(ALNUM, 16)
    assert finds(f"curl -X POST https://db:1/x \\\n  -H 'A: b' \\\n  -u developer:{password}")
    assert finds(f'curl -X GET https://db/\n   -H "X-Octopus-ApiKey: {drawn(HEX, 32)}"')
    assert not finds("curl -u 'user:pass' https://db")
    assert not finds('curl -u "$NAME:$PASSWORD" https://db')
    assert not finds(f"curl https://db\nnc -u -l host:{password}")


def test_the_scheme_basic_takes_a_name_and_a_password_and_no_token():
    login = base64.b64encode(f"app:{drawn(ALNUM, 12)}".encode()).decode()
    token = ".".join((f"eyJ{drawn(ALNUM, 30)}", f"eyJ{drawn(ALNUM, 60)}", drawn(ALNUM, 43)))
    assert finds(f"Authorization: Basic {login}")
    assert finds(f"Authorization: Bearer {token}")
    assert not finds(f"Authorization: Basic {token}")


def test_a_key_without_a_prefix_is_told_by_its_name_and_its_form():
    key = drawn(HEX, 40)
    assert finds(f"MERAKI_DASHBOARD_KEY={key}", ".env")
    assert not finds(f"meraki_token = {key}2R21")
    assert not finds(f"CameraKit: {key}", "Podfile.lock")


def test_the_beginning_of_a_key_alone_is_none():
    assert not finds(f'"token3": "xoxp-1234-1234-1234-{drawn(HEX, 32)}"')


def test_what_an_app_shows_to_everybody_is_no_secret():
    key = f"{drawn(HEX, 32)}-us7"
    assert finds(f"client = Mailchimp('{key}')")
    assert not finds(f"MailchimpSDK.initialize(token: '{key}')")
