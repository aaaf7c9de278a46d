"""The last lines that a stdio upstream wrote to its stderr: ``/v1/origins/NAME/log``."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from quartermaster.core.logs import redact
from quartermaster.identity.authenticated import sender_of
from quartermaster.service import Service


async def origin_log(service: Service, request: Request) -> Response:
    """The last 100,000 bytes, of this process's upstreams only, without known secrets.

    Raises:
        QmError: QM403 not_permitted: only operators may; QM404 origin_not_found.
    """
    name: str = request.path_params["origin"]
    await service.database.call_value("get_origin", sender_of(request), name=name)
    text = redact(service.upstreams.supervisor.stderr_tail(name))
    return JSONResponse({"origin": name, "stderr": text})
