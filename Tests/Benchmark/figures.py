"""The figures that are calculated from the runs."""

import statistics
from dataclasses import dataclass


@dataclass(frozen=True)
class Ratio:
    """The ratio of one contestant to another, over all turns."""

    median: float
    least: float
    most: float


def median(values):
    return statistics.median(values)


def ratio(values, bases):
    """Compares values of the same turn, so that what slows the machine for a while slows both."""
    if len(values) != len(bases) or not values:
        raise ValueError("a ratio is of as many values as bases, and of one at least")
    ratios = [value / base if base else float("nan") for value, base in zip(values, bases)]
    return Ratio(median(ratios), min(ratios), max(ratios))


def short(value):
    """Returns a value with three digits, as any more would be noise."""
    if value >= 10_000:
        return f"{value / 1000:,.1f} k" if value < 100_000 else f"{value / 1000:,.0f} k"
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def spread(ratio):
    return f"{ratio.median:.2f} ({ratio.least:.2f} to {ratio.most:.2f})"
