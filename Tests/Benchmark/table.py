"""Tables in Markdown."""

from figures import median, ratio, short, spread


def row(cells):
    return f"|{'|'.join(cells)}|"


def column(turns, contestant, figure):
    """What was measured of one contestant, turn by turn."""
    return [turn[contestant][figure.key] for turn in turns]


def comparisons(results):
    """Of experiments that all have the same two contestants: a row for each figure."""
    names = [contestant.name for contestant in results[0][0].contestants]
    lines = [row(["", *names, "ratio"]), row(["---"] * (len(names) + 2))]
    for experiment, turns in results:
        for figure in experiment.figures:
            base, value = (column(turns, which, figure) for which in range(2))
            cells = [short(median(base)), short(median(value)), spread(ratio(value, base))]
            lines.append(row([f"{experiment.title}: {figure.title}", *cells]))
    return lines


def sweep(experiment, turns):
    """Of one experiment: a row for each contestant, which the last figure compares with the first."""
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
    """One table of all that is compared with bare C; nothing where nothing was."""
    chosen = [result for result in results if is_comparison(result[0])]
    return "\n".join(comparisons(chosen)) if chosen else ""


def sweeps(results):
    """A table for each of the others, with an empty line between two."""
    chosen = [result for result in results if not is_comparison(result[0])]
    return "\n\n".join("\n".join(sweep(*result)) for result in chosen)


def is_comparison(experiment):
    return experiment.contestants[0].server == "ceiling"
