"""Every exception on the way to an upstream has its failure class."""

from __future__ import annotations

import pickle
import ssl

import httpx2
import mcp_types as types
import pytest
from mcp import MCPError
from pydantic import TypeAdapter, ValidationError

from quartermaster.core.errors import QmError
from quartermaster.core.logs import register_secret
from quartermaster.upstream.egress import ALLOW_ADDRESS, RefusedAddressError
from quartermaster.upstream.failure import UpstreamError, classify, marked_error


def http_status(status: int) -> httpx2.HTTPStatusError:
    request = httpx2.Request("GET", "http://example.org")
    return httpx2.HTTPStatusError(
        "refused", request=request, response=httpx2.Response(status, request=request)
    )


def invalid() -> ValidationError:
    with pytest.raises(ValidationError) as raised:
        TypeAdapter(int).validate_python("x")
    return raised.value


@pytest.mark.parametrize(
    ("error", "kind", "status"),
    [
        (TimeoutError(), "timeout", 504),
        (httpx2.ReadTimeout("slow"), "timeout", 504),
        (httpx2.ConnectError("refused"), "network", 502),
        (ConnectionResetError(), "network", 502),
        (ssl.SSLCertVerificationError("expired"), "network", 502),
        (FileNotFoundError(2, "No such file"), "command_not_found", 502),
        (http_status(401), "auth", 502),
        (http_status(403), "auth", 502),
        (http_status(500), "protocol", 502),
        (MCPError(types.CONNECTION_CLOSED, "Connection closed"), "died", 502),
        (MCPError(types.REQUEST_TIMEOUT, "timed out"), "timeout", 504),
        (MCPError(types.INTERNAL_ERROR, "oops"), "protocol", 502),
        (RuntimeError("Unsupported protocol version"), "protocol", 502),
        (invalid(), "schema", 502),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else str(value),
)
def test_exceptions_have_a_class_and_a_status(error: Exception, kind: str, status: int) -> None:
    failure = classify(error, "x", "connecting", sent=False)
    assert (failure.kind, failure.status, failure.slug) == (kind, status, f"upstream_{kind}")
    assert failure.hint
    assert "'x'" in failure.message


def test_a_refused_address_is_told_with_what_allows_it() -> None:
    error = httpx2.ConnectError("no")
    error.__cause__ = RefusedAddressError("inner.example has the address 10.0.0.1")

    failure = classify(error, "x", "connecting", sent=False)

    assert "inner.example has the address 10.0.0.1, which is not public" in failure.message
    assert failure.hint == ALLOW_ADDRESS


def test_groups_are_looked_through() -> None:
    group = ExceptionGroup("outer", [ExceptionGroup("inner", [httpx2.ConnectError("no")])])
    assert classify(group, "x", "connecting", sent=False).kind == "network"


def test_marked_errors_keep_what_the_transport_knew() -> None:
    marked = marked_error("auth", "answered HTTP 401", sent=False)
    error = MCPError(marked["code"], marked["message"], marked["data"])
    failure = classify(error, "x", "calling y", sent=True, call=True)
    assert (failure.kind, failure.sent) == ("auth", False)


def test_secrets_do_not_get_into_messages() -> None:
    register_secret("hunter-two")
    failure = UpstreamError("died", "x", "said hunter-two", detail="hunter-two again")
    assert "hunter" not in str(failure)


def test_failure_survives_a_process_pool_as_plain_error() -> None:
    failure = pickle.loads(pickle.dumps(UpstreamError("busy", "x", "is busy.")))
    assert isinstance(failure, QmError)
    assert (failure.status, failure.slug) == (429, "upstream_busy")
