"""The sources of untrusted input: requests of web frameworks, messages and command-line
arguments.
"""

from __future__ import annotations

from quartermaster_quality.taint.rules.results import each

# Names under which a request can be imported as a global.
REQUEST_GLOBALS = {
    "flask.request", "quart.request", "bottle.request", "sanic.request", "flask.globals.request",
    "web.ctx",
}  # fmt: skip

# Last names of request types, as in annotations.
REQUEST_TYPES = {
    "Request", "HttpRequest", "WSGIRequest", "ASGIRequest", "WebSocket", "HTTPConnection",
    "BaseRequest", "HTTPServerRequest", "WebSocketServerProtocol", "WebSocketRequest",
}  # fmt: skip
UPLOAD_TYPES = {"UploadFile", "FileStorage", "UploadedFile", "InMemoryUploadedFile", "FileField"}
STREAM_TYPES = {"StreamReader", "BufferedIOBase"}
REQUEST_NAMES = {"request", "req", "ws", "websocket"}

# What a request gives, by attribute or method.
REQUEST_DATA = {
    "args", "form", "values", "json", "data", "files", "cookies", "headers", "query_string",
    "get_json", "get_data", "stream", "query_params", "path_params", "match_info", "query",
    "post", "text", "read", "body", "GET", "POST", "FILES", "COOKIES", "META", "multipart",
    "content", "rel_url", "full_path", "raw_path", "path", "path_info", "url", "referrer",
    "user_agent", "view_args", "forms", "params", "DATA", "raw_post_data", "json_body",
    "iter_json", "iter_text", "iter_bytes", "receive", "receive_json", "receive_text",
    "receive_bytes", "arguments", "body_arguments", "query_arguments", "get_argument",
    "get_query_argument", "get_body_argument", "authorization", "environ", "matchdict",
    "wsgi", "request_line", "recv", "build_absolute_uri", "get_full_path", "basic_auth",
    "parsed_json",
    "bytes", "uri", "raw_requestline", "access_route", "remote_user", "mimetype", "content_type",
    "accept_languages", "data_received", "QUERY_PARAMS",
}  # fmt: skip

# Methods of handlers (tornado, http.server, channels) that give or are data from outside.
HANDLER_SOURCES = {
    "get_argument", "get_arguments", "get_query_argument", "get_body_argument", "get_cookie",
    "get_query_arguments", "get_body_arguments", "rfile", "path", "headers", "path_kwargs",
    "path_args", "decode_argument", "get_secure_cookie",
}  # fmt: skip
HANDLER_BASES = (
    "RequestHandler", "WebSocketHandler", "BaseHTTPRequestHandler", "SimpleHTTPRequestHandler",
    "View", "TemplateView", "FormView", "DetailView", "ListView", "MethodView", "Resource",
    "APIView", "ViewSet", "ModelViewSet", "HTTPEndpoint", "WebSocketEndpoint", "CreateView",
    "UpdateView", "RedirectView", "GenericAPIView", "BaseRequestHandler", "StreamRequestHandler",
    "WebsocketConsumer", "AsyncWebsocketConsumer", "JsonWebsocketConsumer", "Protocol",
    "AsyncJsonWebsocketConsumer", "DatagramProtocol", "LineReceiver", "SMTPServer", "web.View",
    "DatagramRequestHandler", "GenericViewSet", "PasswordResetView", "LoginView", "DeleteView",
)  # fmt: skip
HANDLER_METHODS = {
    "get", "post", "put", "patch", "delete", "head", "options", "dispatch", "do_GET", "do_POST",
    "do_PUT", "do_DELETE", "handle", "on_message", "data_received", "datagram_received",
    "receive", "receive_json", "on_receive", "on_get", "on_post", "on_put", "on_delete",
    "list", "retrieve", "create", "update", "destroy", "form_valid", "get_queryset",
    "get_context_data", "line_received", "lineReceived", "handle_message", "prepare", "open",
    "get_redirect_url", "get_object", "get_success_url", "partial_update",
}  # fmt: skip

# Decorators that make a function an entry, by the last name.
ROUTES = {
    "route", "get", "post", "put", "patch", "delete", "head", "options", "websocket", "view",
    "api_view", "api_route", "websocket_route", "errorhandler", "before_request", "after_request",
    "exception_handler", "middleware", "before_app_request", "teardown_request", "action",
    "websocket_endpoint", "expose", "view_config", "require_http_methods", "require_POST",
    "require_GET", "require_safe", "login_required", "csrf_exempt", "permission_required",
    "staff_member_required", "user_passes_test", "endpoint", "url", "context_processor",
    "template_filter", "query", "mutation", "field", "csrf_protect", "never_cache", "cache_page",
    "condition", "vary_on_headers", "ensure_csrf_cookie", "require", "default_exceptions",
}  # fmt: skip
DJANGO_DECORATORS = {
    "require_http_methods", "require_POST", "require_GET", "require_safe", "csrf_exempt",
    "staff_member_required", "user_passes_test", "permission_required", "csrf_protect",
    "never_cache", "cache_page", "ensure_csrf_cookie", "login_required", "api_view", "view_config",
}  # fmt: skip
TASKS = {"task", "shared_task", "actor", "job", "periodic_task", "consumer", "subscriber",
         "subscribe",
         "event", "on", "command_handler", "receiver", "listener", "rpc", "agent", "timer",
         "event_handler", "handler", "queue_trigger", "on_event", "stream_listener",
         "on_message"}  # fmt: skip
COMMANDS = {"command", "group", "argument", "option", "callback"}

# Calls that register a function as a handler: the data of its parameters comes from outside.
REGISTRARS = {
    "add_get", "add_post", "add_put", "add_delete", "add_patch", "add_route", "add_url_rule",
    "Route", "WebSocketRoute", "path", "re_path", "url", "add_api_route", "add_websocket_route",
    "get", "post", "put", "delete", "patch", "view", "route", "add_view", "APIRoute",
}  # fmt: skip
CALLBACKS = {
    "basic_consume", "start_server", "start_unix_server", "serve", "subscribe", "consume",
    "add_message_handler", "message_callback_add", "on_message", "add_handler", "create_server",
    "create_datagram_endpoint", "connect", "register_function", "add_listener", "psubscribe",
    "sub", "signal_connect", "register", "add_event_handler", "on", "attach", "listen",
}  # fmt: skip

# Calls whose result is data from outside: kind of the source.
CALL_SOURCES: dict[str, str] = {
    **each("input raw_input getpass.getpass", "input"),
    **each(
        "sys.stdin.read sys.stdin.readline sys.stdin.buffer.read sys.stdin.readlines click.prompt "
        "typer.prompt",
        "operator",
    ),
    **each(
        "requests.get requests.post requests.put requests.request httpx.get httpx.post "
        "urllib.request.urlopen websockets.connect websocket.create_connection",
        "remote",
    ),
    **each("flask.request.get_json cgi.FieldStorage bottle.request.forms", "request"),
}
EXTERN_SOURCES: dict[str, str] = {
    **each("sys.argv sys.stdin", "operator"),
}
# Methods whose result is data from outside, whatever the object, if it is not known better.
METHOD_SOURCES: dict[str, str] = {
    **each("parse_args parse_known_args", "operator"),
    **each(
        "recv recvfrom recv_json recv_string recv_bytes readexactly readuntil get_message "
        "basic_get receive_message receive_messages brpop blpop xread xreadgroup",
        "message",
    ),
    **each(
        "fetchall fetchone fetchmany fetchrow fetchval scalar scalars scalar_one "
        "scalar_one_or_none get_object_or_404 first_or_404 mappings",
        "stored",
    ),
    **each("namelist infolist getmembers getnames", "archive"),
}
MODEL_BASES = ("models.Model", "db.Model", "DeclarativeBase", "Base", "Document", "SQLModel")

# Parameter names of functions that nobody calls in the file: what a stranger has sent.
STRANGERS_NAMES = {
    "payload", "request", "upload", "uploaded", "packet", "user_input", "untrusted", "environ",
    "envelope", "attachment", "submission", "submitted", "frame", "message",
}  # fmt: skip
# The same, if the texts of the function speak of data from outside.
OUTSIDE_NAMES = {
    "payload", "body", "message", "msg", "event", "content", "upload", "uploaded", "raw", "packet",
    "frame", "request", "data", "query", "params", "form", "user_input", "untrusted", "line",
    "environ", "envelope", "submission", "submitted", "attachment", "cookie", "cookies", "headers",
    "blob", "document", "term", "token", "ticket", "text", "changes", "answers", "fields", "record",
    "filename", "file_name", "url", "address", "callback", "expression", "formula", "source",
    "xml", "name", "key", "value", "command", "template", "reader", "stream", "changed", "entry",
    "pattern", "needle", "path", "target", "archive", "search", "order", "sort", "column",
}  # fmt: skip
OUTSIDE_WORDS = (
    "client", "upload", "user", "visitor", "customer", "request", "message", "partner", "sent by",
    "submitted", "posted", "member", "received", "incoming", "form", "http", "api", "attachment",
    "browser", "query string", "remote", "peer", "untrusted", "outside", "mail", "queue", "webhook",
    "guest", "supplier", "tenant", "reader", "patron", "caller", "vendor", "wire", "socket",
    "bot", "chat", "typed", "typing", "ask",
)  # fmt: skip

# Names of parameters that the caller, not a stranger, mostly chooses.
OWN_NAMES = {"filename", "file_name", "path", "key", "command", "source", "target", "column"}
