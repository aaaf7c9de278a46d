"""Quartermaster's own rules for Compose files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, Final

from quartermaster.core.findings import Finding, Severity
from quartermaster_quality.config.compose import Compose, ComposeService, mapping

_DANGEROUS_CAPABILITIES: Final = frozenset(
    {
        *("ALL", "SYS_ADMIN", "SYS_MODULE", "SYS_PTRACE", "SYS_RAWIO", "NET_ADMIN", "BPF"),
        *("DAC_READ_SEARCH", "SYS_BOOT", "MAC_ADMIN", "PERFMON"),
    }
)
# Of databases, queues, docker itself and debuggers: whoever reaches them, is often already in.
_INNER_PORTS: Final = frozenset(
    {
        *(1433, 1521, 1883, 2375, 2379, 3306, 5432, 5672, 5984, 6379, 7000, 7474, 8086, 9042),
        *(9092, 9093, 9200, 9300, 9644, 11211, 15672, 26257, 27017, 29092, 2181, 2380, 8500),
        *(5005, 5678, 9229, 9230),
    }
)
_HOST_FOLDERS: Final = re.compile(
    r"^/(?:$|etc/?$|etc/(?:passwd|shadow|sudoers|ssh|ssl|pki|cron|systemd|docker|kubernetes|pam)|"
    r"root(?:/|$)|home/?$|proc/?$|sys/?$|boot|dev/?$|var/?$|var/run/?$|run/?$|var/lib/docker|"
    r"lib(?:64)?(?:/|$)|s?bin(?:/|$)|usr/?$|usr/(?:s?bin|lib|src|local)(?:/|$))"
)
_SOCKET: Final = re.compile(r"(?:^|/)(?:docker|containerd|podman|crio)\.sock$")
_SECRET_NAME: Final = re.compile(
    r"(?:^|_)(?:PASSWORD|PASSWD|PASS|PWD|SECRET|TOKEN|API_?KEY|ACCESS_KEY|PRIVATE_KEY|SECRET_KEY|"
    r"CREDENTIALS?|HMAC|PASSPHRASE)(?:_BASE)?$",
    re.IGNORECASE,
)
_DEFAULT: Final = re.compile(r"^\$\{\w+:?-(?P<value>[^}]+)\}$")
_URL_PASSWORD: Final = re.compile(r"^[a-z][a-z0-9+.\-]*://[^\s:/@]*:(?P<value>[^\s/@$]+)@")
# Variables with which a database asks nobody who they are.
_NO_LOGIN: Final = re.compile(
    r"^(?:POSTGRES_HOST_AUTH_METHOD=trust"
    r"|(?:MYSQL|MARIADB)?_?ALLOW_EMPTY_(?:ROOT_)?PASSWORD=(?:yes|true|1)"
    r"|(?:ALLOW_ANONYMOUS_LOGIN|DISABLE_SECURITY_PLUGIN)=(?:yes|true|1)"
    r"|(?:xpack|plugins)\.security\.enabled=false|NEO4J_AUTH=none"
    r"|AUTHENTICATION_ANONYMOUS_ACCESS_ENABLED=true)$",
    re.IGNORECASE,
)
_NAMESPACES: Final = {"pid": "processes", "ipc": "memory", "userns_mode": "users", "uts": "name"}
_OWN_ADDRESSES: Final = ("127.", "localhost", "[::1]", "::1")
# Releases that are told by a name.
_RELEASE: Final = re.compile(r"\b(?:buster|bullseye|bookworm|trixie|focal|jammy|noble)\b")
Check = Callable[[ComposeService], Iterator[Finding]]


def findings(compose: Compose) -> list[Finding]:
    """Checks a Compose file with all rules, and returns the findings, sorted by line."""
    found = [
        finding for service in compose.services for check in CHECKS for finding in check(service)
    ]
    if "version" in compose.data:
        found.append(
            broken("version", compose.line("version"), Severity.LOW)(
                "The key version is obsolete, and has no effect.", "Remove it."
            )
        )
    return sorted(found, key=lambda finding: (finding.line, finding.rule))


def broken(
    rule: str, line: int, severity: Severity, cwe: int | None = None
) -> Callable[[str, str], Finding]:
    """Returns a function that makes a finding for the given rule and line from a message and a
    remedy.
    """
    return lambda message, remedy: Finding(
        f"compose-{rule}", message, line, severity, cwe=cwe, remedy=remedy
    )


def _rights(service: ComposeService) -> Iterator[Finding]:
    if service.data.get("privileged") is True:
        yield broken("privileged", service.line("privileged"), Severity.HIGH, 250)(
            f"{service.name} may do everything on the host.",
            "Remove privileged. If the service needs single capabilities, add them with cap_add.",
        )
    takes_all = "ALL" in {str(right).upper() for right in service.listed("cap_drop")}
    for i, right in enumerate(service.listed("cap_add")):
        plain = str(right).upper().removeprefix("CAP_")
        is_dangerous = plain in _DANGEROUS_CAPABILITIES
        if takes_all and not is_dangerous:
            continue
        severity = Severity.HIGH if is_dangerous else Severity.LOW
        yield broken("cap-add", service.line("cap_add", i), severity, 250)(
            f"{service.name} gets the right {plain}"
            + (", with which it can leave its container." if is_dangerous else "."),
            "Remove the capability if the service works without it.",
        )
    for i, option in enumerate(service.listed("security_opt")):
        if re.search(r"(?:seccomp|apparmor|label)[:=](?:unconfined|disable)", str(option)):
            yield broken("unconfined", service.line("security_opt", i), Severity.MEDIUM, 693)(
                f"{service.name} runs without the restrictions that Docker sets.",
                f"Remove {option}.",
            )
    user = str(service.data.get("user", "")).partition(":")[0]
    if user in {"root", "0"}:
        yield broken("root-user", service.line("user"), Severity.MEDIUM, 250)(
            f"{service.name} runs as root.", "Name another user."
        )


def _shared(service: ComposeService) -> Iterator[Finding]:
    if service.data.get("network_mode") == "host":
        yield broken("host-network", service.line("network_mode"), Severity.MEDIUM, 668)(
            f"{service.name} shares the host's network.",
            "Remove network_mode, and publish the ports that are needed.",
        )
    for key, what in _NAMESPACES.items():
        if service.data.get(key) == "host":
            yield broken("host-namespace", service.line(key), Severity.HIGH, 668)(
                f"{service.name} shares the host's {what}.", f"Remove {key}."
            )
    for i, device in enumerate(service.listed("devices")):
        if re.match(r"/dev/(?:mem|kmem|sd|nvme|disk|xvd|vd)", str(device)):
            yield broken("device", service.line("devices", i), Severity.HIGH, 668)(
                f"{service.name} has access to a disk or the memory of the host.",
                "Mount a volume instead.",
            )


def _volumes(service: ComposeService) -> Iterator[Finding]:
    for i, volume in enumerate(service.listed("volumes")):
        if entry := mapping(volume):
            source, mode = str(entry.get("source", "")), str(entry.get("read_only", ""))
        else:
            source, separator, rest = str(volume).partition(":")
            if not separator:
                # A path alone is one of the container, with a volume of its own.
                continue
            mode = "True" if re.search(r"[:,]ro(?:,|$)", f":{rest}") else ""
        line = service.line("volumes", i)
        if _SOCKET.search(source):
            yield broken("docker-socket", line, Severity.HIGH, 250)(
                f"{service.name} can control Docker, and through it the host.",
                (
                    "Remove the socket, or put a service in between that allows only the "
                    "necessary calls."
                ),
            )
        elif _HOST_FOLDERS.match(source) and not source.startswith("/etc/localtime"):
            severity = Severity.MEDIUM if mode == "True" else Severity.HIGH
            yield broken("host-folder", line, severity, 668)(
                f"{service.name} has access to the folder {source} of the host.",
                "Mount the one folder that is needed, with :ro if it is only read.",
            )


def _ports(service: ComposeService) -> Iterator[Finding]:
    for i, entry in enumerate(service.listed("ports")):
        address, published, inner = _port(entry)
        if not published or address.startswith(_OWN_ADDRESSES):
            continue
        is_inner = inner in _INNER_PORTS
        if not is_inner and address not in {"0.0.0.0", "::", "[::]"}:  # noqa: S104 - only compared
            continue
        severity = Severity.HIGH if inner == 2375 else Severity.MEDIUM
        yield broken("open-port", service.line("ports", i), severity, 668)(
            f"Port {published} of {service.name} is open to all networks of the host.",
            (
                f"Write 127.0.0.1:{published}:{inner}, or remove the port if only other "
                "services use it."
            ),
        )


def _port(entry: Any) -> tuple[str, str, int]:
    """Returns the address, the published port and the container port of an entry of ``ports``."""
    if port := mapping(entry):
        inner = str(port.get("target", ""))
        address, published = str(port.get("host_ip", "")), str(port.get("published", ""))
    else:
        *before, inner = str(entry).partition("/")[0].rsplit(":", 2)
        published = before[-1] if before else ""
        address = before[0] if len(before) > 1 else ""
    number = inner.partition("-")[0]
    return address, published, int(number) if number.isdecimal() else 0


def _image(service: ComposeService) -> Iterator[Finding]:
    image = service.data.get("image")
    is_own = "build" in service.data or service.data.get("pull_policy") == "never"
    if not isinstance(image, str) or is_own or "@sha256:" in image or "$" in image:
        return
    _, _, tag = image.rpartition("/")[2].partition(":")
    # A word such as alpine names a variant, and the next version of it comes by itself.
    if not re.search(r"\d", tag) and not _RELEASE.search(tag):
        yield broken("latest-tag", service.line("image"), Severity.MEDIUM, 1104)(
            f"The image {image} has no fixed version.", "Give a version or a digest."
        )


def variables(service: ComposeService) -> Iterator[tuple[str, str, str | int]]:
    """Yields each variable in the environment of a service: its name, its value, and its key or
    index in the file.
    """
    for name, value in mapping(service.data.get("environment")).items():
        yield name, "" if value is None else str(value), name
    for i, entry in enumerate(service.listed("environment")):
        name, _, value = str(entry).partition("=")
        yield name, value, i


def _given(variable: str, value: str) -> str:
    """Returns the secret that the value of a variable contains; an empty string if the value
    contains no secret.
    """
    default = _DEFAULT.match(value)
    given = default["value"] if default else value
    url = _URL_PASSWORD.match(given)
    if url is not None:
        return url["value"]
    is_value = not given.startswith(("$", "/run/secrets", "<")) and "${" not in given
    is_secret = _SECRET_NAME.search(variable) is not None
    return given if is_value and is_secret and given.lower() not in {"true", "false"} else ""


def _secrets(service: ComposeService) -> Iterator[Finding]:
    known: set[str] = set()
    said: set[str] = set()
    for variable, value, key in variables(service):
        given = _given(variable, value)
        if not given:
            said.add(value)
        else:
            known.add(given)
            line = service.line("environment", key)
            yield broken("secret-in-environment", line, Severity.HIGH, 798)(
                f"The file contains the value of {variable}.",
                f"Use secrets and {variable}_FILE, or ${{{variable}:?}} and a file .env that "
                "git ignores.",
            )
    test = mapping(service.data.get("healthcheck")).get("test")
    for part, path in (
        (test, ("healthcheck", "test")),
        (service.data.get("command"), ("command",)),
    ):
        words = set(re.split(r"[\s:='\"\[\],]+", str(part)))
        if not words.isdisjoint({secret for secret in known - said if len(secret) >= 6}):
            yield broken("secret-in-command", service.line(*path), Severity.HIGH, 798)(
                f"A command of {service.name} contains a password.",
                "Let the command read the password from a file or an environment variable.",
            )


def _login(service: ComposeService) -> Iterator[Finding]:
    for variable, value, key in variables(service):
        if _NO_LOGIN.match(f"{variable}={value}"):
            yield broken("no-login", service.line("environment", key), Severity.MEDIUM, 306)(
                f"Anybody who can reach {service.name} gets access without a password.",
                f"Remove {variable}, and set a password.",
            )


def _health(service: ComposeService) -> Iterator[Finding]:
    check = service.data.get("healthcheck")
    options = mapping(check)
    is_disabled = options.get("disable") is True or options.get("test") in (["NONE"], "NONE")
    if is_disabled or (check is None and "build" not in service.data):
        line = service.line(*(["healthcheck"] if check else []))
        yield broken("no-healthcheck", line, Severity.LOW)(
            f"{service.name} has no health check, so nobody can tell whether it works.",
            "Add a healthcheck.",
        )


def _limits(service: ComposeService) -> Iterator[Finding]:
    resources = mapping(service.data.get("deploy")).get("resources")
    if "limits" not in mapping(resources) and "mem_limit" not in service.data:
        yield broken("no-limit", service.line(), Severity.LOW, 770)(
            f"{service.name} may use all memory of the host.", "Set deploy.resources.limits.memory."
        )


def _links(service: ComposeService) -> Iterator[Finding]:
    if "links" in service.data:
        yield broken("links", service.line("links"), Severity.LOW)(
            "links are no longer needed.",
            "Remove them: services of one network reach each other by name.",
        )


CHECKS: Final[tuple[Check, ...]] = (
    _rights,
    _shared,
    _volumes,
    _ports,
    _image,
    _secrets,
    _login,
    _health,
    _limits,
    _links,
)
