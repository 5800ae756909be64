"""Datastar with its Python SDK, on Starlette: each response is an event stream with patches of the page's elements."""

import sys
import uuid
from collections import defaultdict
from html import escape

import uvicorn
from datastar_py.starlette import DatastarResponse
from datastar_py.starlette import ServerSentEventGenerator as Patch
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.sessions import SessionMiddleware
from starlette.responses import FileResponse, HTMLResponse
from starlette.routing import Route

from rows import BUTTONS, STYLE, Row, Rows, port

lists: dict[str, Rows] = defaultdict(Rows)


def own(request) -> Rows:
    return lists[request.session.setdefault("id", str(uuid.uuid4()))]


def shown(rows: Rows, *some: Row) -> str:
    return "".join(
        f'<tr id="row-{row.id}"{" class=selected" * (row is rows.selected)}><td>{row.id}</td>'
        f"""<td><a data-on:click="@post('/select/{row.id}')">{escape(row.label)}</a></td>"""
        f"""<td><button data-on:click="@post('/remove/{row.id}')">×</button></td></tr>"""
        for row in some
    )


async def script(request):
    return FileResponse(sys.argv[2], media_type="text/javascript")


async def page(request):
    rows = own(request)
    buttons = "".join(
        f"""<button id="{id}" data-on:click="@post('{path}')">{title}</button> """ for id, (title, path) in BUTTONS.items()
    )
    return HTMLResponse(
        f"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Rows</title><link rel="icon" href="data:,">
        <style>{STYLE}</style><script type="module" src="/datastar.js"></script></head>
        <body><p>{buttons}</p><table><tbody id="rows">{shown(rows, *rows.all)}</tbody></table></body></html>"""
    )


async def create(request):
    rows = own(request)
    made = rows.create(request.path_params["count"])
    # Replaces without comparing, as none of the old rows stays: that is three times as fast.
    return DatastarResponse(Patch.patch_elements(f'<tbody id="rows">{shown(rows, *made)}</tbody>', mode="replace"))


async def append(request):
    rows = own(request)
    made = rows.append(request.path_params["count"])
    return DatastarResponse(Patch.patch_elements(shown(rows, *made), selector="#rows", mode="append"))


async def update(request):
    rows = own(request)
    return DatastarResponse(Patch.patch_elements(shown(rows, *rows.update())))


async def swap(request):
    rows = own(request)
    rows.swap()
    upper, lower = rows.all[1], rows.all[998]
    return DatastarResponse([
        Patch.remove_elements(f"#row-{upper.id}"),
        Patch.patch_elements(shown(rows, upper), selector=f"#row-{lower.id}", mode="replace"),
        Patch.patch_elements(shown(rows, lower), selector=f"#row-{rows.all[997].id}", mode="after"),
    ])


async def clear(request):
    own(request).clear()
    return DatastarResponse(Patch.patch_elements('<tbody id="rows"></tbody>', mode="replace"))


async def select(request):
    rows = own(request)
    return DatastarResponse(Patch.patch_elements(shown(rows, *rows.select(request.path_params["id"]))))


async def remove(request):
    id = request.path_params["id"]
    own(request).remove(id)
    return DatastarResponse(Patch.remove_elements(f"#row-{id}"))


posts = {"/create/{count:int}": create, "/append/{count:int}": append, "/update": update, "/swap": swap, "/clear": clear,
         "/select/{id:int}": select, "/remove/{id:int}": remove}
routes = [Route("/", page), Route("/datastar.js", script), *[Route(path, do, methods=["POST"]) for path, do in posts.items()]]
app = Starlette(routes=routes, middleware=[Middleware(SessionMiddleware, secret_key="benchmark")])
uvicorn.run(app, port=port(), log_level="warning")
