"""The rows of the other frameworks' pages: for the same id, the same as those of `RowsViewModel`."""

import pathlib
import sys
from dataclasses import dataclass, field

ADJECTIVES = "calm clever dusty early heavy narrow quiet rusty".split()
COLOURS = "amber black green indigo ochre silver white".split()
NOUNS = "anchor basket candle ladder pillow saddle teapot violin window".split()
STYLE = (pathlib.Path(__file__).parent.parent / "public/rows.css").read_text()
# The buttons above the table: the title, and the path if a page needs one.
BUTTONS = {
    "create": ("Create 1,000 rows", "/create/1000"),
    "many": ("Create 10,000 rows", "/create/10000"),
    "append": ("Append 1,000 rows", "/append/1000"),
    "update": ("Update every tenth row", "/update"),
    "swap": ("Swap rows", "/swap"),
    "clear": ("Clear", "/clear"),
}


@dataclass
class Row:
    id: int
    label: str


@dataclass
class Rows:
    """The rows of one session."""

    all: list[Row] = field(default_factory=list)
    selected: Row | None = None
    made: int = 0

    def make(self, count: int) -> list[Row]:
        ids = range(self.made + 1, self.made + 1 + count)
        self.made += count
        return [Row(id, f"{ADJECTIVES[id % 8]} {COLOURS[id % 7]} {NOUNS[id % 9]}") for id in ids]

    def create(self, count: int) -> list[Row]:
        self.selected = None
        self.all = self.make(count)
        return self.all

    def append(self, count: int) -> list[Row]:
        made = self.make(count)
        self.all += made
        return made

    def update(self) -> list[Row]:
        for row in self.all[::10]:
            row.label += " !!!"
        return self.all[::10]

    def swap(self) -> None:
        self.all[1], self.all[998] = self.all[998], self.all[1]

    def clear(self) -> None:
        self.selected, self.all = None, []

    def select(self, id: int) -> list[Row]:
        """Selects a row; returns the rows that look different afterwards."""
        before = self.selected
        self.selected = next(row for row in self.all if row.id == id)
        return [row for row in (before, self.selected) if row]

    def remove(self, id: int) -> None:
        self.all = [row for row in self.all if row.id != id]


def port() -> int:
    return int(sys.argv[1])
