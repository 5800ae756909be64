"""Tables in Markdown."""

from figures import median, ratio, short, spread


def row(cells):
    return f"|{'|'.join(cells)}|"


def column(turns, contestant, figure):
    """Returns a figure of one contestant, turn by turn."""
    return [turn[contestant][figure.key] for turn in turns]


def comparisons(results):
    """Returns a table of experiments with the same two contestants, with a row for each figure."""
    names = [contestant.name for contestant in results[0][0].contestants]
    lines = [row(["", *names, "ratio"]), row(["---"] * (len(names) + 2))]
    for experiment, turns in results:
        for figure in experiment.figures:
            base, value = (column(turns, which, figure) for which in range(2))
            cells = [short(median(base)), short(median(value)), spread(ratio(value, base))]
            lines.append(row([f"{experiment.title}: {figure.title}", *cells]))
    return lines


def sweep(experiment, turns):
    """Returns a table of one experiment: a row for each contestant, compared with the first by the last figure."""
    titles = [figure.title for figure in experiment.figures]
    lines = [
        row([experiment.title, *titles, "ratio to the first"]),
        row(["---"] * (len(titles) + 2)),
    ]
    compared = experiment.figures[-1]
    base = column(turns, 0, compared)
    for which, contestant in enumerate(experiment.contestants):
        values = [short(median(column(turns, which, figure))) for figure in experiment.figures]
        against = spread(ratio(column(turns, which, compared), base)) if which else ""
        lines.append(row([contestant.name, *values, against]))
    return lines


def beside_ceiling(results):
    """Returns one table of all comparisons with bare C; empty if there are none."""
    chosen = [result for result in results if is_comparison(result[0])]
    return "\n".join(comparisons(chosen)) if chosen else ""


def sweeps(results):
    """Returns a table for each other experiment, separated by empty lines."""
    chosen = [result for result in results if not is_comparison(result[0])]
    return "\n\n".join("\n".join(sweep(*result)) for result in chosen)


def is_comparison(experiment):
    return experiment.contestants[0].server == "ceiling"
