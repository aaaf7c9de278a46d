"""Own rules for Compose files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, Final, cast

from quartermaster.quality.config.compose import Compose
from quartermaster.quality.findings import Finding, Severity

_DANGEROUS: Final = frozenset(
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
_OWN_ADDRESSES: Final = ("127.", "localhost", "[::1]", "::1")
# Releases that are told by a name.
_RELEASE: Final = re.compile(r"\b(?:buster|bullseye|bookworm|trixie|focal|jammy|noble)\b")
Check = Callable[[Compose, str, dict[str, Any]], Iterator[Finding]]


def findings(compose: Compose) -> list[Finding]:
    """What breaks a rule, by line."""
    found = [
        finding
        for name, service in compose.services.items()
        for check in CHECKS
        for finding in check(compose, name, service)
    ]
    if "version" in compose.data:
        found.append(
            _finding(
                "version",
                compose.line("version"),
                Severity.LOW,
                "The key version is obsolete, and has no effect.",
                "Remove it.",
            )
        )
    return sorted(found, key=lambda finding: (finding.line, finding.rule))


def _finding(
    rule: str, line: int, severity: Severity, message: str, remedy: str, cwe: int | None = None
) -> Finding:
    return Finding(f"compose-{rule}", message, line, severity, cwe=cwe, remedy=remedy)


def _listed(service: dict[str, Any], key: str) -> list[Any]:
    value = service.get(key)
    return cast("list[Any]", value) if isinstance(value, list) else []


def _rights(compose: Compose, name: str, service: dict[str, Any]) -> Iterator[Finding]:
    if service.get("privileged") is True:
        yield _finding(
            "privileged",
            compose.line("services", name, "privileged"),
            Severity.HIGH,
            f"{name} may do everything on the host.",
            "Remove privileged. If the service needs single capabilities, add them with cap_add.",
            250,
        )
    takes_all = "ALL" in {str(right).upper() for right in _listed(service, "cap_drop")}
    for i, right in enumerate(_listed(service, "cap_add")):
        plain = str(right).upper().removeprefix("CAP_")
        is_dangerous = plain in _DANGEROUS
        if takes_all and not is_dangerous:
            continue
        yield _finding(
            "cap-add",
            compose.line("services", name, "cap_add", i),
            Severity.HIGH if is_dangerous else Severity.LOW,
            f"{name} gets the right {plain}"
            + (", with which it can leave its container." if is_dangerous else "."),
            "Remove the capability if the service works without it.",
            250,
        )
    for i, option in enumerate(_listed(service, "security_opt")):
        if re.search(r"(?:seccomp|apparmor|label)[:=](?:unconfined|disable)", str(option)):
            yield _finding(
                "unconfined",
                compose.line("services", name, "security_opt", i),
                Severity.MEDIUM,
                f"{name} runs without the restrictions that Docker sets.",
                f"Remove {option}.",
                693,
            )
    user = str(service.get("user", "")).partition(":")[0]
    if user in {"root", "0"}:
        yield _finding(
            "root-user",
            compose.line("services", name, "user"),
            Severity.MEDIUM,
            f"{name} runs as root.",
            "Name another user.",
            250,
        )


def _shared(compose: Compose, name: str, service: dict[str, Any]) -> Iterator[Finding]:
    for key, what in (
        ("network_mode", "network"),
        ("pid", "processes"),
        ("ipc", "memory"),
        ("userns_mode", "users"),
        ("uts", "name"),
    ):
        if service.get(key) == "host":
            yield _finding(
                "host-network" if key == "network_mode" else "host-namespace",
                compose.line("services", name, key),
                Severity.MEDIUM if key == "network_mode" else Severity.HIGH,
                f"{name} shares the host's {what}.",
                f"Remove {key}, and publish the ports that are needed."
                if key == "network_mode"
                else f"Remove {key}.",
                668,
            )
    for i, device in enumerate(_listed(service, "devices")):
        if re.match(r"/dev/(?:mem|kmem|sd|nvme|disk|xvd|vd)", str(device)):
            yield _finding(
                "device",
                compose.line("services", name, "devices", i),
                Severity.HIGH,
                f"{name} has access to a disk or the memory of the host.",
                "Mount a volume instead.",
                668,
            )


def _volumes(compose: Compose, name: str, service: dict[str, Any]) -> Iterator[Finding]:
    for i, volume in enumerate(_listed(service, "volumes")):
        if isinstance(volume, dict):
            entry = cast("dict[str, Any]", volume)
            source, mode = str(entry.get("source", "")), str(entry.get("read_only", ""))
        else:
            source, separator, rest = str(volume).partition(":")
            if not separator:
                # A path alone is one of the container, with a volume of its own.
                continue
            mode = "True" if re.search(r":(?:.*,)?ro(?:,|$)", f":{rest}") else ""
        line = compose.line("services", name, "volumes", i)
        if _SOCKET.search(source):
            yield _finding(
                "docker-socket",
                line,
                Severity.HIGH,
                f"{name} can control Docker, and through it the host.",
                (
                    "Remove the socket, or put a service in between that allows only the "
                    "necessary calls."
                ),
                250,
            )
        elif _HOST_FOLDERS.match(source) and not source.startswith("/etc/localtime"):
            yield _finding(
                "host-folder",
                line,
                Severity.MEDIUM if mode == "True" else Severity.HIGH,
                f"{name} has access to the folder {source} of the host.",
                "Mount the one folder that is needed, with :ro if it is only read.",
                668,
            )


def _ports(compose: Compose, name: str, service: dict[str, Any]) -> Iterator[Finding]:
    for i, entry in enumerate(_listed(service, "ports")):
        address, published, inner = _port(entry)
        if not published or address.startswith(_OWN_ADDRESSES):
            continue
        is_inner = inner in _INNER_PORTS
        if not is_inner and address not in {"0.0.0.0", "::", "[::]"}:  # noqa: S104 - only compared
            continue
        yield _finding(
            "open-port",
            compose.line("services", name, "ports", i),
            Severity.HIGH if inner == 2375 else Severity.MEDIUM,
            f"Port {published} of {name} is open to all networks of the host.",
            (
                f"Write 127.0.0.1:{published}:{inner}, or remove the port if only other "
                "services use it."
            ),
            668,
        )


def _port(entry: Any) -> tuple[str, str, int]:
    """Address, published port and inner port."""
    if isinstance(entry, dict):
        port = cast("dict[str, Any]", entry)
        inner = str(port.get("target", ""))
        address, published = str(port.get("host_ip", "")), str(port.get("published", ""))
    else:
        *before, inner = str(entry).partition("/")[0].rsplit(":", 2)
        published = before[-1] if before else ""
        address = before[0] if len(before) > 1 else ""
    number = inner.partition("-")[0]
    return address, published, int(number) if number.isdecimal() else 0


def _image(compose: Compose, name: str, service: dict[str, Any]) -> Iterator[Finding]:
    image = service.get("image")
    is_own = "build" in service or service.get("pull_policy") == "never"
    if not isinstance(image, str) or is_own or "@sha256:" in image or "$" in image:
        return
    _, _, tag = image.rpartition("/")[2].partition(":")
    # A word such as alpine names a variant, and the next version of it comes by itself.
    if not re.search(r"\d", tag) and not _RELEASE.search(tag):
        yield _finding(
            "latest-tag",
            compose.line("services", name, "image"),
            Severity.MEDIUM,
            f"The image {image} has no fixed version.",
            "Give a version or a digest.",
            1104,
        )


def variables(service: dict[str, Any]) -> Iterator[tuple[str, str, str | int]]:
    """Name, value and key of each variable in the environment of a service."""
    environment = service.get("environment")
    if isinstance(environment, dict):
        for name, value in cast("dict[str, Any]", environment).items():
            yield name, "" if value is None else str(value), name
    for i, entry in enumerate(_listed(service, "environment")):
        name, _, value = str(entry).partition("=")
        yield name, value, i


def _given(variable: str, value: str) -> str:
    """The secret that a variable gives; empty if it gives none."""
    default = _DEFAULT.match(value)
    given = default["value"] if default else value
    url = _URL_PASSWORD.match(given)
    if url is not None:
        return url["value"]
    is_value = not given.startswith(("$", "/run/secrets", "<")) and "${" not in given
    is_secret = _SECRET_NAME.search(variable) is not None
    return given if is_value and is_secret and given.lower() not in {"true", "false"} else ""


def _secrets(compose: Compose, name: str, service: dict[str, Any]) -> Iterator[Finding]:
    known: set[str] = set()
    said: set[str] = set()
    for variable, value, key in variables(service):
        given = _given(variable, value)
        if not given:
            said.add(value)
        else:
            known.add(given)
            yield _finding(
                "secret-in-environment",
                compose.line("services", name, "environment", key),
                Severity.HIGH,
                f"The file contains the value of {variable}.",
                f"Use secrets and {variable}_FILE, or ${{{variable}:?}} and a file .env that git "
                "ignores.",
                798,
            )
    health = service.get("healthcheck")
    test = cast("dict[str, Any]", health).get("test") if isinstance(health, dict) else None
    for part, path in ((test, ("healthcheck", "test")), (service.get("command"), ("command",))):
        words = set(re.split(r"[\s:='\"\[\],]+", str(part)))
        if not words.isdisjoint({secret for secret in known - said if len(secret) >= 6}):
            yield _finding(
                "secret-in-command",
                compose.line("services", name, *path),
                Severity.HIGH,
                f"A command of {name} contains a password.",
                "Let the command read the password from a file or an environment variable.",
                798,
            )


def _login(compose: Compose, name: str, service: dict[str, Any]) -> Iterator[Finding]:
    for variable, value, key in variables(service):
        if _NO_LOGIN.match(f"{variable}={value}"):
            yield _finding(
                "no-login",
                compose.line("services", name, "environment", key),
                Severity.MEDIUM,
                f"Anybody who can reach {name} gets access without a password.",
                f"Remove {variable}, and set a password.",
                306,
            )


def _health(compose: Compose, name: str, service: dict[str, Any]) -> Iterator[Finding]:
    check = service.get("healthcheck")
    is_disabled = isinstance(check, dict) and (
        cast("dict[str, Any]", check).get("disable") is True
        or cast("dict[str, Any]", check).get("test") in (["NONE"], "NONE")
    )
    if is_disabled or (check is None and "build" not in service):
        yield _finding(
            "no-healthcheck",
            compose.line("services", name, *(["healthcheck"] if check else [])),
            Severity.LOW,
            f"{name} has no health check, so nobody can tell whether it works.",
            "Add a healthcheck.",
        )


def _limits(compose: Compose, name: str, service: dict[str, Any]) -> Iterator[Finding]:
    deploy = service.get("deploy")
    resources = (
        cast("dict[str, Any]", deploy).get("resources") if isinstance(deploy, dict) else None
    )
    has_limits = isinstance(resources, dict) and "limits" in resources
    if not has_limits and "mem_limit" not in service:
        yield _finding(
            "no-limit",
            compose.line("services", name),
            Severity.LOW,
            f"{name} may use all memory of the host.",
            "Set deploy.resources.limits.memory.",
            770,
        )


def _links(compose: Compose, name: str, service: dict[str, Any]) -> Iterator[Finding]:
    if "links" in service:
        yield _finding(
            "links",
            compose.line("services", name, "links"),
            Severity.LOW,
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
