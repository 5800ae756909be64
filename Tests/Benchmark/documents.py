"""The tables in the article on performance stand between two marks, which are comments in Markdown."""

from servers import HERE, BenchmarkError

ROOT = HERE.parent.parent
ARTICLE = ROOT / "Sources/Service/UIFusionServer/UIFusionServer.docc/Performance.md"
BEGIN = "<!-- written by make bench -->"
END = "<!-- until here -->"


def replaced(text, tables):
    """The text with these tables between its marks."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise BenchmarkError(f"there is no {BEGIN} with an {END} behind it")
    return f"{before}{BEGIN}\n{tables}\n{END}{after}"


def write(path, tables):
    path.write_text(replaced(path.read_text(), tables))
