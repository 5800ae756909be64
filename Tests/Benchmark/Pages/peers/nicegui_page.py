"""NiceGUI: its table, with a slot for the label that selects a row and one for the button that removes it."""

from dataclasses import asdict

from nicegui import ui

from rows import BUTTONS, STYLE, Rows, port

COLUMNS = [{"name": name, "label": name.capitalize(), "field": name, "align": "left"} for name in ("id", "label", "remove")]
LABEL = """<q-td :props="props"><a @click="$parent.$emit('choose', props.row.id)">{{ props.value }}</a></q-td>"""
REMOVE = """<q-td :props="props"><button @click="$parent.$emit('remove', props.row.id)">×</button></q-td>"""


@ui.page("/")
def page():
    rows = Rows()
    ui.add_css(STYLE)

    def show():
        table.rows = [asdict(row) for row in rows.all]
        select()

    def select():
        table.selected = [asdict(rows.selected)] if rows.selected else []

    def press(id):
        name, *count = BUTTONS[id][1].strip("/").split("/")
        getattr(rows, name)(*map(int, count))
        show()

    def choose(event):
        rows.select(event.args)
        select()

    def remove(event):
        rows.remove(event.args)
        show()

    with ui.row():
        for id, (title, _) in BUTTONS.items():
            ui.button(title, on_click=lambda id=id: press(id)).props(f"id={id}")
    table = ui.table(columns=COLUMNS, rows=[], row_key="id").props("dense flat")
    table.add_slot("body-cell-label", LABEL)
    table.add_slot("body-cell-remove", REMOVE)
    table.on("choose", choose)
    table.on("remove", remove)


# A page that renders 10,000 rows does not respond for seconds: the server must not drop it.
ui.run(port=port(), host="127.0.0.1", show=False, reload=False, reconnect_timeout=60, uvicorn_logging_level="warning")
