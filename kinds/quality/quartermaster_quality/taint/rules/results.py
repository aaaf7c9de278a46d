"""Maps the dotted names of library functions to their results.

``clean``: a value without data from the arguments. ``same``: the first argument. ``part``: a part
of the first argument. ``decode``: the decoded first argument. ``blend``: a mix of all arguments.
``safe:X``: harmless for the weakness classes X. ``only:C``: contains only the characters C.
``lacks:C``: contains none of the characters C.
"""

from __future__ import annotations

import re

ALPHANUMERIC = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"


def each(names: str, result: str) -> dict[str, str]:
    """Returns a table that maps each name in a space-separated list to the same result."""
    return dict.fromkeys(names.split(), result)


RESULTS: dict[str, str] = {
    # Numbers, and what else carries no text.
    **each(
        "int float bool complex len ord abs round hash id sum isinstance callable hasattr divmod "
        "uuid.UUID decimal.Decimal datetime.date.fromisoformat datetime.datetime.fromisoformat "
        "datetime.datetime.strptime datetime.time.fromisoformat fractions.Fraction bson.ObjectId "
        "bson.objectid.ObjectId struct.unpack struct.calcsize os.path.getsize os.path.exists "
        "os.path.isfile os.path.isdir os.stat uuid.uuid4 uuid.uuid1 uuid.uuid5 time.time "
        "time.monotonic secrets.token_hex secrets.token_urlsafe secrets.token_bytes "
        "secrets.randbelow secrets.randbits secrets.choice os.urandom os.getpid os.getcwd "
        "flask.url_for url_for django.urls.reverse hashlib.pbkdf2_hmac hashlib.scrypt "
        "bcrypt.hashpw bcrypt.checkpw crypt.crypt flask.jsonify django.http.JsonResponse "
        "django.utils.dateparse.parse_date dateutil.parser.parse dateutil.parser.isoparse "
        "zlib.crc32 time.strftime socket.gethostname getpass.getuser mimetypes.guess_type "
        "flask.send_from_directory flask.render_template django.shortcuts.render numpy.array "
        "fastapi.responses.JSONResponse starlette.responses.JSONResponse aiohttp.web.json_response "
        "math.sqrt math.floor math.ceil hex oct bin",
        "clean",
    ),
    **each(
        "str bytes bytearray memoryview list tuple set frozenset iter reversed typing.cast "
        "copy.copy copy.deepcopy sorted string.capwords textwrap.dedent textwrap.shorten "
        "textwrap.indent unicodedata.normalize io.StringIO io.BytesIO io.TextIOWrapper "
        "gzip.GzipFile contextlib.closing contextlib.nullcontext asyncio.wait_for asyncio.shield "
        "asyncio.create_task asyncio.ensure_future asyncio.run django.utils.encoding.force_str "
        "django.utils.encoding.smart_str os.fspath sys.intern six.ensure_str "
        "asgiref.sync.async_to_sync asgiref.sync.sync_to_async starlette.datastructures.Secret "
        "pydantic.SecretStr codecs.encode yarl.URL httpx.URL os.path.expanduser "
        "os.path.expandvars",
        "same",
    ),
    # Escapes.
    **each(
        "html.escape cgi.escape markupsafe.escape flask.escape django.utils.html.escape "
        "django.utils.html.conditional_escape django.utils.html.strip_tags "
        "tornado.escape.xhtml_escape xml.sax.saxutils.quoteattr bleach.clean nh3.clean "
        "werkzeug.utils.escape jinja2.escape html.sanitize markupsafe.Markup.escape bleach.linkify "
        "lxml.html.clean.clean_html django.utils.html.urlize",
        "lacks:<>\"'",
    ),
    "xml.sax.saxutils.escape": "lacks:<>",
    "django.utils.html.escapejs": "lacks:<>\"'\n\r\\",
    **each("shlex.quote pipes.quote shlex.join subprocess.list2cmdline", "safe:cmd"),
    **each(
        "ldap3.utils.conv.escape_filter_chars ldap.filter.escape_filter_chars "
        "ldap.filter.filter_format bonsai.utils.escape_filter_exp bonsai.escape_filter_exp "
        "ldap3.utils.conv.escape_bytes",
        "lacks:*()\\\0",
    ),
    **each(
        "ldap3.utils.dn.escape_rdn ldap.dn.escape_dn_chars bonsai.utils.escape_attribute_value "
        "ldap3.utils.dn.safe_rdn bonsai.escape_attribute_value",
        'lacks:,+"<>;=#',
    ),
    **each(
        "psycopg.sql.Identifier psycopg2.sql.Identifier psycopg.sql.Literal psycopg2.sql.Literal "
        "psycopg2.extensions.quote_ident sqlalchemy.bindparam sqlalchemy.sql.quoted_name "
        "MySQLdb.escape_string pymysql.converters.escape_string asyncpg.utils._quote_ident "
        "psycopg2.extensions.adapt django.db.connection.ops.quote_name pymysql.escape_string",
        "safe:sql",
    ),
    **each(
        "repr ascii json.dumps orjson.dumps ujson.dumps reprlib.repr pprint.pformat", "safe:log"
    ),
    # Encodings.
    "urllib.parse.quote": f"only:{ALPHANUMERIC}_.-~%/ safe:url-part",
    "urllib.parse.quote_plus": f"only:{ALPHANUMERIC}_.-~%+ safe:url-part",
    "urllib.parse.urlencode": f"only:{ALPHANUMERIC}_.-~%+&= safe:url-part",
    "django.utils.http.urlencode": f"only:{ALPHANUMERIC}_.-~%+&=",
    **each("django.utils.http.urlquote werkzeug.urls.url_quote", f"only:{ALPHANUMERIC}_.-~%/"),
    **each("base64.b64encode base64.standard_b64encode", f"only:{ALPHANUMERIC}+/="),
    "base64.urlsafe_b64encode": f"only:{ALPHANUMERIC}-_=",
    "base64.b32encode": f"only:{ALPHANUMERIC}=",
    **each("base64.b16encode binascii.hexlify", f"only:{ALPHANUMERIC}"),
    "ipaddress.ip_address": "only:0123456789abcdefABCDEF.:",
    "ipaddress.ip_network": "only:0123456789abcdefABCDEF.:/",
    "ipaddress.IPv4Address": "only:0123456789.",
    **each("django.utils.text.slugify slugify.slugify", f"only:{ALPHANUMERIC}-_"),
    **each(
        "werkzeug.utils.secure_filename werkzeug.secure_filename "
        "django.utils.text.get_valid_filename",
        f"only:{ALPHANUMERIC}-_. safe:path",
    ),
    "pathvalidate.sanitize_filename": "lacks:/\\ safe:path",
    **each("os.path.basename posixpath.basename", "lacks:/ safe:path name"),
    "ntpath.basename": "lacks:/\\ safe:path name",
    **each("os.path.splitext os.path.split", "tuple"),
    "os.path.dirname": "parent",
    **each(
        "werkzeug.security.safe_join werkzeug.utils.safe_join flask.safe_join "
        "django.utils._os.safe_join",
        "safe:path",
    ),
    **each("os.path.realpath os.path.abspath os.path.normpath", "resolved"),
    "os.path.commonpath": "commonpath",
    **each(
        "urllib.parse.unquote urllib.parse.unquote_plus urllib.parse.unquote_to_bytes "
        "html.unescape base64.b64decode base64.standard_b64decode base64.urlsafe_b64decode "
        "base64.b32decode base64.b16decode binascii.unhexlify binascii.a2b_base64 bytes.fromhex "
        "codecs.decode zlib.decompress gzip.decompress bz2.decompress lzma.decompress "
        "html.parser.unescape itsdangerous.encoding.base64_decode itsdangerous.base64_decode "
        "jwt.utils.base64url_decode django.utils.http.urlsafe_base64_decode quopri.decodestring "
        "xml.sax.saxutils.unescape werkzeug.urls.url_unquote",
        "decode",
    ),
    **each(
        "json.loads json.load orjson.loads ujson.loads tomllib.loads tomllib.load yaml.safe_load "
        "ast.literal_eval msgpack.unpackb msgpack.loads cbor2.loads csv.reader csv.DictReader "
        "urllib.parse.parse_qs urllib.parse.parse_qsl shlex.split pickle.loads pickle.load "
        "yaml.load marshal.loads dict.fromkeys zip enumerate dict collections.OrderedDict "
        "collections.ChainMap collections.Counter collections.defaultdict itertools.chain "
        "itertools.islice next max min xml.etree.ElementTree.fromstring "
        "defusedxml.ElementTree.fromstring email.message_from_bytes email.message_from_string "
        "base64.decodebytes urllib.parse.urlunsplit urllib.parse.urlunparse urllib.parse.urljoin "
        "pathlib.Path.joinpath ast.parse compile os.path.relpath os.path.commonprefix",
        "blend",
    ),
    **each("urllib.parse.urlsplit urllib.parse.urlparse furl.furl", "url"),
    "type": "type",
}

# Functions of other modules whose name says what they do.
SANITIZER_NAMES: tuple[tuple[str, str], ...] = (
    (
        r"(escape|sanitize|encode|clean|quote)\w*(html|xml|xhtml)|html\w*(escape|encode|quote|"
        r"sanitize)",
        "lacks:<>\"'",
    ),
    (r"(quote|escape|sanitize)_?(shell|cmd|command|arg)|shell_?(quote|escape)", "safe:cmd"),
    (r"(quote|escape)_?(ident|identifier|sql|literal)|sql_?(quote|escape)", "safe:sql"),
    (r"(escape|sanitize)_?(ldap|filter)|ldap_?escape", "lacks:*()\\\0"),
    (r"(secure|safe|sanitize|clean)_?(file_?name|path|join)", "safe:path"),
    (r"is_?safe_?(url|redirect)", "verdict:url"),
)

# A function that is not in the file and whose name begins so gives its own data, not its argument.
LOOKUPS = (
    "get", "find", "load", "fetch", "lookup", "look_up", "check", "verify", "is", "has", "create",
    "save", "open", "read", "scan", "search", "query", "count", "list", "select", "store", "add",
    "insert", "update", "delete", "remove", "send", "publish", "enqueue", "charge", "render",
    "register", "validate", "exists", "authenticate", "authorise", "authorize", "login",
    "resolve", "current", "require", "run", "call", "execute", "start", "handle", "process",
    "notify", "mail", "print", "record", "log", "insert", "put", "post", "resize", "generate",
    "make_response", "filter", "filter_by", "where", "objects", "first", "one", "all_",
    "order_by", "marks", "rows", "all_", "by_", "next_", "grant", "issue", "sign", "hash", "book",
    "allocate",
)  # fmt: skip

# Objects that give one message after the other to a loop.
MESSAGES = re.compile(
    r"(?:WebSocketResponse|KafkaConsumer|Consumer|PubSub|pubsub)\(\)$"
    r"|\.(?:iterator|listen|consume|messages|iter_messages)\(\)$"
)
