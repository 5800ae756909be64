"""Measures contestants in turn, and again if other processes used the machine meanwhile."""


def disturbance(contestant, report):
    """Returns the cores that other processes used, or that the hypervisor took.

    The kernel's threads do not count for a durable server, as they write what it stores.
    """
    kernel = 0 if contestant.is_durable else report["kernel_cores"]
    return report["others_cores"] + report["steal_cores"] + kernel


def worst(contestants, turn):
    """Returns the disturbance of the most disturbed contestant of a turn."""
    return max(map(disturbance, contestants, turn))


def take_turns(contestants, measure, count, limit):
    """Measures until there are `count` quiet turns, each with a report on every contestant.

    Stops after twice as many turns, and then returns all of them; the second value is whether all are quiet.
    """
    turns = []
    for _ in range(2 * count):
        turns.append([measure(contestant) for contestant in contestants])
        quiet = [turn for turn in turns if worst(contestants, turn) <= limit]
        if len(quiet) == count:
            return quiet, True
    return turns, False
