import math
import unittest

from figures import median, ratio, short, spread


class AMedian(unittest.TestCase):
    def test_of_an_odd_number_of_values_is_the_middle_one(self):
        self.assertEqual(median([9, 1, 5]), 5)

    def test_of_an_even_number_is_the_mean_of_the_middle_two(self):
        self.assertEqual(median([1, 2, 4, 100]), 3)


class ARatio(unittest.TestCase):
    def test_is_the_median_of_the_turns_ratios_and_not_the_ratio_of_medians(self):
        # In the last two turns the machine was half as fast, for both.
        got = ratio([80, 40, 45], [100, 50, 50])
        self.assertEqual((got.median, got.least, got.most), (0.8, 0.8, 0.9))

    def test_to_a_base_of_zero_is_not_a_number(self):
        self.assertTrue(math.isnan(ratio([1], [0]).median))

    def test_needs_as_many_values_as_bases(self):
        with self.assertRaises(ValueError):
            ratio([1, 2], [1])
        with self.assertRaises(ValueError):
            ratio([], [])

    def test_shows_its_spread(self):
        self.assertEqual(spread(ratio([1, 2, 3], [2, 2, 2])), "1.00 (0.50 to 1.50)")


class AFigure(unittest.TestCase):
    def test_has_three_digits(self):
        shown = [short(value) for value in [0.194, 9.99, 14.54, 128.4, 4321, 37_210, 152_600]]
        self.assertEqual(shown, ["0.19", "9.99", "14.5", "128", "4,321", "37.2 k", "153 k"])


if __name__ == "__main__":
    unittest.main()
