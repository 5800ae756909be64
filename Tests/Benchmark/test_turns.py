import unittest

from experiments import Contestant
from turns import take_turns

PAIR = (Contestant("A", ()), Contestant("B", ()))


def report(others=0.0, steal=0.0, kernel=0.0):
    return {"others_cores": others, "steal_cores": steal, "kernel_cores": kernel}


class Contestants(unittest.TestCase):
    def test_are_measured_in_turn(self):
        order = []

        def measure(contestant):
            order.append(contestant.name)
            return report()

        turns, is_quiet = take_turns(PAIR, measure, 3, 0.1)
        self.assertEqual("".join(order), "ABABAB")
        self.assertEqual((len(turns), is_quiet), (3, True))

    def test_are_measured_again_if_other_processes_used_the_machine(self):
        reports = iter([report(), report(0.5), report(), report(steal=0.2), report(), report()])
        turns, is_quiet = take_turns(PAIR, lambda _: next(reports), 1, 0.1)
        self.assertEqual((len(turns), is_quiet), (2, False))
        turns, is_quiet = take_turns(PAIR, lambda _: next(reports), 1, 0.1)
        self.assertEqual((turns, is_quiet), ([[report(), report()]], True))

    def test_are_disturbed_by_the_kernel_unless_they_are_durable(self):
        durable = [Contestant(name, (), is_durable=True) for name in "AB"]
        for contestants, expected in [(PAIR, False), (durable, True)]:
            _, is_quiet = take_turns(contestants, lambda _: report(kernel=0.5), 1, 0.1)
            self.assertEqual(is_quiet, expected)

    def test_are_measured_at_most_twice_as_often(self):
        turns, is_quiet = take_turns(PAIR, lambda _: report(2), 5, 0.1)
        self.assertEqual((len(turns), is_quiet), (10, False))


if __name__ == "__main__":
    unittest.main()
