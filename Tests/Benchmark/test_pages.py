import re
import sys
import unittest

from servers import HERE

PAGES = HERE / "Pages"
sys.path[:0] = [str(PAGES), str(PAGES / "peers")]

import rows  # noqa: E402
from comparison import tables  # noqa: E402
from operations import ROUND, TITLES  # noqa: E402


class AComparison(unittest.TestCase):
    def test_has_a_row_for_each_operation_and_the_least_in_bold(self):
        times = {"clear": [[30, 10, 20], [50, 40, 60]], "select": [[9, 9], [9, 9]]}
        self.assertEqual(
            tables(["A", "B"], times, {"clear": [1500, 250]}, [96, 4800]).splitlines(),
            [
                "|from click to paint, ms|A|B|",
                "|---|---|---|",
                "|clear|**20.0**|50.0|",
                "|select|**9.00**|**9.00**|",
                "",
                "|on the wire, KB|A|B|",
                "|---|---|---|",
                "|clear|1.50|**0.25**|",
                "|server's memory, by session|**96.0**|4,800|",
            ],
        )


class ARound(unittest.TestCase):
    def test_has_each_operation_once(self):
        self.assertEqual(len(TITLES), 9)
        self.assertEqual(len(set(TITLES)), 9)

    def test_uses_buttons_that_every_page_has(self):
        buttons = {operation.selector[1:] for operation in ROUND if operation.selector.startswith("#")}
        self.assertLessEqual(buttons, rows.BUTTONS.keys())
        page = (PAGES / "public/index.html").read_text()
        self.assertEqual(re.findall(r'<button id="(\w+)"[^>]*>([^<]*)', page), [(id, title) for id, (title, _) in rows.BUTTONS.items()])


class ARow(unittest.TestCase):
    def test_has_the_same_label_on_every_page(self):
        source = (HERE / "Rows/RowsViewModel.swift").read_text()
        for name in ("adjectives", "colours", "nouns"):
            words = re.search(rf"let {name} = (\[[^]]*\])", source)[1]
            self.assertEqual(re.findall(r'"(\w+)"', words), getattr(rows, name.upper()))
            self.assertIn(f"{name}[id % {len(getattr(rows, name.upper()))}]", source)


if __name__ == "__main__":
    unittest.main()
