"""Quartermaster's own rules for Dockerfiles. They do not need hadolint."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from quartermaster.core.findings import Finding, Severity
from quartermaster.guardrails.linear_patterns import Constant
from quartermaster_quality.config.dockerfile import Dockerfile, Instruction, Stage

_ROOT: Final = frozenset({"root", "0", "root:root", "0:0", "root:0", "0:root"})
# Images whose last user is not root.
_UNPRIVILEGED_PATTERN: Final = re.compile(
    r"nonroot|rootless|unprivileged|^(?:cgr\.dev/chainguard|bitnami|registry\.access\.redhat\.com/ubi)"
)
_SECRET_NAME: Final = re.compile(
    r"(?:^|_)(?:PASSWORD|PASSWD|PWD|SECRET|TOKEN|API_?KEY|ACCESS_KEY|PRIVATE_KEY|CREDENTIALS?|"
    r"AUTH_KEY)(?:_KEY|_VALUE)?$",
    re.IGNORECASE,
)
_SECRET_FILE: Final = Constant(
    r"(?:^|/)(?:\.env(?:\.\w+)?|\.npmrc|\.pypirc|\.netrc|"
    r"\.git-credentials|id_(?:rsa|dsa|ecdsa|ed25519)|.*\.(?:pem|p12|pfx|key|keystore)|"
    r"credentials(?:\.json)?|\.aws(?:/.*)?|\.ssh(?:/.*)?|\.docker/config\.json)$"
)
_SAMPLE: Final = Constant(r"(?:^|/)\.env\.(?:example|sample|template|dist)\w*$")
_PAIR: Final = Constant(r"([A-Za-z_][\w.]*)=(\"[^\"]*\"|'[^']*'|\S*)")
_APT_INSTALL: Final = Constant(r"\bapt(?:-get)?\b(?:\s+-\S+)*\s+install\b[^;&|\n]*")
_APT_UPDATE: Final = Constant(r"\b(?:apt(?:-get)?|yum|dnf|apk)\b(?:\s+-\S+)*\s+update\b")
_INSTALL: Final = Constant(r"\b(?:install|add|upgrade|dist-upgrade|reinstall|source|build-dep)\b")
_PIPED_SCRIPT: Final = Constant(r"\b(?:curl|wget)\b[^|;&\n]*\|\s*(?:sudo\s+)?(?:ba|z|da|k)?sh\b")
_SUDO: Final = Constant(r"(?:^|[;&|(]\s*|\bthen\s+|\bdo\s+)sudo\b")
_INSECURE_DOWNLOADS: Final = (
    (Constant(r"\bcurl\b[^;&|\n]*\s(?:-\w*k\w*|--(?:[a-z]+-)?insecure)\b"), "curl"),
    (Constant(r"\bwget\b[^;&|\n]*--no-check-certificate\b"), "wget"),
    (Constant(r"\bpip3?\b[^;&|\n]*--trusted-host\b"), "pip"),
    (Constant(r"\bapk\b[^;&|\n]*--allow-untrusted\b"), "apk"),
    (
        Constant(r"\bapt(?:-get)?\b[^;&|\n]*(?:--allow-unauthenticated|--force-yes)\b"),
        "apt-get",
    ),
    (Constant(r"\b(?:yum|dnf|tdnf)\b[^;&|\n]*--nogpgcheck\b"), "yum"),
    (Constant(r"\brpm\b[^;&|\n]*--no(?:signature|digest|verify)\b"), "rpm"),
    (
        Constant(r"(?i)\b(?:yum|dnf)(?:-|\s+)config-manager\b[^;&|\n]*sslverify=(?:0|false|no)"),
        "yum",
    ),
    (
        Constant(r"(?i)\b(?:npm|yarn)\s+(?:config\s+)?set\b[^;&|\n]*strict-ssl[= ]\s*[\"']?false"),
        "npm",
    ),
    (Constant(r"(?i)\bgit\b[^;&|\n]*http\.sslVerify[= ]\s*[\"']?false"), "git"),
)
_CHPASSWD: Final = Constant(r"\bchpasswd\b|\bpasswd\s+--stdin\b")
_CHMOD: Final = Constant(r"\bchmod\b[^;&|\n]*\s(?:0?777|a\+rwx|ugo\+rwx)\b")
_APT: Final = Constant(r"(?:^|[;&|(]\s*|\s)apt\s+(?:-\S+\s+)*(?:install|update|upgrade|remove)\b")
_YES: Final = Constant(r"\s(?:-\w*y\w*|--yes|--assume-yes|-qq\w*)\b")
_ARCHIVE: Final = Constant(r"\.(?:tar(?:\.\w+)?|tgz|tbz2?|txz)$")
# Values with which programs stop checking certificates.
_UNSAFE_VARIABLES: Final = {
    "GIT_SSL_NO_VERIFY": re.compile(""),  # git only looks whether it is set
    "NODE_TLS_REJECT_UNAUTHORIZED": re.compile("0$"),
    "NPM_CONFIG_STRICT_SSL": re.compile("(?:0|false|no)$", re.IGNORECASE),
    "PYTHONHTTPSVERIFY": re.compile("0$"),
    "PIP_TRUSTED_HOST": re.compile("."),
}
_CERTIFICATES: Final = 295
Check = Callable[[Dockerfile], Iterator[Finding]]


def _broken(
    rule: str, at: Instruction, severity: Severity, cwe: int | None = None
) -> Callable[[str, str], Finding]:
    """Returns a function that makes a finding for the given rule and line from a message and a
    remedy.
    """
    return lambda message, remedy: Finding(
        f"docker-{rule}", message, at.line, severity, 0, at.end_line, cwe, remedy
    )


def findings(dockerfile: Dockerfile) -> list[Finding]:
    """Checks a Dockerfile with all rules, and returns the findings, sorted by line."""
    found = (finding for check in CHECKS for finding in check(dockerfile))
    return sorted(found, key=lambda finding: (finding.line, finding.rule))


def runs_as_root(dockerfile: Dockerfile, target: str | None = None) -> bool:
    """Returns whether the container starts as root, judging only by the Dockerfile and the image's
    name.

    Args:
        dockerfile: the file.
        target: name of the stage that is built; None: the last stage.
    """
    stage = _built(dockerfile, target)
    if stage is None:
        return False
    user = _last_user(dockerfile, stage)
    if user is None:
        image = dockerfile.lineage(stage)[-1].image
        return image != "scratch" and not _UNPRIVILEGED_PATTERN.search(image)
    return user.text.split(" ")[0].strip("\"'").lower() in _ROOT


def _built(dockerfile: Dockerfile, target: str | None) -> Stage | None:
    named = [stage for stage in dockerfile.stages if target and stage.name == target.lower()]
    return next(iter(named), dockerfile.stages[-1] if dockerfile.stages else None)


def _last_user(dockerfile: Dockerfile, stage: Stage) -> Instruction | None:
    for part in dockerfile.lineage(stage):
        if users := list(part.each("USER")):
            return users[-1]
    return None


def _user(dockerfile: Dockerfile) -> Iterator[Finding]:
    stage = _built(dockerfile, None)
    if stage is None or not runs_as_root(dockerfile):
        return
    user = _last_user(dockerfile, stage)
    remedy = "Create a user, and set it with USER before CMD."
    if user:
        yield _broken("root-user", user, Severity.HIGH, 250)("The container runs as root.", remedy)
    else:
        yield _broken("no-user", stage.start, Severity.MEDIUM, 250)(
            "No USER is set, so the container runs as root.", remedy
        )


def _tag(dockerfile: Dockerfile) -> Iterator[Finding]:
    names: set[str] = set()
    for stage in dockerfile.stages:
        image = stage.image
        is_stage = image.lower() in names
        if stage.name:
            names.add(stage.name)
        if is_stage or image in {"", "scratch"} or "@sha256:" in image or "$" in image:
            continue
        _, separator, tag = image.rpartition("/")[2].partition(":")
        if separator and tag.lower() != "latest":
            continue
        yield _broken("latest-tag", stage.start, Severity.MEDIUM, 1104)(
            f"The image {image} has no fixed version.",
            "Give a version, such as python:3.13.1-slim, or, better, a digest.",
        )


def _secrets(dockerfile: Dockerfile) -> Iterator[Finding]:
    for found in dockerfile.each("ENV", "ARG"):
        for name, value in _variables(found):
            given = value.strip("\"'")
            if not _SECRET_NAME.search(name) or not given or given.startswith(("$", "/run/", "<")):
                continue
            yield _broken("secret-in-image", found, Severity.CRITICAL, 798)(
                f"The value of {name} stays readable in the image.",
                "Set it at run time, or pass it to the build with RUN --mount=type=secret.",
            )


def _variables(found: Instruction) -> list[tuple[str, str]]:
    pairs = _pairs(found.text)
    if not pairs and found.keyword == "ENV":
        name, _, value = found.text.partition(" ")
        pairs = [(name, value.strip())]
    return pairs


def _pairs(text: str) -> list[tuple[str, str]]:
    found: list[tuple[bytes, bytes]] = _PAIR.findall(text.encode())
    return [(name.decode(), value.decode()) for name, value in found]


def _is_secret(path: str) -> bool:
    return _SECRET_FILE.search(path) is not None and _SAMPLE.search(path) is None


def _copied(dockerfile: Dockerfile) -> Iterator[Finding]:
    for found in dockerfile.each("COPY", "ADD"):
        *sources, _ = found.words or [""]
        if any(flag.startswith("--from") for flag in found.flags):
            continue
        if bad := next(filter(_is_secret, sources), None):
            yield _broken("secret-file", found, Severity.HIGH, 538)(
                f"The file {bad} is copied into the image.",
                "Pass it to the build with RUN --mount=type=secret, and list it in .dockerignore.",
            )
        if found.keyword == "ADD":
            yield from _added(found, sources)


def _added(found: Instruction, sources: list[str]) -> Iterator[Finding]:
    is_checked = any(flag.startswith("--checksum") for flag in found.flags)
    if any(re.match(r"https?://|git@|git://", source) for source in sources):
        if not is_checked:
            yield _broken("add-url", found, Severity.MEDIUM, 494)(
                "ADD downloads from a URL, and nothing checks the downloaded file.",
                (
                    "Use ADD --checksum=sha256:..., or download the file with curl and compare "
                    "its hash with a known hash."
                ),
            )
    elif not any(_ARCHIVE.search(source) for source in sources):
        yield _broken("add-instead-of-copy", found, Severity.LOW)(
            "ADD is used where COPY would do.",
            "Use COPY: it neither downloads nor unpacks anything.",
        )


def _ports(dockerfile: Dockerfile) -> Iterator[Finding]:
    for found in dockerfile.each("EXPOSE"):
        if any(word.partition("/")[0] == "22" for word in found.words):
            yield _broken("expose-ssh", found, Severity.MEDIUM, 284)(
                "Port 22 (ssh) is opened.", "Use `docker exec` instead of a login by ssh."
            )


def _runs(dockerfile: Dockerfile) -> Iterator[Finding]:
    for found in dockerfile.each("RUN"):
        script = found.script
        yield from _apt(found, script)
        if _PIPED_SCRIPT.search(script):
            yield _broken("pipe-to-shell", found, Severity.HIGH, 494)(
                "A program from the network is run without being checked.",
                "Download it to a file, compare its hash with a known hash, then run it.",
            )
        if _SUDO.search(script):
            yield _broken("sudo", found, Severity.LOW, 250)(
                "sudo is used.", "Change the user with USER."
            )
        if _CHPASSWD.search(script):
            yield _broken("password-set", found, Severity.HIGH, 798)(
                "A password is set in the image.", "Use users without a password."
            )
        if _CHMOD.search(script):
            yield _broken("chmod-777", found, Severity.MEDIUM, 732)(
                "Every user may change the files.",
                "Give the files to the user that needs them: COPY --chown, or chmod 750.",
            )
        if tool := next((tool for form, tool in _INSECURE_DOWNLOADS if form.search(script)), None):
            yield _unchecked(found, tool)


def _apt(found: Instruction, script: str) -> Iterator[Finding]:
    if _APT_UPDATE.search(script) and not _INSTALL.search(script):
        yield _broken("update-alone", found, Severity.MEDIUM)(
            "The list of packages is updated in a separate RUN. Later builds take it from the "
            "cache, so the list becomes out of date.",
            "Write update and install into one RUN, joined by &&.",
        )
    if _APT.search(script):
        yield _broken("apt", found, Severity.LOW)(
            "apt is meant for people; its output and options change.", "Use apt-get."
        )
    if install := _APT_INSTALL.search(script):
        if not _YES.search(install[0]):
            yield _broken("apt-asks", found, Severity.LOW)(
                "The installation waits for an answer, which nobody can give during a build.",
                "Add -y.",
            )
        if "--no-install-recommends" not in script:
            yield _broken("apt-recommends", found, Severity.LOW)(
                "Recommended packages are installed, although nobody requested them.",
                "Add --no-install-recommends.",
            )
        if "/var/lib/apt/lists" not in script and not any(
            "/var/lib/apt" in flag for flag in found.flags
        ):
            yield _broken("apt-lists", found, Severity.LOW)(
                "The lists of packages stay in the image.",
                "End the RUN with: rm -rf /var/lib/apt/lists/*",
            )


def _unchecked(found: Instruction, tool: str) -> Finding:
    return _broken("no-certificate-check", found, Severity.HIGH, _CERTIFICATES)(
        f"{tool} accepts what anybody sends: certificates or signatures are not checked.",
        (
            "Remove the option. If your own authority issued the server's certificate, add "
            "this authority."
        ),
    )


def _environment(dockerfile: Dockerfile) -> Iterator[Finding]:
    for found in dockerfile.each("ENV", "ARG", "RUN"):
        text = found.script if found.keyword == "RUN" else found.text
        pairs = _pairs(text) if found.keyword == "RUN" else _variables(found)
        for name, value in pairs:
            unsafe = _UNSAFE_VARIABLES.get(name.upper())
            if unsafe and unsafe.match(value.strip("\"'").rstrip(";")):
                yield _unchecked(found, name)
                break


def _shape(dockerfile: Dockerfile) -> Iterator[Finding]:
    seen: set[str] = set()
    for stage in dockerfile.stages:
        if stage.name and stage.name in seen:
            yield _broken("stage-twice", stage.start, Severity.LOW)(
                f"Two stages are called {stage.name}.", "Give each stage a different name."
            )
        seen.add(stage.name)
        for found in stage.each("WORKDIR"):
            path = found.text.strip("\"'")
            if path and not re.match(r"/|\$|[A-Za-z]:[\\/]", path):
                yield _broken("relative-workdir", found, Severity.LOW)(
                    f"The WORKDIR {path} depends on the one before.",
                    "Write the full path, such as /app.",
                )
        for found in stage.each("MAINTAINER"):
            yield _broken("maintainer", found, Severity.LOW)(
                "MAINTAINER is no longer used.", "Use LABEL org.opencontainers.image.authors."
            )
    last = _built(dockerfile, None)
    if last and not any(next(part.each("HEALTHCHECK"), None) for part in dockerfile.lineage(last)):
        yield _broken("no-healthcheck", last.start, Severity.LOW)(
            (
                "There is no health check, so nobody can tell whether the service in the "
                "container works."
            ),
            "Add a HEALTHCHECK here, or a healthcheck in the Compose file.",
        )


CHECKS: Final[tuple[Check, ...]] = (
    _user,
    _tag,
    _secrets,
    _copied,
    _ports,
    _runs,
    _environment,
    _shape,
)
