"""Configuration files by name, by schema, by own rules, and across files."""

from __future__ import annotations

import textwrap
from itertools import pairwise
from pathlib import Path

import anyio
import pytest

from quartermaster.core.errors import QmError
from quartermaster.core.findings import Finding, Scan, Status
from quartermaster.projects.guard import ProjectFileAccess, real_folder
from quartermaster.projects.programs import Done
from quartermaster.projects.workers import close_readers
from quartermaster_quality.config import validate
from quartermaster_quality.config.compose import NotComposeError, parse
from quartermaster_quality.config.compose_rules import findings
from quartermaster_quality.config.validate import Kind, kind_of
from quartermaster_quality.scanners import programs
from quartermaster_quality.scanners.interface import ScanOptions, SourceFile
from quartermaster_quality.scanners.programs import ScannerInstallation

# The rule, the bad entry and the good entry of a service with an image.
CASES = [
    ("privileged", "privileged: true", "privileged: false"),
    ("cap-add", "cap_add: [SYS_ADMIN]", "cap_drop: [ALL]"),
    (
        "unconfined",
        "security_opt: ['seccomp:unconfined']",
        "security_opt: ['no-new-privileges:true']",
    ),
    ("root-user", "user: '0:0'", "user: '1000:1000'"),
    ("host-network", "network_mode: host", "network_mode: bridge"),
    ("host-namespace", "pid: host", "pid: 'service:b'"),
    ("device", "devices: ['/dev/sda:/dev/xvdc']", "devices: ['/dev/ttyUSB0:/dev/ttyUSB0']"),
    ("docker-socket", "volumes: ['/var/run/docker.sock:/s:ro']", "volumes: ['data:/data']"),
    (
        "docker-socket",
        "volumes: [{type: bind, source: /run/docker.sock, target: /s}]",
        "volumes: [{type: volume, source: data, target: /data}]",
    ),
    ("host-folder", "volumes: ['/:/host:ro']", "volumes: ['./src:/src']"),
    ("host-folder", "volumes: ['/etc:/etc']", "volumes: ['/etc/localtime:/etc/localtime:ro']"),
    ("open-port", "ports: ['5432:5432']", "ports: ['127.0.0.1:5432:5432']"),
    ("open-port", "ports: ['0.0.0.0:8080:80']", "ports: ['8080:80']"),
    (
        "open-port",
        "ports: [{target: 6379, published: 6379}]",
        "ports: [{target: 6379, published: 6379, host_ip: 127.0.0.1}]",
    ),
    ("latest-tag", "image: postgres", "image: postgres:17.2"),
    ("cap-add", "cap_add: [CHOWN]", "cap_drop: [ALL]\n    cap_add: [CHOWN]"),
    ("cap-add", "cap_add: [SYS_ADMIN]\n    cap_drop: [ALL]", "cap_drop: [ALL]"),
    ("latest-tag", "image: postgres:alpine", "image: debian:bookworm"),
    ("host-folder", "volumes: ['/usr/src:/s']", "volumes: ['/usr/src/app/node_modules']"),
    ("host-folder", "volumes: ['/lib/modules:/m']", "volumes: ['/etc/pihole:/etc/pihole']"),
    ("open-port", "ports: ['9229:9229']", "ports: ['127.0.0.1:9229:9229']"),
    (
        "secret-in-environment",
        "environment: {URL: 'mysql://a:b12345@db/x'}",
        "environment: {URL: 'mysql://a:${B}@db/x'}",
    ),
    (
        "no-login",
        "environment: [POSTGRES_HOST_AUTH_METHOD=trust]",
        "environment: [POSTGRES_HOST_AUTH_METHOD=scram-sha-256]",
    ),
    ("latest-tag", "image: 'reg:5000/a:latest'", "image: 'a@sha256:00'"),
    (
        "secret-in-environment",
        "environment: {DB_PASSWORD: hunter2}",
        "environment: {DB_PASSWORD: '${P:?}'}",
    ),
    (
        "secret-in-environment",
        "environment: ['API_KEY=abc']",
        "environment: ['API_KEY', 'X_PASSWORD_FILE=/a']",
    ),
    (
        "secret-in-environment",
        "environment: {SECRET: '${S:-abc}'}",
        "environment: {SECRET: '${S}'}",
    ),
    ("no-healthcheck", "healthcheck: {disable: true}", "healthcheck: {test: ['CMD', 'true']}"),
    ("no-limit", "restart: always", "deploy: {resources: {limits: {memory: 1g}}}"),
    ("links", "links: [b]", "depends_on: [b]"),
]


def service(entry: str) -> list[Finding]:
    image = "" if entry.startswith("image") else "    image: a:1\n"
    return findings(parse(f"services:\n  s:\n{image}    {entry}\n"))


@pytest.mark.parametrize(("rule", "bad", "good"), CASES, ids=lambda value: str(value)[:30])
def test_the_bad_form_is_found_and_the_good_one_is_not(rule: str, bad: str, good: str):
    found = [finding for finding in service(bad) if finding.rule == f"compose-{rule}"]
    assert len(found) == 1
    # A missing entry is reported at the service.
    assert found[0].line in {2, 3, 4}
    assert "hunter2" not in repr(found)
    assert f"compose-{rule}" not in {finding.rule for finding in service(good)}


def test_a_password_in_a_command_is_found_by_its_value():
    entry = (
        "environment: {{A_USER: worker, A_PASSWORD: {}}}\n    healthcheck: {{test: 'see -p {}'}}"
    )
    assert "compose-secret-in-command" in {
        f.rule for f in service(entry.format("b12345", "b12345"))
    }
    assert "compose-secret-in-command" not in {
        f.rule for f in service(entry.format("b12345", "$$X"))
    }
    # The same word as the name of the user says nothing.
    rules = {f.rule for f in service(entry.format("worker", "worker"))}
    assert "compose-secret-in-command" not in rules


def test_anchors_and_merges_are_followed():
    text = "x: &x {privileged: true}\nservices:\n  a: {<<: *x}\n  b: {<<: *x, privileged: false}\n"
    found = [f for f in findings(parse(text)) if f.rule == "compose-privileged"]
    assert len(found) == 1


@pytest.mark.parametrize(
    "text",
    [
        "services: [",
        "a: 1\n",
        "",
        "- a\n",
        "services: !!python/object/apply:os.system ['id']\n",
        "a: &a [x,x,x,x,x,x,x,x,x]\n"
        + "".join(f"{c}: &{c} [{','.join([f'*{b}'] * 9)}]\n" for b, c in pairwise("abcdefgh"))
        + "services: {s: {image: *h}}\n",
        "services: " + "[" * 3000,
    ],
    ids=["broken", "other", "empty", "list", "object", "bomb", "deep"],
)
def test_what_is_no_compose_file_is_refused(text: str):
    with pytest.raises(NotComposeError):
        parse(text)


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("Dockerfile", Kind.DOCKERFILE),
        ("a/dockerfile.prod", Kind.DOCKERFILE),
        ("api.Dockerfile", Kind.DOCKERFILE),
        ("Containerfile", Kind.DOCKERFILE),
        ("notes/dockerfile.md", None),
        ("docker-compose.yml", Kind.COMPOSE),
        ("compose.override.yaml", Kind.COMPOSE),
        ("docker-compose.prod.yml", Kind.COMPOSE),
        ("composer.json", None),
        ("values.yaml", None),
    ],
)
def test_the_name_tells_the_kind(path: str, kind: Kind | None):
    assert kind_of(path) == kind


def checked(root: Path, path: str, kind: Kind = Kind.AUTO) -> dict[str, Scan]:
    guard = ProjectFileAccess(root)

    async def run() -> tuple[Scan, ...]:
        try:
            return await validate.validate(guard, guard.read(path), ScanOptions(), kind)
        finally:
            await close_readers()

    return {scan.tool: scan for scan in anyio.run(run)}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = real_folder(tmp_path)
    (root / "api").mkdir()
    (root / "api" / "Dockerfile").write_text("FROM debian:12 AS dev\nFROM debian:12\nUSER app\n")
    (root / "web").mkdir()
    (root / "web" / "prod.Dockerfile").write_text("FROM debian:12\n")
    (root / "compose.yaml").write_text(
        textwrap.dedent("""\
        services:
          api: {build: ./api}
          dev: {build: {context: api, target: dev}}
          web:
            build:
              context: web
              dockerfile: prod.Dockerfile
          own: {build: {context: web, dockerfile: prod.Dockerfile}, user: "1000"}
          none: {build: nowhere}
          out: {build: ../../../etc}
          typo: {build: {context: api, target: prod}}
        """)
    )
    return root


def test_a_service_runs_as_the_user_of_its_dockerfile(root: Path):
    found = checked(root, "compose.yaml")["config"].findings
    assert [
        (f.rule, f.line) for f in found if "healthcheck" not in f.rule and "limit" not in f.rule
    ] == [
        ("compose-root-dockerfile", 3),
        ("compose-root-dockerfile", 5),
        ("compose-no-dockerfile", 9),
        ("compose-no-dockerfile", 10),
        ("compose-no-target", 11),
    ]


def test_the_schema_finds_a_wrong_entry_and_does_not_quote_it(root: Path):
    (root / "compose.yaml").write_text("services:\n  a:\n    image: a:1\n    prots: hunter2\n")
    scan = checked(root, "compose.yaml")["compose-schema"]
    assert (scan.status, [f.line for f in scan.findings]) == (Status.OK, [2])
    assert "hunter2" not in repr(scan)


def test_hadolint_and_own_rules_look_at_a_dockerfile(root: Path):
    scans = checked(root, "web/prod.Dockerfile")
    assert {scan.status for scan in scans.values()} == {Status.OK}
    (root / "Dockerfile").write_text("FROM debian\nRUN cd /tmp\n  # hadolint ignore=DL3006\n")
    assert "DL3006" in {f.rule for f in checked(root, "Dockerfile")["hadolint"].findings}
    (root / "Dockerfile").write_text("FROM debian:12\nHELLO there\n")
    assert {s.status for s in checked(root, "Dockerfile").values()} == {
        *(Status.ERROR, Status.DEGRADED)
    }


def test_own_rules_hold_without_hadolint(root: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(
        programs, "installed", lambda *_: ScannerInstallation("", "It is not installed.")
    )
    scans = checked(root, "web/prod.Dockerfile")
    assert scans["hadolint"].status == Status.SKIPPED
    assert "docker-no-user" in {f.rule for f in scans["config"].findings}


@pytest.mark.parametrize("done", [Done(0, b"", b""), Done(139, b"[]", b"")])
def test_hadolint_that_ends_badly_is_an_error(
    root: Path, done: Done, monkeypatch: pytest.MonkeyPatch
):
    async def run(*_: object, **__: object) -> Done:
        return done

    monkeypatch.setattr(programs, "run", run)
    assert checked(root, "web/prod.Dockerfile")["hadolint"].status == Status.ERROR


def test_a_missing_schema_is_reported(root: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(validate, "_validator", lambda: None)
    source = SourceFile("compose.yaml", (root / "compose.yaml").read_bytes())
    schema, _ = validate.check_compose(source, {})
    assert (schema.tool, schema.status) == ("compose-schema", Status.SKIPPED)


def test_an_unknown_kind_is_refused_and_a_given_one_is_used(root: Path):
    (root / "values.yaml").write_text("services: {a: {image: b}}\n")
    with pytest.raises(QmError) as caught:
        checked(root, "values.yaml")
    assert caught.value.slug == "argument_invalid"
    assert checked(root, "values.yaml", Kind.COMPOSE)["config"].findings


def test_a_huge_file_is_not_called_clean(root: Path):
    (root / "Dockerfile").write_text("FROM debian:12\n" + "#" * 300_000)
    assert checked(root, "Dockerfile")["config"].status == Status.ERROR
