"""FastHTML with htmx: each response is the HTML of the changed elements, which htmx swaps in, also out of band."""

import sys
import uuid
from collections import defaultdict

import uvicorn
from fasthtml.common import A, Button, FastHTML, FileResponse, Meta, P, Script, Style, Table, Tbody, Td, Template, Titled, Tr

from rows import BUTTONS, STYLE, Row, Rows, port

app = FastHTML(default_hdrs=False, secret_key="benchmark", hdrs=(Meta(charset="utf-8"), Script(src="/htmx.js"), Style(STYLE)))
lists: dict[str, Rows] = defaultdict(Rows)


def own(session) -> Rows:
    return lists[session.setdefault("id", str(uuid.uuid4()))]


def shown(rows: Rows, row: Row, **attributes):
    return Tr(
        Td(row.id),
        Td(A(row.label, hx_post=f"/select/{row.id}", hx_swap="none")),
        Td(Button("×", hx_post=f"/remove/{row.id}", hx_target="closest tr", hx_swap="delete")),
        id=f"row-{row.id}",
        cls="selected" if row is rows.selected else None,
        **attributes,
    )


@app.get("/htmx.js")
def script():
    return FileResponse(sys.argv[2])


@app.get("/")
def page(session):
    rows = own(session)
    ways = {"append": "beforeend", "update": "none", "swap": "none"}
    buttons = [
        Button(title, id=id, hx_post=path, hx_target="#rows", hx_swap=ways.get(id, "innerHTML"))
        for id, (title, path) in BUTTONS.items()
    ]
    return Titled("Rows", P(*buttons), Table(Tbody(*[shown(rows, row) for row in rows.all], id="rows")))


@app.post("/create/{count}")
def create(session, count: int):
    rows = own(session)
    return [shown(rows, row) for row in rows.create(count)]


@app.post("/append/{count}")
def append(session, count: int):
    rows = own(session)
    return [shown(rows, row) for row in rows.append(count)]


@app.post("/update")
def update(session):
    rows = own(session)
    return [shown(rows, row, hx_swap_oob="true") for row in rows.update()]


@app.post("/swap")
def swap(session):
    rows = own(session)
    rows.swap()
    upper, lower = rows.all[1], rows.all[998]
    # htmx inserts the content of this element behind the row, not the element itself.
    return [
        Tr(id=f"row-{upper.id}", hx_swap_oob="delete"),
        shown(rows, upper, hx_swap_oob=f"outerHTML:#row-{lower.id}"),
        Template(Tbody(shown(rows, lower), hx_swap_oob=f"afterend:#row-{rows.all[997].id}")),
    ]


@app.post("/clear")
def clear(session):
    own(session).clear()


@app.post("/select/{id}")
def select(session, id: int):
    rows = own(session)
    return [shown(rows, row, hx_swap_oob="true") for row in rows.select(id)]


@app.post("/remove/{id}")
def remove(session, id: int):
    own(session).remove(id)


uvicorn.run(app, port=port(), log_level="warning")
