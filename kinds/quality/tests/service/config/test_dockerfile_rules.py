"""Own rules for Dockerfiles: each with the bad form and the good one."""

from __future__ import annotations

import pytest

from quartermaster_quality.config.dockerfile import parse
from quartermaster_quality.config.dockerfile_rules import findings, runs_as_root

# The rule, the bad lines, the good lines. All stand behind FROM debian:12 and before USER app.
CASES = [
    ("latest-tag", "FROM debian", "FROM debian:12.1"),
    ("latest-tag", "FROM reg.example.org:5000/debian", "FROM reg.example.org:5000/debian:12"),
    ("latest-tag", "FROM debian:latest AS b", "FROM debian@sha256:" + "0" * 64),
    ("latest-tag", "FROM debian:12 AS base\nFROM debian", "FROM debian:12 AS base\nFROM base"),
    ("latest-tag", "ARG T=latest\nFROM debian:${T}", "ARG T=12\nFROM debian:$T"),
    ("secret-in-image", "ENV DB_PASSWORD=hunter2", "ENV DB_PASSWORD_FILE=/run/secrets/db"),
    ("secret-in-image", "ENV API_KEY abc", "ARG API_KEY"),
    ("secret-in-image", "ARG A=1 NPM_TOKEN='x'", "ENV NPM_TOKEN=$NPM_TOKEN"),
    ("secret-file", "COPY .env /app/", "COPY .env.example /app/"),
    ("secret-file", 'COPY ["id_rsa", "/x/.ssh/"]', "COPY --from=build key.pem /x/"),
    ("add-url", "ADD https://example.org/a.sh /a", "ADD --checksum=sha256:1 https://e.org/a /a"),
    ("add-instead-of-copy", "ADD a.py /app/", "ADD a.tar.gz /app/"),
    ("expose-ssh", "EXPOSE 80 22/tcp", "EXPOSE 2222"),
    ("pipe-to-shell", "RUN curl -s https://e.org | sh", "RUN curl -s https://e.org | jq ."),
    ("sudo", "RUN true && sudo id", "RUN echo sudoers"),
    ("password-set", "RUN echo a:b | chpasswd", "RUN useradd app"),
    ("chmod-777", "RUN chmod -R 777 /app", "RUN chmod 750 /app"),
    ("update-alone", "RUN apt-get update", "RUN apt-get update && apt-get install -y x"),
    (
        "update-alone",
        "RUN apt-get \\\n# why\n update",
        "RUN <<EOF\napt-get update\napt-get install\nEOF",
    ),
    ("apt", "RUN apt install -y x", "RUN apt-get install -y x"),
    ("apt-asks", "RUN apt-get install x", "RUN apt-get -qqy install x"),
    (
        "apt-recommends",
        "RUN apt-get install -y x",
        "RUN apt-get install -y --no-install-recommends x",
    ),
    (
        "apt-lists",
        "RUN apt-get install -y x",
        "RUN apt-get install -y x && rm -rf /var/lib/apt/lists/*",
    ),
    ("no-certificate-check", "RUN curl -fsSLk https://e.org", "RUN curl -fsSL https://e.org"),
    ("no-certificate-check", "ENV NODE_TLS_REJECT_UNAUTHORIZED=0", "ENV NODE_ENV=production"),
    ("no-certificate-check", "RUN GIT_SSL_NO_VERIFY=1 git pull", "RUN git pull"),
    ("relative-workdir", "WORKDIR app", "WORKDIR /app"),
    ("maintainer", "MAINTAINER me", "LABEL maintainer=me"),
    ("stage-twice", "FROM a:1 AS x\nFROM b:1 AS X", "FROM a:1 AS x\nFROM b:1 AS y"),
    ("root-user", "USER root", "USER root\nRUN id\nUSER app"),
    ("no-healthcheck", "RUN id", "HEALTHCHECK CMD id"),
]


def rules(lines: str) -> set[str]:
    start = "" if lines.startswith(("FROM", "ARG T")) else "FROM debian:12\n"
    return {finding.rule for finding in findings(parse(f"{start}{lines}\n"))}


@pytest.mark.parametrize(("rule", "bad", "good"), CASES, ids=lambda value: str(value)[:30])
def test_the_bad_form_is_found_and_the_good_one_is_not(rule: str, bad: str, good: str):
    assert f"docker-{rule}" in rules(bad)
    assert f"docker-{rule}" not in rules(good)


@pytest.mark.parametrize(
    ("text", "target", "is_root"),
    [
        ("FROM debian:12", None, True),
        ("FROM debian:12\nUSER app", None, False),
        ("FROM debian:12\nUSER 0:0", None, True),
        ("FROM debian:12 AS a\nUSER app\nFROM a", None, False),
        ("FROM debian:12 AS a\nUSER app\nFROM debian:12", None, True),
        ("FROM debian:12 AS a\nUSER app\nFROM debian:12", "A", False),
        ("FROM debian:12\nUSER app\nFROM 0\nRUN id", None, False),
        ("FROM gcr.io/distroless/base:nonroot", None, False),
        ("FROM scratch", None, False),
        ("FROM a AS b\nFROM b AS a\nFROM a", None, True),
    ],
)
def test_the_user_is_that_of_the_stage_that_is_built(text: str, target: str | None, is_root: bool):
    assert runs_as_root(parse(text), target) == is_root


def test_a_value_is_not_quoted():
    assert "hunter2" not in repr(findings(parse("FROM debian:12\nENV DB_PASSWORD=hunter2\n")))


def test_lines_are_those_of_the_file():
    text = "# syntax=docker/dockerfile:1\n\nFROM debian:12\n\nRUN true \\\n  # no\n && sudo id\n"
    sudo = next(f for f in findings(parse(text)) if f.rule == "docker-sudo")
    assert (sudo.line, sudo.end_line) == (5, 7)


def test_the_backtick_can_be_the_escape():
    text = "# escape=`\nFROM debian:12\nRUN true `\n && sudo id\n"
    assert "docker-sudo" in {f.rule for f in findings(parse(text))}


def test_a_line_that_is_no_instruction_is_named():
    assert parse("FROM debian:12\nHELLO\n").wrong_lines == (2,)
