"""Writes the tables of the article on performance between two marks, which are comments in Markdown."""

from servers import HERE, BenchmarkError

ROOT = HERE.parent.parent
ARTICLE = ROOT / "Sources/Service/UIFusionServer/UIFusionServer.docc/Performance.md"
BEGIN = "<!-- written by make bench -->"
PAGES = "<!-- written by make bench-pages -->"
END = "<!-- until here -->"


def replaced(text, tables, mark=BEGIN):
    """Returns the text with new tables between its marks."""
    before, begin, rest = text.partition(mark)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise BenchmarkError(f"there is no {mark} with an {END} behind it")
    return f"{before}{mark}\n{tables}\n{END}{after}"


def write(path, tables, mark=BEGIN):
    path.write_text(replaced(path.read_text(), tables, mark))
