"""Tables in Markdown: a row for each operation, a column for each contestant, the least value in bold."""

from figures import median, short
from table import row


def compared(title, names, rows):
    """Returns a table; `rows` are pairs of a title and the values of all contestants."""
    lines = [row([title, *names]), row(["---"] * (len(names) + 1))]
    for name, values in rows:
        lines.append(row([name, *(f"**{short(value)}**" if value == min(values) else short(value) for value in values)]))
    return "\n".join(lines)


def tables(names, times, wire, memory):
    """Returns the tables of milliseconds, bytes and KB, by operation and contestant."""
    paint = [(title, [median(values) for values in each]) for title, each in times.items()]
    sizes = [(title, [value / 1000 for value in values]) for title, values in wire.items()]
    sizes.append(("server's memory, by session", memory))
    return "\n\n".join([compared("from click to paint, ms", names, paint), compared("on the wire, KB", names, sizes)])
