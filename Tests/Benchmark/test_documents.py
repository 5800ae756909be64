import unittest

from documents import ARTICLE, BEGIN, END, replaced
from servers import BenchmarkError


class ADocument(unittest.TestCase):
    def test_has_its_tables_between_the_marks(self):
        text = f"# Title\n\n{BEGIN}\nold\n{END}\n\nMore.\n"
        self.assertEqual(replaced(text, "new"), f"# Title\n\n{BEGIN}\nnew\n{END}\n\nMore.\n")

    def test_is_left_alone_where_it_has_none(self):
        for text in ["", BEGIN, END, f"{END} {BEGIN}"]:
            with self.assertRaises(BenchmarkError):
                replaced(text, "new")

    def test_is_there(self):
        replaced(ARTICLE.read_text(), "new")


if __name__ == "__main__":
    unittest.main()
