"""What a stdio upstream last wrote to its stderr: ``/v1/origins/NAME/log``."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from quartermaster.core.logs import redact
from quartermaster.identity.authenticated import AuthenticatedPrincipal
from quartermaster.service import Service


class OriginLog:
    """The endpoint.

    Args:
        service: whose upstreams they are.
    """

    def __init__(self, service: Service) -> None:
        self._service = service

    async def log(self, request: Request) -> Response:
        """The last 100,000 bytes, of this process's upstreams only, without known secrets.

        Raises:
            QmError: QM403 not_permitted: only operators may; QM404 origin_not_found.
        """
        user = request.user
        assert isinstance(user, AuthenticatedPrincipal)
        name: str = request.path_params["origin"]
        await self._service.database.call_value("get_origin", user.principal, name=name)
        text = redact(self._service.upstreams.supervisor.stderr_tail(name))
        return JSONResponse({"origin": name, "stderr": text})
