"""One file, the environment over it, and errors that name the line."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml
from pydantic import ValidationError

from quartermaster.core.errors import QmError
from quartermaster.core.kind_packages import entries
from quartermaster.settings import settings
from quartermaster_lookup.settings import Lookup

NO_ENVIRONMENT: dict[str, str] = {}
_REFERENCE = Path(settings.__file__).with_name("default_settings.yaml")


def load(tmp_path: Path, text: str, environment: dict[str, str] | None = None) -> settings.Settings:
    (tmp_path / settings.FILE_NAME).write_text(text, encoding="utf-8")
    return settings.load(tmp_path, environment=environment or NO_ENVIRONMENT)


def refusal(tmp_path: Path, text: str, environment: dict[str, str] | None = None) -> QmError:
    with pytest.raises(QmError) as caught:
        load(tmp_path, text, environment)
    assert (caught.value.code, caught.value.slug) == ("QM422", "settings_invalid")
    assert caught.value.hint
    return caught.value


def test_without_a_file_everything_has_its_default(tmp_path: Path):
    assert settings.load(tmp_path, environment=NO_ENVIRONMENT) == settings.schema()()


def test_the_reference_files_list_every_key_at_its_default():
    """That of the core, and those of kinds, which lie beside their sections."""
    modules = {find_spec(entry.module).origin for entry in entries(settings.GROUP)}
    files = [_REFERENCE, *(Path(module).with_name(_REFERENCE.name) for module in modules)]
    reference: dict[str, object] = {}
    for path in files:
        reference |= yaml.safe_load(path.read_text(encoding="utf-8"))
    assert reference == settings.schema()().model_dump(mode="json", by_alias=True)


def test_a_section_of_a_kind_is_found_by_its_class(tmp_path: Path):
    found = load(tmp_path, "lookup: {cache_rows: 7}")
    assert found.of(Lookup).cache_rows == 7
    assert settings.Settings().of(Lookup) == Lookup()


def test_the_modes_are_the_measured_ones():
    modes = settings.Settings().modes
    assert [
        (p.lexical, p.dense, p.rerank, p.top) for p in (modes.fast, modes.balanced, modes.thorough)
    ] == [(24, 24, 16, 5), (48, 48, 32, 8), (48, 48, 32, 8)]
    assert modes.thorough == modes.balanced


def test_a_file_changes_what_it_names_and_nothing_else(tmp_path: Path):
    found = load(tmp_path, "server:\n  port: 9000\nmodes:\n  fast:\n    lambda: 0.5\n")
    assert found.server.port == 9000
    assert found.server.host == "127.0.0.1"
    assert (found.modes.fast.mmr_lambda, found.modes.fast.lexical) == (0.5, 24)


@pytest.mark.parametrize("text", ["", "# nothing\n", "server:\n"])
def test_an_empty_file_or_section_means_the_defaults(tmp_path: Path, text: str):
    assert load(tmp_path, text) == settings.schema()()


def test_the_environment_wins_over_the_file(tmp_path: Path):
    found = load(
        tmp_path,
        "server: {port: 9000, host: '::1'}\n",
        {
            "QM_SERVER__PORT": "9001",
            "QM_SERVER__ALLOWED_HOSTS": "a.example, b.example",
            "QM_MODES__FAST__LAMBDA": "0.1",
            "QM_LOG__JSON": "false",
            "QM_DATA_DIR": "ignored here",
        },
    )
    assert (found.server.port, found.server.host) == (9001, "::1")
    assert found.server.allowed_hosts == ("a.example", "b.example")
    assert found.modes.fast.mmr_lambda == 0.1
    assert not found.log.as_json


def test_an_unknown_key_is_placed_and_the_nearest_name_given(tmp_path: Path):
    error = refusal(tmp_path, "server:\n  host: h\n  prot: 1\n")
    assert f"{settings.FILE_NAME}:3: unknown key server.prot; did you mean port?" in error.message


def test_an_unknown_section_and_a_key_deep_inside_are_placed(tmp_path: Path):
    assert ":1: unknown key sever; did you mean server?" in refusal(tmp_path, "sever: {}\n").message
    deep = refusal(tmp_path, "modes:\n  fast:\n    lamda: 1\n").message
    assert ":3: unknown key modes.fast.lamda; did you mean lambda?" in deep


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("server:\n  port: abc\n", ":2: server.port is 'abc'"),
        ("server:\n  port: 70000\n", ":2: server.port is 70000"),
        ("server: 3\n", ":1: server is 3: expected a section"),
        ("log:\n  level: loud\n", ":2: log.level is 'loud'"),
        ("modes:\n  fast:\n    lambda: 2\n", ":3: modes.fast.lambda is 2"),
        ("embedding: {model: 12}\n", ":1: embedding.model is 12"),
    ],
)
def test_a_wrong_value_is_placed_with_what_was_expected(tmp_path: Path, text: str, place: str):
    assert place in refusal(tmp_path, text).message


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("server:\n  host: [a\n  port: 3\n", ":3:7: not valid YAML"),
        ("server:\n\tport: 3\n", ":2:1: not valid YAML"),
        ("server: {port: 3\n", "expected ',' or '}'"),
        ("- server\n", ":1: expected sections"),
        ("? [a]\n: 1\n", ":1: expected a name before the colon"),
        ("server: {}\nserver: {}\n", ":2: server is set twice"),
        ("server: &a {port: *a}\n", "nested too deeply"),
        ("server: {port: !!python/name:os.system x}\n", ":1:16: not valid YAML"),
        ("server: {host: \x01}\n", "not valid YAML"),
    ],
)
def test_broken_yaml_is_placed_with_what_was_expected(tmp_path: Path, text: str, place: str):
    assert place in refusal(tmp_path, text).message


def test_every_finding_is_told_at_once(tmp_path: Path):
    error = refusal(tmp_path, "server:\n  port: abc\n  hots: h\n")
    assert "server.hots" in f"{error.message} {error.detail}"
    assert "server.port" in f"{error.message} {error.detail}"


def test_a_wrong_variable_is_named(tmp_path: Path):
    wrong_value = refusal(tmp_path, "", {"QM_SERVER__PORT": "many"}).message
    assert "environment variable QM_SERVER__PORT: server.port is 'many'" in wrong_value
    wrong_name = refusal(tmp_path, "", {"QM_SERVR__PORT": "1"}).message
    assert "QM_SERVR__PORT: unknown key servr; did you mean server?" in wrong_name


def test_a_password_does_not_show_in_an_error(tmp_path: Path):
    error = refusal(tmp_path, "database: {dsn: ['postgresql://u:hunter@h/d']}\n")
    assert "hunter" not in str(error)


def test_a_file_that_was_asked_for_must_exist(tmp_path: Path):
    with pytest.raises(QmError, match="does not exist"):
        settings.load(tmp_path, tmp_path / "absent.yaml", NO_ENVIRONMENT)


def test_the_file_may_be_named_by_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    elsewhere = tmp_path / "elsewhere.yaml"
    elsewhere.write_text("server: {port: 9100}\n")
    monkeypatch.setenv("QM_SETTINGS", str(elsewhere))
    assert settings.load(tmp_path, environment=NO_ENVIRONMENT).server.port == 9100


def test_settings_cannot_be_changed_after_loading(tmp_path: Path):
    with pytest.raises(ValidationError):
        settings.load(tmp_path, environment=NO_ENVIRONMENT).server.port = 1  # type: ignore[misc]


@pytest.mark.parametrize(
    ("section", "given", "is_private"),
    [
        ("server", {}, True),
        ("server", {"host": "localhost"}, True),
        ("server", {"host": "0.0.0.0"}, False),
        ("server", {"public_url": "https://tools.example.org"}, False),
        ("server", {"allowed_hosts": ["tools.example.org"]}, False),
        ("database", {"dsn": "postgresql://elsewhere/qm"}, False),
        ("database", {"service_dsn": "postgresql://elsewhere/qm"}, False),
    ],
)
def test_a_service_is_private_if_only_this_machine_reaches_it_and_its_database(
    section: str, given: dict[str, object], is_private: bool
) -> None:
    assert settings.Settings.model_validate({section: given}).is_private == is_private
