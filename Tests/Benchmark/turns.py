"""Contestants are measured in turn, and again where others used the machine meanwhile."""


def disturbance(contestant, report):
    """Cores that neither the server nor the load generator used, or that the machine did not get.

    What the kernel's threads do is a durable server's own doing, for they write what it stores.
    """
    kernel = 0 if contestant.is_durable else report["kernel_cores"]
    return report["others_cores"] + report["steal_cores"] + kernel


def worst(contestants, turn):
    """How much the most disturbed of a turn was."""
    return max(map(disturbance, contestants, turn))


def take_turns(contestants, measure, count, limit):
    """`count` quiet turns, each a report of every contestant.

    After twice as many turns it takes what there is, and says so: the second value is whether all are quiet.
    """
    turns = []
    for _ in range(2 * count):
        turns.append([measure(contestant) for contestant in contestants])
        quiet = [turn for turn in turns if worst(contestants, turn) <= limit]
        if len(quiet) == count:
            return quiet, True
    return turns, False
