"""The built client, from the package's own files."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

ABSENT = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Counterblow</title>
<h1>Counterblow</h1>
<p>The browser client is not built. In a copy of the repository, run <code>make web</code>, then start again.</p>
<p>The web service itself runs: see <a href="/api/games">the list of games</a> and
<a href="/api/openapi.json">the description of its interface</a>.</p>
</html>
"""


def static_folder() -> Path:
    return Path(str(resources.files("counterblow.service"))) / "static"


class Pages(StaticFiles):
    """Files with their cache headers; any other address is the client's own, and gets its page."""

    def __init__(self, folder: Path) -> None:
        super().__init__(directory=folder, check_dir=False)
        self.page = folder / "index.html"

    async def check_config(self) -> None:
        """A missing folder is no fault: the client is not built."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        try:
            response = await super().get_response(path, scope)
        except HTTPException as error:
            if error.status_code != 404 or not _is_clients(path):
                raise
            return await self._client(scope)
        kept = path.startswith("assets/")  # their names change with their content
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable" if kept else "no-cache"
        return response

    async def _client(self, scope: Scope) -> Response:
        if not self.page.is_file():
            return HTMLResponse(ABSENT)
        response = await super().get_response("index.html", scope)
        response.headers["Cache-Control"] = "no-cache"
        return response


def _is_clients(path: str) -> bool:
    """An address of the client's own making: neither a file nor the interface."""
    return path in ("", ".") or (path.partition("/")[0] != "api" and "." not in path.rpartition("/")[2])
