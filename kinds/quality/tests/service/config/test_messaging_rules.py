"""Own rules for WebSocket, MQTT and InfluxDB: each with the bad form and the good one."""

from __future__ import annotations

import pytest

from quartermaster_quality.config.messaging_rules import findings

WS, APP = "import websockets\n", "import websocket\n"
MQTT = "import paho.mqtt.client as mqtt\nc = mqtt.Client()\n"
SAFE_MQTT = MQTT + "c.tls_set()\n"
AIO = "import aiomqtt\n"
INFLUX = "from influxdb_client import InfluxDBClient\n"
API = INFLUX + "with InfluxDBClient(u, t) as c:\n  api = c.query_api()\n  "
WRITES = INFLUX + "with InfluxDBClient(u, t) as c:\n  w = c.write_api()\n  "
PAUSE = "sleep" + "(5)"
LOOP = "from fastapi import WebSocket\nasync def f(ws):\n  "
CASES = [
    (
        "websocket-plain",
        WS + "websockets.connect('ws://a.org')",
        WS + "websockets.connect('wss://a.org')",
    ),
    (
        "websocket-plain",
        WS + "U = 'ws://a.org'\nwebsockets.connect(U)",
        WS + "websockets.connect('ws://localhost:1')",
    ),
    (
        "websocket-plain",
        "import aiohttp\nasync def f():\n  async with aiohttp.ClientSession() as s:\n    await s.ws_connect('ws://a.org')",
        "import aiohttp\nasync def f(s):\n  await s.get('ws://a.org')",
    ),
    (
        "websocket-token-in-address",
        WS + "websockets.connect(f'wss://a.org/?token={t}')",
        WS + "websockets.connect(f'wss://a.org/?room={t}')",
    ),
    (
        "websocket-no-size-limit",
        WS + "websockets.serve(h, max_size=None)",
        WS + "websockets.serve(h, max_size=1000)",
    ),
    (
        "websocket-no-ping",
        WS + "websockets.connect(u, ping_interval=None)",
        WS + "websockets.connect(u, ping_interval=20)",
    ),
    (
        "websocket-no-certificate-check",
        APP + "import ssl\nwebsocket.create_connection(u, 5, sslopt={'cert_reqs': ssl.CERT_NONE})",
        APP
        + "import ssl\nwebsocket.create_connection(u, 5, sslopt={'cert_reqs': ssl.CERT_REQUIRED})",
    ),
    (
        "websocket-no-timeout",
        APP + "websocket.create_connection(u)",
        APP + "websocket.create_connection(u, timeout=5)",
    ),
    (
        "websocket-any-origin",
        WS + "websockets.serve(h, 'localhost', 1)",
        WS + "websockets.serve(h, 'localhost', 1, origins=['https://a.org'])",
    ),
    (
        "websocket-no-disconnect",
        LOOP + "while True:\n    await ws.receive_text()",
        LOOP + "try:\n    while True:\n      await ws.receive_text()\n  except Gone:\n    pass",
    ),
    ("mqtt-plain", MQTT + "c.connect('a.org')", SAFE_MQTT + "c.connect('a.org')"),
    (
        "mqtt-plain",
        AIO + "aiomqtt.Client('a.org', username='u')",
        AIO + "aiomqtt.Client('a.org', tls_params=p)",
    ),
    (
        "mqtt-no-login",
        MQTT + "c.connect(host)",
        MQTT + "c.username_pw_set('u', p)\nc.connect(host)",
    ),
    (
        "mqtt-no-certificate-check",
        MQTT + "c.tls_insecure_set(True)",
        MQTT + "c.tls_insecure_set(False)",
    ),
    (
        "mqtt-no-certificate-check",
        MQTT + "import ssl\nc.tls_set(cert_reqs=ssl.CERT_NONE)",
        SAFE_MQTT,
    ),
    ("mqtt-all-topics", MQTT + "c.subscribe('#')", MQTT + "c.subscribe('home/#')"),
    (
        "mqtt-no-loop",
        MQTT + "c.connect('localhost')\nc.subscribe('a')",
        MQTT + "c.connect('localhost')\nc.subscribe('a')\nc.loop_forever()",
    ),
    (
        "mqtt-blocked",
        MQTT + "import time\ndef on_message(c, u, m):\n  time." + PAUSE,
        MQTT + "import time\ntime." + PAUSE,
    ),
    (
        "mqtt-message-run",
        MQTT + "import pickle\ndef on_message(c, u, m):\n  pickle.loads(m.payload)",
        MQTT + "import json\ndef on_message(c, u, m):\n  json.loads(m.payload)",
    ),
    (
        "influxdb-plain",
        INFLUX + "InfluxDBClient(url='http://a.org', token=t)",
        INFLUX + "InfluxDBClient(url='https://a.org', token=t)",
    ),
    (
        "influxdb-secret-in-code",
        INFLUX + "InfluxDBClient('https://a.org', 'abc')",
        INFLUX + "InfluxDBClient('https://a.org', token)",
    ),
    (
        "influxdb-no-certificate-check",
        INFLUX + "InfluxDBClient(u, t, verify_ssl=False)",
        INFLUX + "InfluxDBClient(u, t, verify_ssl=True)",
    ),
    (
        "influxdb-query-built",
        API + "api.query(f'from(bucket: {b})')",
        API + "api.query('from(bucket: b)', params={'b': b})",
    ),
    ("influxdb-query-built", API + "q = 'a ' + x\n  api.query(q)", API + "q = 'a'\n  api.query(q)"),
    (
        "influxdb-no-range",
        API + "api.query('from(bucket: b)')",
        API + "api.query('from(bucket: b) |> range(start: -1h)')",
    ),
    (
        "influxdb-not-closed",
        INFLUX + "c = InfluxDBClient(u, t)",
        INFLUX + "with InfluxDBClient(u, t) as c:\n  pass",
    ),
    (
        "influxdb-write-in-loop",
        WRITES + "for p in ps:\n    w.write('b', 'o', p)",
        WRITES + "w.write('b', 'o', ps)",
    ),
]


@pytest.mark.parametrize(("rule", "bad", "good"), CASES, ids=lambda value: str(value)[:30])
def test_the_bad_form_is_found_and_the_good_one_is_not(rule: str, bad: str, good: str):
    found = [finding for finding in findings(bad) if finding.rule == rule]
    assert len(found) == 1
    assert found[0].cwe
    assert rule not in {finding.rule for finding in findings(good)}


def test_each_technology_has_at_least_five_rules():
    rules = {rule for rule, _, _ in CASES}
    for name in ("websocket", "mqtt", "influxdb"):
        assert len([rule for rule in rules if rule.startswith(f"{name}-")]) >= 5


def test_a_file_that_uses_none_of_them_has_no_findings():
    assert findings("class C:\n  def connect(self, h): ...\nC().connect('ws://a.org')\n") == []
