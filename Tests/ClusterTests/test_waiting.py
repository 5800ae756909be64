import ast
import unittest
from pathlib import Path

from waiting import holds_within


def unlimited(source):
    """Yields the calls that may block for ever: those of processes, threads and events, without a limit."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Attribute(attr="wait" | "join" | "communicate" | "result"), args=[], keywords=[]):
                yield f"line {node.lineno}: {ast.unparse(node)}"


class Waiting(unittest.TestCase):
    def test_has_a_limit_in_all_sources(self):
        for path in [*Path(__file__).parent.glob("*.py"), Path(__file__).with_name("run")]:
            self.assertEqual(list(unlimited(path.read_text(encoding="utf-8"))), [], path.name)

    def test_without_a_limit_is_found(self):
        for source in ["process.wait()", "self.join()", "with a:\n  thread.join()", "return event.wait() or 3"]:
            self.assertTrue(list(unlimited(source)), source)
        self.assertEqual(list(unlimited("process.wait(timeout=3)\nthread.join(60)\n', '.join(names)")), [])

    def test_ends_when_the_condition_holds_or_the_time_is_over(self):
        answers = iter([False, False, True])
        self.assertTrue(holds_within(60, lambda: next(answers)))
        self.assertFalse(holds_within(0, lambda: False))


if __name__ == "__main__":
    unittest.main()
