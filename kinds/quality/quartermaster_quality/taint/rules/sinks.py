"""The table of sinks: for each weakness class, the dangerous arguments of calls.

A name that begins with a dot is a method of any object. An argument is given by its position or
keyword. ``self`` is the object of the method; ``*`` means all arguments. ``when`` names a condition
in ``taint/sinks.py``.
"""

from __future__ import annotations

from dataclasses import dataclass

Argument = int | str


@dataclass(frozen=True)
class Sink:
    """The arguments of a call that are dangerous for one weakness class."""

    rule: str
    args: tuple[Argument, ...]
    when: str = ""


SINKS: dict[str, list[Sink]] = {}


def _add(rule: str, names: str, args: tuple[Argument, ...], when: str = "") -> None:
    for name in names.split():
        SINKS.setdefault(name, []).append(Sink(rule, args, when))


# Files.
_add(
    "path",
    "open io.open codecs.open os.open aiofiles.open gzip.open bz2.open lzma.open tarfile.open "
    "zipfile.ZipFile os.remove os.unlink os.rmdir os.mkdir os.makedirs os.listdir os.scandir "
    "os.walk os.fwalk shutil.rmtree os.stat os.chmod numpy.load numpy.loadtxt pandas.read_csv "
    "pandas.read_excel sqlite3.connect os.startfile glob.glob glob.iglob linecache.getlines "
    "runpy.run_path fileinput.input os.path.exists os.path.isfile",
    (0, "file", "path", "filename", "name"),
)
_add(
    "path",
    "flask.send_file send_file aiohttp.web.FileResponse starlette.responses.FileResponse "
    "fastapi.responses.FileResponse sanic.response.file quart.send_file fastapi.FileResponse "
    "anyio.open_file PIL.Image.open cv2.imread django.http.FileResponse",
    (0, "path", "filename_or_fp", "path_or_file"),
)
_add("path", "flask.send_from_directory bottle.static_file", (0, "directory", "root"))
_add(
    "path",
    "os.rename os.replace os.link os.symlink shutil.copy shutil.copyfile shutil.copy2 shutil.move "
    "shutil.copytree shutil.unpack_archive shutil.make_archive",
    (0, 1, "src", "dst"),
)
_add(
    "path",
    ".read_text .read_bytes .write_text .write_bytes .unlink .rmdir .mkdir .touch .iterdir .rename "
    ".exists .is_file .stat .open .hardlink_to .symlink_to",
    ("self",),
    "is_path",
)
# A pattern may contain "..", too.
_add("path", ".glob .rglob", ("self", 0, "pattern"), "is_path")
_add("path", ".save", (0, "dst"), "is_upload")
_add("path", ".extract .extractall", ("self", 0, 1, "path"), "is_archive")

# Commands.
_add(
    "cmd",
    "os.system os.popen subprocess.getoutput subprocess.getstatusoutput commands.getoutput "
    "popen2.popen2 asyncio.create_subprocess_shell pty.spawn_shell "
    "asyncio.subprocess.create_subprocess_shell anyio.run_process_shell invoke.run fabric.run "
    "pexpect.run os.popen2 os.popen3",
    (0, "cmd", "command"),
)
_add(
    "cmd",
    "subprocess.run subprocess.call subprocess.check_call subprocess.check_output subprocess.Popen "
    "anyio.run_process anyio.open_process sh.Command trio.run_process",
    (0, "args"),
    "runs_shell",
)
_add(
    "cmd",
    "asyncio.create_subprocess_exec os.execv os.execvp os.execl os.execlp os.spawnv os.spawnl "
    "os.execve os.spawnlp os.spawnvp asyncio.subprocess.create_subprocess_exec",
    ("*",),
    "shell_program",
)
_add("cmd", ".exec_command .run_command", (0, "command"))
_add("cmd", ".run .sudo .local", (0,), "is_remote_shell")

# HTML.
_add(
    "xss",
    "markupsafe.Markup flask.Markup django.utils.safestring.mark_safe jinja2.Markup "
    "django.utils.safestring.SafeString django.utils.html.format_html markupsafe.Markup.format "
    "django.utils.html.mark_safe",
    (0,),
)
_add("xss", "django.utils.html.format_html_join", (0, 1))
_add(
    "xss",
    "django.http.HttpResponse django.http.HttpResponseBadRequest django.http.HttpResponseNotFound "
    "django.http.HttpResponseForbidden django.http.response.HttpResponse "
    "django.http.HttpResponseServerError",
    (0, "content"),
    "is_html",
)
_add(
    "xss",
    "starlette.responses.HTMLResponse fastapi.responses.HTMLResponse sanic.response.html "
    "fastapi.HTMLResponse",
    (0, "content"),
)
_add(
    "xss",
    "starlette.responses.Response fastapi.Response fastapi.responses.Response "
    "starlette.responses.StreamingResponse fastapi.responses.StreamingResponse",
    (0, "content"),
    "html_type",
)
_add("xss", "aiohttp.web.Response", ("text", "body"), "html_type")
_add(
    "xss",
    "flask.Response flask.make_response quart.make_response flask.wrappers.Response "
    "werkzeug.wrappers.Response werkzeug.Response",
    (0, "response"),
    "is_html",
)
_add("xss", ".write .finish", (0,), "is_handler")

# SQL.
_add(
    "sql",
    ".execute .executemany .executescript .fetch .fetchrow .fetchval .fetch_all .fetch_one "
    ".execute_query .read_sql .mogrify .iterate .prepare .cursor_execute .query .scalar .scalars "
    ".exec_driver_sql .execute_fetchall .execute_sql",
    (0, "query", "sql", "statement", "operation"),
    "is_sql",
)
_add("sql", ".raw .extra", (0, "where", "select", "order_by", "tables", "raw_query"), "")
_add(
    "sql",
    "sqlalchemy.text sqlalchemy.sql.text sqlalchemy.sql.expression.text sqlalchemy.literal_column "
    "sqlalchemy.sql.literal_column sqlalchemy.text.text django.db.models.expressions.RawSQL "
    "pandas.read_sql pandas.read_sql_query django.db.models.RawSQL psycopg.sql.SQL "
    "psycopg2.sql.SQL peewee.SQL peewee.RawQuery sqlmodel.text tortoise.expressions.RawSQL",
    (0, "sql"),
)

# LDAP.
_add(
    "ldap",
    ".search .search_s .search_st .search_ext .search_ext_s .search_async .paged_search",
    ("*",),
    "is_ldap",
)
_add(
    "ldap",
    ".modify_s .delete_s .add_s .compare_s .simple_bind_s .simple_bind .delete .modify .modify_dn "
    ".rename_s .rebind",
    (0, "dn", "who"),
    "is_ldap",
)
_add("ldap", "bonsai.LDAPClient.connect ldap3.utils.dn.parse_dn", (0,))

# Code.
_add(
    "code",
    "eval exec builtins.eval builtins.exec code.InteractiveInterpreter numexpr.evaluate "
    "pandas.eval asteval.Interpreter sympy.sympify sympy.parse_expr "
    "sympy.parsing.sympy_parser.parse_expr timeit.timeit cProfile.run pydoc.locate __import__ "
    "importlib.import_module",
    (0, "source", "stmt"),
)
_add("code", ".runsource .runcode .query_eval .run_line_magic", (0,))
_add("code", "getattr", (1,), "is_module")
_add("code", "types.FunctionType types.CodeType", (0,))

# Logs.
_add(
    "log", ".debug .info .warning .warn .error .critical .exception .log .msg", ("*",), "is_logger"
)
_add(
    "log",
    "logging.debug logging.info logging.warning logging.error logging.critical logging.exception "
    "logging.log syslog.syslog",
    ("*",),
)

# Objects.
_add(
    "deserialization",
    "pickle.loads pickle.load _pickle.loads cPickle.loads cPickle.load dill.loads dill.load "
    "cloudpickle.loads cloudpickle.load marshal.loads marshal.load shelve.open jsonpickle.decode "
    "joblib.load pandas.read_pickle torch.load jsonpickle.loads jsonpickle.unpickler.decode "
    "yaml.unsafe_load yaml.full_load yaml.unsafe_load_all yaml.full_load_all "
    "sklearn.externals.joblib.load",
    (0, "data", "file", "f", "stream", "filename", "string"),
)
_add("deserialization", "yaml.load yaml.load_all ruamel.yaml.load", (0, "stream"), "unsafe_yaml")
_add("deserialization", "numpy.load", (0, "file"), "allows_pickle")

# Redirects.
_add(
    "redirect",
    "flask.redirect django.shortcuts.redirect django.http.HttpResponseRedirect "
    "django.http.HttpResponsePermanentRedirect bottle.redirect sanic.response.redirect "
    "quart.redirect werkzeug.utils.redirect starlette.responses.RedirectResponse "
    "fastapi.responses.RedirectResponse fastapi.RedirectResponse "
    "django.http.response.HttpResponseRedirect pyramid.httpexceptions.HTTPFound",
    (0, "location", "url", "to", "redirect_to"),
)
_add(
    "redirect",
    "aiohttp.web.HTTPFound aiohttp.web.HTTPSeeOther aiohttp.web.HTTPTemporaryRedirect "
    "aiohttp.web.HTTPMovedPermanently aiohttp.web.HTTPPermanentRedirect",
    (0, "location"),
)
_add("redirect", ".redirect", (0, "url", "location"))

# XML.
_add(
    "xxe",
    "lxml.etree.parse lxml.etree.fromstring lxml.etree.XML lxml.etree.iterparse "
    "lxml.objectify.parse lxml.objectify.fromstring lxml.etree.HTML lxml.etree.fromstringlist "
    "lxml.etree.XMLID",
    (0, "source", "text"),
    "unsafe_xml",
)
_add(
    "xxe",
    "xml.sax.parse xml.sax.parseString xml.dom.minidom.parseString xml.dom.minidom.parse "
    "xml.dom.pulldom.parse xml.dom.pulldom.parseString",
    (0, "stream", "string", "source"),
    "unsafe_xml",
)
_add("xxe", ".parse .feed .parseString", (0, "source"), "unsafe_parser")
_add("xxe", "xmltodict.parse", (0,), "xmltodict_entities")

# XPath.
_add("xpath", ".xpath .findall_xpath", (0, "query", "_path", "expression"))
_add(
    "xpath",
    "lxml.etree.XPath lxml.etree.ETXPath elementpath.select elementpath.iter_select "
    "lxml.etree.XPathEvaluator elementpath.Selector",
    (0, 1, "path"),
)
_add("xpath", ".find .findall .findtext .iterfind", (0,), "is_tree")

# Requests.
_add(
    "ssrf",
    "requests.get requests.post requests.put requests.delete requests.head requests.patch "
    "requests.options httpx.get httpx.post httpx.put httpx.delete httpx.head httpx.patch "
    "httpx.stream urllib.request.urlopen urllib.request.Request urllib.request.urlretrieve "
    "urllib2.urlopen urllib.urlopen aiohttp.request wget.download pycurl.Curl.setopt "
    "feedparser.parse http.client.HTTPSConnection http.client.HTTPConnection websockets.connect "
    "httplib2.Http.request treq.get imageio.imread asks.get",
    (0, "url", "fullurl", "uri", "host"),
)
_add("ssrf", "requests.request httpx.request urllib3.request aiohttp.client.request", (1, "url"))
_add(
    "ssrf",
    ".get .post .put .delete .head .patch .options .ws_connect .urlopen .stream .open .retrieve",
    (0, "url", "fullurl"),
    "is_http_client",
)
_add("ssrf", ".request .send .build_request", (1, "url"), "is_http_client")
_add("ssrf", "httpx.Client httpx.AsyncClient aiohttp.ClientSession", ("base_url",))
_add("ssrf", "asyncio.open_connection socket.create_connection", (0, "host"))
_add("ssrf", ".fetch", (0, "request"), "is_http_client")

# Templates.
_add(
    "template",
    "flask.render_template_string quart.render_template_string jinja2.Template "
    "mako.template.Template tornado.template.Template django.template.Template "
    "chameleon.PageTemplate Cheetah.Template.Template genshi.template.MarkupTemplate "
    "bottle.template bottle.SimpleTemplate jinja2.nativetypes.NativeTemplate "
    "pystache.render_unsafe web.template.Template mako.template.Template.__init__ "
    "airspeed.Template chameleon.PageTextTemplate chevron.render_unsafe "
    "genshi.template.TextTemplate",
    (0, "source", "text", "template_string"),
)
_add(
    "template",
    ".from_string .compile_expression .compile_template",
    (0, "source", "template_code"),
    "is_template_env",
)
