import unittest

from documents import ARTICLE, BEGIN, END, PAGES, replaced
from servers import BenchmarkError


class ADocument(unittest.TestCase):
    def test_has_its_tables_between_the_marks(self):
        text = f"# Title\n\n{BEGIN}\nold\n{END}\n\nMore.\n"
        self.assertEqual(replaced(text, "new"), f"# Title\n\n{BEGIN}\nnew\n{END}\n\nMore.\n")

    def test_without_marks_is_refused(self):
        for text in ["", BEGIN, END, f"{END} {BEGIN}"]:
            with self.assertRaises(BenchmarkError):
                replaced(text, "new")

    def test_has_marks_for_both_benchmarks(self):
        text = ARTICLE.read_text()
        self.assertIn("new", replaced(text, "new"))
        self.assertIn("\nnew\n", replaced(text, "new", PAGES).partition(PAGES)[2])


if __name__ == "__main__":
    unittest.main()
