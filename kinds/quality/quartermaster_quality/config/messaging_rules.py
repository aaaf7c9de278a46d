"""Quartermaster's own rules for programs that use WebSocket, MQTT and InfluxDB."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from typing import Final

from quartermaster.core.findings import Finding, Severity
from quartermaster_quality.config.python_calls import Module, PythonCall, read

_LOCAL_PATTERN: Final = re.compile(
    r"^(?:\w+://)?(?:[^/@]*@)?(?:localhost|127\.|\[?::1\]?|0\.0\.0\.0|testserver)"
)
_TOKEN_IN_ADDRESS: Final = re.compile(r"[?&](?:access_?token|token|api_?key|auth|password|secret)=")
_NO_LOOP_NEEDED: Final = ("loop_start", "loop_forever", "loop")
Check = Callable[[Module], Iterator[Finding]]


def findings(text: str) -> list[Finding]:
    """Checks a Python file with all rules, and returns the findings, sorted by line.

    Raises:
        SyntaxError: the text is not Python.
    """
    module = read(text)
    found = [
        finding
        for packages, checks in CHECKS
        if any(module.imports(package) for package in packages)
        for check in checks
        for finding in check(module)
    ]
    return sorted(found, key=lambda finding: (finding.line, finding.rule))


def _broken(
    rule: str, at: ast.expr | ast.stmt, severity: Severity, cwe: int
) -> Callable[[str, str], Finding]:
    """Returns a function that makes a finding for the given rule and place from a message and a
    remedy.
    """
    return lambda message, remedy: Finding(
        rule, message, at.lineno, severity, at.col_offset, at.end_lineno, cwe, remedy
    )


def _is(node: ast.expr | None, value: object) -> bool:
    return isinstance(node, ast.Constant) and node.value is value


def _turns_off_certificates(node: ast.AST | None) -> bool:
    return node is not None and any(
        "CERT_NONE" in (getattr(part, "attr", ""), getattr(part, "id", ""))
        for part in ast.walk(node)
    )


def _is_built(node: ast.expr | None) -> bool:
    """Returns whether an expression inserts values into a text, for example with ``format``."""
    if isinstance(node, ast.JoinedStr):
        return any(isinstance(part, ast.FormattedValue) for part in node.values)
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Mod)):
        return not isinstance(node.right, ast.Constant) or _is_built(node.left)
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "format"
    )


# WebSocket

_CLIENTS: Final = (
    "websockets.connect",
    "websockets.client.connect",
    "websockets.asyncio.client.connect",
    "websockets.sync.client.connect",
    "websocket.create_connection",
    "websocket.WebSocketApp",
    "websocket.WebSocket.connect",
    "aiohttp.ClientSession.ws_connect",
)
_SERVERS: Final = (
    "websockets.serve",
    "websockets.server.serve",
    "websockets.asyncio.server.serve",
    "websockets.sync.server.serve",
)


def _ws_address(module: Module) -> Iterator[Finding]:
    for call in module.named(*_CLIENTS):
        address = module.text(call.argument(0, "uri") or call.argument(None, "url")) or ""
        if address.startswith("ws://") and not _LOCAL_PATTERN.match(address):
            yield _broken("websocket-plain", call.node, Severity.MEDIUM, 319)(
                "The connection is not encrypted.", "Use wss://."
            )
        if _TOKEN_IN_ADDRESS.search(address):
            yield _broken("websocket-token-in-address", call.node, Severity.MEDIUM, 598)(
                "The address contains a secret, and servers write addresses to their logs.",
                "Send the secret in the header Authorization, or as the first message.",
            )


def _ws_options(module: Module) -> Iterator[Finding]:
    for call in module.named(*_CLIENTS, *_SERVERS):
        has_limit = not _is(call.argument(None, "max_size"), None)
        if not has_limit or _is(call.argument(None, "max_msg_size"), 0):
            yield _broken("websocket-no-size-limit", call.node, Severity.MEDIUM, 770)(
                "A single message can fill the memory.", "Limit the size of messages (max_size)."
            )
        if _is(call.argument(None, "ping_interval"), None):
            yield _broken("websocket-no-ping", call.node, Severity.LOW, 400)(
                "A dead connection is never noticed.",
                "Leave ping_interval as it is, or set a number of seconds.",
            )
        for name in ("ssl", "sslopt"):
            given = call.argument(None, name)
            if _turns_off_certificates(given) or (name == "ssl" and _is(given, False)):
                yield _broken("websocket-no-certificate-check", call.node, Severity.HIGH, 295)(
                    "Anybody can pretend to be the server.",
                    "Check the certificate. If your own authority issued it, add this authority.",
                )
    for call in module.named("websocket.create_connection"):
        if call.argument(1, "timeout") is None and not call.takes_unknown:
            yield _broken("websocket-no-timeout", call.node, Severity.LOW, 400)(
                "The program waits forever if the server does not answer.", "Give timeout."
            )


def _ws_origin(module: Module) -> Iterator[Finding]:
    for call in module.named(*_SERVERS):
        if call.argument(None, "origins") is None and not call.takes_unknown:
            yield _broken("websocket-any-origin", call.node, Severity.MEDIUM, 1385)(
                "Pages of other sites can connect with the rights of the person who opens them.",
                (
                    "List the sites that may connect in origins. None in this list admits "
                    "clients that are not web pages."
                ),
            )


def _ws_disconnect(module: Module) -> Iterator[Finding]:
    """Yields endless WebSocket loops in Starlette or FastAPI that do not handle a disconnect."""
    for node in ast.walk(module.tree):
        if not isinstance(node, ast.AsyncFunctionDef):
            continue
        if any(isinstance(inner, (ast.Try, ast.TryStar)) for inner in ast.walk(node)):
            continue
        for loop in ast.walk(node):
            if isinstance(loop, ast.While) and _receives(loop):
                yield _broken("websocket-no-disconnect", loop, Severity.LOW, 755)(
                    "The function ends with an error when the client disconnects.",
                    (
                        "Catch WebSocketDisconnect around the loop, and release what the "
                        "function uses."
                    ),
                )
                break


def _receives(loop: ast.While) -> bool:
    names = {"receive_text", "receive_json", "receive_bytes"}
    return _is(loop.test, True) and any(
        isinstance(node, ast.Attribute) and node.attr in names for node in ast.walk(loop)
    )


# MQTT

_MQTT: Final = "paho.mqtt.client.Client"
_AIO: Final = ("aiomqtt.Client", "asyncio_mqtt.Client")


def _mqtt_connection(module: Module) -> Iterator[Finding]:
    uses_tls = any(module.named(f"{_MQTT}.tls_set", f"{_MQTT}.tls_set_context"))
    has_login = uses_tls or any(module.named(f"{_MQTT}.username_pw_set"))
    connects = [*module.named(f"{_MQTT}.connect", f"{_MQTT}.connect_async")]
    for call in (*connects, *module.named(*_AIO)):
        host = module.text(call.argument(0, "host" if call in connects else "hostname"))
        if (host and _LOCAL_PATTERN.match(host)) or call.takes_unknown:
            continue
        own = call not in connects
        is_safe = own and (call.argument(None, "tls_params") or call.argument(None, "tls_context"))
        if not is_safe and (own or not uses_tls):
            yield _broken("mqtt-plain", call.node, Severity.MEDIUM, 319)(
                "The connection is not encrypted, and neither is the password.",
                "Call tls_set() before connecting, and use port 8883.",
            )
        if not (is_safe or (own and call.argument(None, "username")) or (not own and has_login)):
            yield _broken("mqtt-no-login", call.node, Severity.MEDIUM, 306)(
                "The client does not log in, so the broker must accept every client.",
                "Call username_pw_set(), or give a client certificate.",
            )


def _mqtt_certificates(module: Module) -> Iterator[Finding]:
    for call in module.calls:
        if not call.name.startswith(("paho.mqtt", "aiomqtt", "asyncio_mqtt")):
            continue
        is_off = call.name == f"{_MQTT}.tls_insecure_set" and _is(call.argument(0, "value"), True)
        is_off = is_off or _is(call.argument(None, "tls_insecure"), True)
        if is_off or _turns_off_certificates(call.argument(None, "cert_reqs")):
            yield _broken("mqtt-no-certificate-check", call.node, Severity.HIGH, 295)(
                "Anybody can pretend to be the broker.",
                "Check the certificate: set ca_certs, and do not change the other options.",
            )


def _mqtt_topics(module: Module) -> Iterator[Finding]:
    for call in module.calls:
        topic = module.text(call.argument(0, "topic"))
        if call.name.endswith(".subscribe") and topic in {"#", "+/#"}:
            yield _broken("mqtt-all-topics", call.node, Severity.MEDIUM, 1220)(
                "The program receives the messages of all clients.",
                "Subscribe to the topics that it needs.",
            )


def _mqtt_loop(module: Module) -> Iterator[Finding]:
    connects = [*module.named(f"{_MQTT}.connect", f"{_MQTT}.connect_async")]
    subscribes = any(module.named(f"{_MQTT}.subscribe"))
    has_loop = any(call.name.rpartition(".")[2] in _NO_LOOP_NEEDED for call in module.calls)
    if connects and subscribes and not has_loop:
        yield _broken("mqtt-no-loop", connects[0].node, Severity.MEDIUM, 1164)(
            "No message ever arrives, because nothing reads from the network.",
            "Call loop_start() or loop_forever().",
        )


def _mqtt_messages(module: Module) -> Iterator[Finding]:
    """Yields dangerous or blocking calls in functions that handle messages (on_message)."""
    for node in ast.walk(module.tree):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        if node.name != "on_message" and not node.name.endswith("_on_message"):
            continue
        inner = set(map(id, ast.walk(node)))
        for call in module.calls:
            if id(call.node) not in inner:
                continue
            if call.name == "time.sleep":
                yield _broken("mqtt-blocked", call.node, Severity.LOW, 833)(
                    "While this waits, no other message is read, and the connection may be lost.",
                    "Put the message into a queue, and process it elsewhere.",
                )
            elif _runs_payload(call):
                yield _broken("mqtt-message-run", call.node, Severity.HIGH, 502)(
                    "Whoever may send a message can run code here.",
                    "Use json.loads, and check the values.",
                )


def _runs_payload(call: PythonCall) -> bool:
    dangerous = {
        *("eval", "exec", "pickle.loads", "marshal.loads", "yaml.unsafe_load", "os.system"),
        *("dill.loads", "yaml.full_load"),
    }
    payload = any(
        isinstance(node, ast.Attribute) and node.attr == "payload" for node in ast.walk(call.node)
    )
    return call.name in dangerous and payload


# InfluxDB

_INFLUX: Final = (
    "influxdb_client.InfluxDBClient",
    "influxdb_client.client.influxdb_client.InfluxDBClient",
    "influxdb_client.client.influxdb_client_async.InfluxDBClientAsync",
    "influxdb_client_3.InfluxDBClient3",
    "influxdb.InfluxDBClient",
)


def _influx_client(module: Module) -> Iterator[Finding]:
    for call in module.named(*_INFLUX):
        address = module.text(call.argument(0, "url") or call.argument(None, "host")) or ""
        if address.startswith("http://") and not _LOCAL_PATTERN.match(address):
            yield _broken("influxdb-plain", call.node, Severity.MEDIUM, 319)(
                "The connection is not encrypted, and neither is the token.", "Use https://."
            )
        for name in ("token", "password"):
            given = call.argument(1 if name == "token" else None, name)
            if (module.text(given) or "").strip("{}"):
                yield _broken("influxdb-secret-in-code", call.node, Severity.HIGH, 798)(
                    f"The code contains the {name}.",
                    "Read it from the environment or a secret store.",
                )
        if _is(call.argument(None, "verify_ssl"), False):
            yield _broken("influxdb-no-certificate-check", call.node, Severity.HIGH, 295)(
                "Anybody can pretend to be the database.",
                (
                    "Leave verify_ssl on. If your own authority issued the certificate, set "
                    "ssl_ca_cert."
                ),
            )


def _influx_query(module: Module) -> Iterator[Finding]:
    names = {"query", "query_stream", "query_data_frame", "query_raw", "query_csv"}
    for call in module.calls:
        if call.name.rpartition(".")[2] not in names or not call.name.startswith("influxdb"):
            continue
        given = call.argument(0, "query")
        query = module.text(given) or ""
        if _is_built(given) or _is_built(_last_value(module, given, call)):
            yield _broken("influxdb-query-built", call.node, Severity.HIGH, 943)(
                "Values are written into the query, and may change what it does.",
                "Pass them with params (Flux) or bind_params (InfluxQL).",
            )
        if "from(bucket" in query.replace(" ", "") and "range(" not in query:
            yield _broken("influxdb-no-range", call.node, Severity.LOW, 770)(
                "The query has no time range, so it reads all data or is refused.",
                "Add |> range(start: ...).",
            )


def _last_value(module: Module, given: ast.expr | None, call: PythonCall) -> ast.expr | None:
    """Returns the last value that is assigned to a name before a call in the same function; None if
    there is none.
    """
    if not isinstance(given, ast.Name):
        return None
    function = next(
        (p for p in call.parents if isinstance(p, (ast.FunctionDef, ast.AsyncFunctionDef))),
        module.tree,
    )
    found: ast.expr | None = None
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and node.lineno < call.node.lineno:
            for target in node.targets:
                if isinstance(target, ast.Name) and target.id == given.id:
                    found = node.value
    return found


def _influx_closed(module: Module) -> Iterator[Finding]:
    closes = any(call.name.endswith((".close", ".__exit__")) for call in module.calls)
    for call in module.named(*_INFLUX):
        in_with = any(isinstance(parent, ast.withitem) for parent in call.parents[:2])
        is_returned = isinstance(call.parents[0], (ast.Return, ast.Yield))
        if not (closes or in_with or is_returned):
            yield _broken("influxdb-not-closed", call.node, Severity.LOW, 772)(
                "The client is never closed, so the last points may not be written.",
                "Use it in a with statement.",
            )


def _influx_loop(module: Module) -> Iterator[Finding]:
    for call in module.calls:
        is_write = call.name.endswith(("write_api.write", ".write_points"))
        in_loop = any(isinstance(parent, (ast.For, ast.While)) for parent in call.parents)
        if call.name.startswith("influxdb") and is_write and in_loop:
            yield _broken("influxdb-write-in-loop", call.node, Severity.LOW, 1050)(
                "Each point is sent in a separate request.",
                "Collect the points, and write them as one list.",
            )


CHECKS: Final[tuple[tuple[tuple[str, ...], tuple[Check, ...]], ...]] = (
    (
        ("websockets", "websocket", "aiohttp"),
        (_ws_address, _ws_options, _ws_origin),
    ),
    (("fastapi", "starlette"), (_ws_disconnect,)),
    (
        ("paho", "aiomqtt", "asyncio_mqtt"),
        (_mqtt_connection, _mqtt_certificates, _mqtt_topics, _mqtt_loop, _mqtt_messages),
    ),
    (
        ("influxdb_client", "influxdb", "influxdb_client_3"),
        (_influx_client, _influx_query, _influx_closed, _influx_loop),
    ),
)
