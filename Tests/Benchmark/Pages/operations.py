"""The operations of js-framework-benchmark, in an order in which each finds the rows that it needs."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Operation:
    """A click, and what the table shows afterwards. Without a title, it only prepares the next operation."""

    selector: str
    holds: str
    title: str = ""


def made(selector, count, title="", before=0):
    """Returns code that tells whether all rows are shown, and the last ones are new."""
    last = f"{before + count - 1}"
    return Operation(
        selector, f"rows.length === {before + count} && id({last}) === id({before}) + {count - 1} && id({last}) > Math.max(0, ...before)", title
    )


def cell(row, tag):
    return f"tbody tr:nth-of-type({row + 1}) {tag}"


CLEAR = Operation("#clear", "rows.length === 0")
CREATE = made("#create", 1000)

ROUND = (
    CLEAR,
    made("#create", 1000, "create 1,000 rows"),
    made("#create", 1000, "replace all"),
    Operation(cell(2, "a"), "rows[2].classList.contains('selected')"),
    Operation(
        cell(4, "a"),
        "rows[4].classList.contains('selected') && !rows[2].classList.contains('selected')",
        "select a row",
    ),
    Operation(
        "#update",
        "rows.length === 1000 && before.every((_, place) => place % 10 || label(place).endsWith('!!!'))",
        "update every tenth",
    ),
    Operation("#swap", "id(1) === before[998] && id(998) === before[1]", "swap two rows"),
    Operation(cell(5, "button"), "rows.length === 999 && id(5) === before[6]", "remove a row"),
    CREATE,
    made("#append", 1000, "append 1,000 to 1,000", before=1000),
    CREATE,
    Operation("#clear", "rows.length === 0", "clear 1,000"),
    made("#many", 10_000, "create 10,000 rows"),
)
TITLES = [operation.title for operation in ROUND if operation.title]
