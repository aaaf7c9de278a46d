"""The endpoint ``/v1/origins/NAME/log``, with the last lines that a stdio upstream wrote to its
stderr.
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from quartermaster.core.logs import redact
from quartermaster.identity.authenticated import sender_of
from quartermaster.service import Service


async def origin_log(service: Service, request: Request) -> Response:
    """Returns the last 100,000 bytes without known secrets, only for upstreams of this process.

    Raises:
        QmError: QM403 not_permitted, because only operators may read logs; QM404 origin_not_found.
    """
    name: str = request.path_params["origin"]
    await service.database.call_value("get_origin", sender_of(request), name=name)
    text = redact(service.upstreams.supervisor.stderr_tail(name))
    return JSONResponse({"origin": name, "stderr": text})
