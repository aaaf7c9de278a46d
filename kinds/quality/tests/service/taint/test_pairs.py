"""Each class: a few lines that are vulnerable, beside the same lines made safe."""

from __future__ import annotations

import pytest

from quartermaster.core.findings import Status
from quartermaster_quality.taint import MODELLED_CWES, scan
from tests.support.canary import canary

FLASK = (
    "from flask import Flask, abort, redirect, request, session, make_response\napp = Flask('x')\n"
)


def view(body: str, imports: str = "") -> str:
    """Returns a Flask view with this body."""
    lines = "\n".join("    " + line for line in body.strip().splitlines())
    return f"{imports}\n{FLASK}\n@app.get('/x')\ndef x():\n    v = request.args.get('v', '')\n{lines}\n"


SQL = "import sqlite3\ndb = sqlite3.connect('x.db')"
PATH = "from pathlib import Path\nROOT = Path('/srv/files').resolve()"
PAIRS: dict[str, tuple[int, str, str]] = {
    "sql: a bound parameter": (
        89,
        view("db.execute(f\"select * from t where a = '{v}'\")", SQL),
        view("db.execute('select * from t where a = ?', (v,))", SQL),
    ),
    "sql: the allow-list is of the same variable": (
        89,
        view("w = request.args['w']\nif w not in ('a', 'b'):\n    abort(400)\ndb.execute('select * from t order by ' + v)", SQL),
        view("if v not in ('a', 'b'):\n    abort(400)\ndb.execute('select * from t order by ' + v)", SQL),
    ),
    "sql: the check must stop": (
        89,
        view("if v not in ('a', 'b'):\n    print('bad')\ndb.execute('select * from t order by ' + v)", SQL),
        view("if v not in ('a', 'b'):\n    v = 'a'\ndb.execute('select * from t order by ' + v)", SQL),
    ),
    "cmd: a list without a shell": (
        78,
        view("subprocess.run(f'ls {v}', shell=True)", "import subprocess"),
        view("subprocess.run(['ls', v])", "import subprocess"),
    ),
    "cmd: fullmatch, not match": (
        78,
        view("if not re.match(r'[a-z]+', v):\n    abort(400)\nos.system('ls ' + v)", "import os, re"),
        view("if not re.fullmatch(r'[a-z]+', v):\n    abort(400)\nos.system('ls ' + v)", "import os, re"),
    ),
    "path: resolved and below the root": (
        22,
        view("p = ROOT / v\nif not p.is_relative_to(ROOT):\n    abort(404)\nreturn p.read_text()", PATH),
        view("p = (ROOT / v).resolve()\nif not p.is_relative_to(ROOT):\n    abort(404)\nreturn {'t': p.read_text()}", PATH),
    ),
    "path: a prefix needs its separator": (
        22,
        view("p = os.path.realpath('/srv/' + v)\nif not p.startswith('/srv/a'):\n    abort(404)\nopen(p)", "import os"),
        view("p = os.path.realpath('/srv/' + v)\nif not p.startswith('/srv/a/'):\n    abort(404)\nopen(p)", "import os"),
    ),
    "path: pathvalidate takes the separators": (
        22,
        view("return open('/srv/' + replace_symbol(v)).read()", "from pathvalidate import replace_symbol"),
        view("return {'t': open('/srv/' + sanitize_filename(v)).read()}", "from pathvalidate import sanitize_filename"),
    ),
    "path: a pattern may leave the folder": (
        22,
        view("return list(ROOT.glob(v + '/*.txt'))", PATH),
        view("return list(ROOT.glob('*.txt'))", PATH),
    ),
    "path: and so may that of iglob": (
        22,
        view("return list(glob.iglob('/srv/' + v + '/*'))", "import glob"),
        view("return list(glob.iglob('/srv/' + glob.escape(os.path.basename(v)) + '/*'))", "import glob, os"),
    ),
    "credential: a table of accounts that is stored": (
        798,
        "def seed(db):\n    for name, word in [('root', 'Zx81-spectrum'), ('kim', 'wonder-Land3')]:\n"
        "        db.execute('insert into users (name, password) values (?, ?)', (name, word))\n",
        "def seed(db):\n    for name, word in [('root', 'Zx81-spectrum'), ('kim', 'wonder-Land3')]:\n"
        "        db.execute('insert into users (name, comment) values (?, ?)', (name, word))\n",
    ),
    "credential: a stored account without names of columns": (
        798,
        "def seed(db):\n    password = 'wonder-Land3'\n"
        "    db.execute('insert into users values (?, ?)', ('kim', password))\n",
        "import secrets\n\ndef seed(db):\n    password = secrets.token_urlsafe(16)\n"
        "    db.execute('insert into users values (?, ?)', ('kim', password))\n",
    ),
    "credential: an account in the statement itself": (
        798,
        "def seed(db):\n    db.execute(\"insert into users (name, password) values ('kim', 'wonder-Land3')\")\n",
        "def seed(db):\n    db.execute(\"insert into users (name, city) values ('kim', 'wonder-Land3')\")\n",
    ),
    "credential: many accounts at once": (
        798,
        "ROWS = [('root', 'Zx81-spectrum')]\ndef seed(db):\n"
        "    db.executemany('insert into users (name, password) values (?, ?)', ROWS)\n",
        "ROWS = [('root', 'Zx81-spectrum')]\ndef seed(db):\n"
        "    db.executemany('insert into users (name, motto) values (?, ?)', ROWS)\n",
    ),
    "signature: a session that is only encoded": (
        347,
        view("r = make_response('ok')\nd = base64.b64encode(json.dumps({'user': v}).encode())\nr.set_cookie('session', d.decode(), secure=True, httponly=True)\nreturn r", "import base64, json"),
        view("r = make_response('ok')\nd = base64.b64encode(json.dumps({'user': v}).encode())\nm = hmac.new(KEY, d, 'sha256').hexdigest()\nr.set_cookie('session', d.decode() + '.' + m, secure=True, httponly=True)\nreturn r", "import base64, hmac, json, os\nKEY = os.urandom(32)"),
    ),
    "tempfile: the key of a server": (
        377,
        "from flask import Flask\napp = Flask('x')\napp.run(ssl_context=('/tmp/shop.crt', '/tmp/shop.key'))\n",
        "from flask import Flask\napp = Flask('x')\napp.run(ssl_context=('/etc/shop/shop.crt', '/etc/shop/shop.key'))\n",
    ),
    "tempfile: a key that is read": (
        377,
        "KEY = '/tmp/shop.pem'\n\ndef key():\n    with open(KEY) as file:\n        return file.read()\n",
        "KEY = '/tmp/shop.txt'\n\ndef key():\n    with open(KEY) as file:\n        return file.read()\n",
    ),
    "xss: escaped last": (
        79,
        view("return '<p>' + unquote(html.escape(v))", "import html\nfrom urllib.parse import unquote"),
        view("return '<p>' + html.escape(unquote(v))", "import html\nfrom urllib.parse import unquote"),
    ),
    "ldap: the right escape": (
        90,
        view("c.search('dc=x', f'(cn={escape_rdn(v)})')", "import ldap3\nfrom ldap3.utils.dn import escape_rdn\nc = ldap3.Connection('x')"),
        view("c.search('dc=x', f'(cn={escape_filter_chars(v)})')", "import ldap3\nfrom ldap3.utils.conv import escape_filter_chars\nc = ldap3.Connection('x')"),
    ),
    "code: literals only": (94, view("eval(v)"), view("ast.literal_eval(v)", "import ast")),
    "log: repr keeps one line": (
        117,
        view("log.info('got %s', v)", "import logging\nlog = logging.getLogger('x')"),
        view("log.info('got %r', v)", "import logging\nlog = logging.getLogger('x')"),
    ),
    "timing: compare_digest": (
        208,
        view("return {'ok': v == os.environ['API_TOKEN']}", "import os"),
        view("return {'ok': hmac.compare_digest(v, os.environ['API_TOKEN'])}", "import hmac, os"),
    ),
    "tls: verification": (
        295,
        "import requests\nON = False\nrequests.get('https://a.example', verify=ON)\n",
        "import requests\nON = True\nrequests.get('https://a.example', verify=ON)\n",
    ),
    "hash: what it protects": (
        328,
        "import hashlib\ndef store(password):\n    return hashlib.md5(password.encode()).hexdigest()\n",
        "import hashlib\ndef cache_name(url):\n    return hashlib.md5(url.encode()).hexdigest()\n",
    ),
    "random: a token or a delay": (
        330,
        "import random\ndef reset_token():\n    return random.randrange(10)\n",
        "import random\ndef delay():\n    return random.randrange(10)\n",
    ),
    "signature: jwt": (
        347,
        "import jwt\ndef f(t, k):\n    return jwt.decode(t, k, options={'verify_signature': False})\n",
        "import jwt\ndef f(t, k):\n    return jwt.decode(t, k, algorithms=['RS256'])\n",
    ),
    "tempfile: who makes it": (
        377,
        "import tempfile\ndef f():\n    return tempfile.mktemp()\n",
        "import tempfile\ndef f():\n    return tempfile.mkstemp()\n",
    ),
    "trust: a listed value": (
        501,
        view("session['role'] = v"),
        view("session['desk'] = v if v in ('a', 'b') else 'a'"),
    ),
    "objects: yaml": (
        502,
        view("yaml.load(v, Loader=yaml.Loader)", "import yaml"),
        view("yaml.load(v, Loader=yaml.SafeLoader)", "import yaml"),
    ),
    "redirect: one slash is not enough": (
        601,
        view("if not v.startswith('/'):\n    abort(400)\nreturn redirect(v)"),
        view("if not v.startswith('/') or v.startswith('//'):\n    abort(400)\nreturn redirect(v)"),
    ),
    "xxe: entities": (
        611,
        view("etree.fromstring(v, etree.XMLParser(resolve_entities=True))", "from lxml import etree"),
        view("etree.fromstring(v, etree.XMLParser(resolve_entities=False))", "from lxml import etree"),
    ),
    "cookie: the flags": (
        614,
        view("r = make_response('x')\nr.set_cookie('session', v, secure=True)\nreturn r"),
        view("r = make_response('x')\nr.set_cookie('session', v, secure=True, httponly=True)\nreturn r"),
    ),
    "xpath: a variable": (
        643,
        view("tree.xpath(f\"//a[@b='{v}']\")", "from lxml import etree\ntree = etree.parse('x.xml')"),
        view("tree.xpath('//a[@b=$v]', v=v)", "from lxml import etree\ntree = etree.parse('x.xml')"),
    ),
    "ssrf: the host decides": (
        918,
        view("requests.get(f'https://{v}/x')", "import requests"),
        view("requests.get(f'https://a.example/{v}')", "import requests"),
    ),
    "template: a value, not its source": (
        1336,
        view("return render_template_string('Hello ' + v)", "from flask import render_template_string"),
        view("return render_template_string('Hello {{ v }}', v=v)", "from flask import render_template_string"),
    ),
}  # fmt: skip


def cwes(code: str) -> set[int | None]:
    result = scan(code.encode(), "x.py")
    assert result.status is Status.OK, result.reason
    return {f.cwe for f in result.findings}


@pytest.mark.parametrize("name", PAIRS)
def test_the_vulnerable_lines_are_found_and_the_safe_ones_are_not(name: str) -> None:
    cwe, vulnerable, safe = PAIRS[name]
    assert cwe in cwes(vulnerable)
    assert cwe not in cwes(safe)


def test_every_modelled_class_has_a_pair() -> None:
    assert {cwe for cwe, _, _ in PAIRS.values()} | {798} == MODELLED_CWES


def test_a_credential_in_the_source_is_found_and_never_repeated() -> None:
    secret = canary()
    code = f"import jwt\nKEY = {secret!r}\ndef f(c):\n    return jwt.encode(c, KEY)\n"
    result = scan(code.encode(), "x.py")
    assert [f.cwe for f in result.findings] == [798]
    assert secret not in repr(result)
    assert 798 not in cwes("import jwt, os\ndef f(c):\n    return jwt.encode(c, os.environ['K'])\n")


def test_a_finding_names_source_steps_and_sink() -> None:
    code = view("run(v)", "import os\ndef run(x):\n    os.system('ls ' + x)\n")
    (finding,) = scan(code.encode(), "x.py").findings
    assert (finding.rule, finding.cwe) == ("taint-cmd", 78)
    assert "request.args" in finding.steps[0].text
    assert any("run() as x" in s.text for s in finding.steps)
    assert finding.steps[-1].line == finding.line
    assert finding.remedy


def test_data_that_one_handler_keeps_is_found_where_another_shows_it() -> None:
    code = FLASK + (
        "notes = []\n"
        "@app.get('/all')\ndef show():\n    return '<ul>' + ''.join(notes)\n"
        "@app.post('/add')\ndef add():\n    notes.append(request.form['note'])\n    return 'ok'\n"
    )
    assert 79 in cwes(code)


STATEMENT = 'def find(c, name):\n    return c.execute("select id from t where name = {}"{})\n'


def test_a_parameter_between_the_quotes_of_a_statement_is_found_whoever_fills_it_in() -> None:
    assert cwes(STATEMENT.format("'%s'", " % name")) == {89}
    assert cwes(STATEMENT.format("?", ", (name,)")) == set()
    # Without quotes it is a name of the database, which the caller may well choose.
    assert (
        cwes("def find(c, table):\n    return c.execute(f'select id from {table} where a = ?')\n")
        == set()
    )
    listed = "    if name not in ('a', 'b'):\n        raise ValueError\n"
    assert (
        cwes(STATEMENT.format("'%s'", " % name").replace("    return", listed + "    return"))
        == set()
    )


def test_a_parameter_in_a_line_of_a_shell_is_found_and_a_whole_line_is_the_callers() -> None:
    assert cwes("import os\ndef ping(host):\n    os.system('ping ' + host)\n") == {78}
    assert cwes("import os\ndef run(line):\n    os.system(line)\n") == set()


OPENS = "def handle(body):\n    '''Handles what a client has sent.'''\n    open(body)\n"


def test_parameters_of_a_library_are_no_source() -> None:
    assert cwes(OPENS) == {22}
    assert cwes("__all__ = ['handle']\n" + OPENS) == set()
    assert cwes("from .reading import parse\n" + OPENS) == set()


def test_only_whole_words_of_a_text_speak_of_outside() -> None:
    assert cwes(OPENS.replace("Handles what a client has sent", "Takes both formats")) == set()


def test_a_file_with_a_name_that_can_be_guessed_needs_a_shared_folder() -> None:
    make = "import tempfile\ndef f(folder):\n    return tempfile.mktemp({})\n"
    assert cwes(make.format("'.py'")) == {377}
    assert cwes(make.format("dir='/tmp'")) == {377}
    assert cwes(make.format("dir=folder")) == set()
    assert cwes(make.format("prefix=r'\\\\.\\pipe\\x-'")) == set()


def test_a_function_says_what_its_random_numbers_are_for() -> None:
    token = "import random\ndef {}():\n    token = random.getrandbits(64)\n    return token\n"
    assert cwes(token.format("new_reset_link")) == {330}
    assert cwes(token.format("make_boundary")) == set()
    assert cwes("import random\ndef generate_api_key():\n    return random.getrandbits(64)\n") == {
        330
    }


def test_a_module_of_a_constant_package_is_chosen_among_its_own() -> None:
    assert 94 in cwes(view("importlib.import_module(v)", "import importlib"))
    assert 94 not in cwes(view("importlib.import_module('plugins.' + v)", "import importlib"))


def test_the_debugger_of_flask_is_found_where_it_is_switched_on() -> None:
    assert 94 in cwes(FLASK + "app.run(debug=True)\n")
    assert 94 not in cwes(FLASK + "app.run(debug=False)\n")


def test_a_cookie_of_a_jar_and_a_formatted_word_are_no_weakness() -> None:
    assert cwes("def f(jar, made):\n    jar.set_cookie(made)\n") == set()
    assert (
        cwes("def f():\n    return '{quote}{secret}'.format(quote='x', secret='[^v]+')\n") == set()
    )


def test_the_address_that_was_asked_for_is_a_safe_place_to_go() -> None:
    code = (
        "from starlette.datastructures import URL\n"
        "from starlette.responses import RedirectResponse\n"
        "async def __call__(scope, receive, send):\n    return RedirectResponse({})\n"
    )
    assert cwes(code.format("URL(scope=scope).replace(scheme='https')")) == set()
    assert cwes(code.format("scope['query_string'].decode()")) == {601}


def test_what_is_registered_for_a_type_is_called_by_the_program_itself() -> None:
    code = "import os, files\ndef walk(where):\n    return os.listdir(where)\nfiles.each.register({})\n"
    assert cwes(code.format("walk")) == {22}
    assert cwes(code.format("files.Finder, walk")) == set()


def test_a_literal_that_is_compared_in_constant_time_is_a_credential() -> None:
    compare = (
        "import hmac\nMASTER = {!r}\ndef f(typed):\n    return hmac.compare_digest(typed, MASTER)\n"
    )
    assert cwes(compare.format(canary())) == {798}
    assert cwes(compare.format("<code>")) == set()


def test_the_name_of_an_annotated_type_stands_for_it() -> None:
    code = (
        "from typing import Annotated\nfrom fastapi import FastAPI, Query\nimport sqlite3\n"
        "app = FastAPI()\ndb = sqlite3.connect('x.db')\nNumber = Annotated[{}, Query()]\n"
        "@app.get('/x')\ndef x(number: Number):\n    db.execute(f'select {{number}}')\n"
    )
    assert cwes(code.format("str")) == {89}
    assert cwes(code.format("int")) == set()


def test_a_loop_over_the_messages_of_a_socket_gets_them_from_outside() -> None:
    code = (
        "import logging\nfrom aiohttp import web\nlog = logging.getLogger('x')\n"
        "async def f(request):\n    ws = web.WebSocketResponse()\n"
        "    async for message in ws:\n        log.info('%{}', message.data)\n"
    )
    assert cwes(code.format("s")) == {117}
    assert cwes(code.format("r")) == set()


def test_mail_clients_check_nothing_without_a_context() -> None:
    code = "import smtplib, ssl\nsmtp = smtplib.SMTP('mail')\nsmtp.starttls({})\n"
    assert cwes(code.format("")) == {295}
    assert cwes(code.format("context=ssl.create_default_context()")) == set()


def test_a_shared_folder_may_be_the_default_of_a_setting() -> None:
    code = "import os\nopen(os.path.join(os.environ.get('SPOOL', {!r}), 'plan'), 'w')\n"
    assert cwes(code.format("/var/tmp")) == {377}
    assert cwes(code.format("/srv/spool")) == set()


def test_a_text_that_equals_a_constant_has_nothing_of_a_stranger() -> None:
    fetch = "import requests\nfrom urllib.parse import urlsplit"
    check = "p = urlsplit(v)\nif f'{{p.scheme}}://{{p.{}}}' != 'https://a.example':\n    abort(400)\nrequests.get(v)"
    assert 918 not in cwes(view(check.format("netloc"), fetch))
    assert 918 in cwes(view(check.format("path"), fetch))
