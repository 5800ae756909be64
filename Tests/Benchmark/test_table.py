import unittest

from experiments import Contestant, Experiment, Figure, all_experiments
from table import beside_ceiling, sweeps

RATE = Figure("rate", "Inputs/s")
COST = Figure("server_us", "µs")


def turn(*reports):
    return [{"rate": rate, "server_us": cost} for rate, cost in reports]


class ATable(unittest.TestCase):
    def test_has_a_row_for_each_figure_of_two_servers(self):
        pair = (Contestant("bare C", (), "ceiling"), Contestant("UIFusion", ()))
        experiment = Experiment("inputs", "in memory", pair, (RATE, COST))
        turns = [turn((100, 8), (80, 12)), turn((50, 8), (45, 10)), turn((100, 8), (70, 16))]
        self.assertEqual(
            beside_ceiling([(experiment, turns)]).splitlines(),
            [
                "||bare C|UIFusion|ratio|",
                "|---|---|---|---|",
                "|in memory: Inputs/s|100|70.0|0.80 (0.70 to 0.90)|",
                "|in memory: µs|8.00|12.0|1.50 (1.25 to 2.00)|",
            ],
        )

    def test_compares_the_rows_of_a_sweep_with_the_first_by_the_last_figure(self):
        rows = (Contestant("1", ()), Contestant("10", ()))
        experiment = Experiment("batch", "Inputs in a batch", rows, (RATE, COST))
        self.assertEqual(
            sweeps([(experiment, [turn((100, 10), (900, 5))])]).splitlines(),
            [
                "|Inputs in a batch|Inputs/s|µs|ratio to the first|",
                "|---|---|---|---|",
                "|1|100|10.0||",
                "|10|900|5.00|0.50 (0.50 to 0.50)|",
            ],
        )


class AnExperiment(unittest.TestCase):
    def test_has_at_least_two_contestants_of_different_names(self):
        for experiment in all_experiments():
            names = [contestant.name for contestant in experiment.contestants]
            self.assertGreater(len(set(names)), 1, experiment.title)
            self.assertEqual(len(set(names)), len(names), experiment.title)

    def test_loads_both_servers_alike(self):
        beside = [each for each in all_experiments() if each.contestants[0].server == "ceiling"]
        self.assertGreater(len(beside), 5)
        for experiment in beside:
            first, second = experiment.contestants
            self.assertEqual(first.load, second.load)
            self.assertEqual(first.is_durable, second.is_durable)

    def test_can_be_scaled_down(self):
        for experiment in all_experiments(0.01):
            for contestant in experiment.contestants:
                words = contestant.load
                for name in {"--sessions", "--streams", "--idle"} & set(words):
                    self.assertLessEqual(int(words[words.index(name) + 1]), 1000, experiment.title)


if __name__ == "__main__":
    unittest.main()
