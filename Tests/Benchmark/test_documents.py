import pathlib
import tempfile
import unittest

from documents import ARTICLE, BEGIN, END, ROOT, replaced, write
from servers import BenchmarkError


class ADocument(unittest.TestCase):
    def test_has_its_tables_between_the_marks(self):
        text = f"# Title\n\n{BEGIN}\nold\n{END}\n\nMore.\n"
        self.assertEqual(replaced(text, "new"), f"# Title\n\n{BEGIN}\nnew\n{END}\n\nMore.\n")

    def test_is_left_alone_where_it_has_none(self):
        for text in ["", BEGIN, END, f"{END} {BEGIN}"]:
            with self.assertRaises(BenchmarkError):
                replaced(text, "new")

    def test_is_the_article_alone(self):
        replaced(ARTICLE.read_text(), "new")
        for path in {ROOT / "README.md", *ROOT.glob(".github/*.md"), *ROOT.glob("Sources/**/*.md")} - {ARTICLE}:
            self.assertNotIn(BEGIN, path.read_text(), path)

    def test_has_every_kind_of_table(self):
        tables = ARTICLE.read_text().partition(BEGIN)[2].partition(END)[0]
        self.assertIn("| bare C | UIFusion | ratio |", tables)
        self.assertIn("| ratio to the first |", tables)

    def test_is_written_whole(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "Page.md")
            path.write_text(f"Before\n{BEGIN}\nold\n{END}\nAfter\n")
            write(path, "head\n\nbeside\n\nalone")
            self.assertEqual(path.read_text(), f"Before\n{BEGIN}\nhead\n\nbeside\n\nalone\n{END}\nAfter\n")


if __name__ == "__main__":
    unittest.main()
