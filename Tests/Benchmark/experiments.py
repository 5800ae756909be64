"""The experiments. Each has contestants, which are measured in turn, and figures, which are read from the load
generator's report on each contestant."""

import json
from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """A member of the report, and its title in the table."""

    key: str
    title: str


@dataclass(frozen=True)
class Contestant:
    name: str
    load: tuple
    server: str = "service"
    is_durable: bool = False
    flags: tuple = ()
    # The number of sleeping sessions, each with an alarm that is due during the measurement.
    alarms: int = 0


@dataclass(frozen=True)
class Experiment:
    """Contestants of which the others are compared with the first, by the last figure."""

    group: str
    title: str
    contestants: tuple
    figures: tuple


RATE = Figure("rate", "Inputs/s")
COST = Figure("server_us", "processor time per Input, µs")
P50 = Figure("p50_us", "p50, µs")
P99 = Figure("p99_us", "p99, µs")


def words(text):
    return tuple(text.split())


def beside_ceiling(group, title, load, *figures, is_durable=False):
    """Compares the service with the ceiling under the same load."""
    contestants = (
        Contestant("bare C", words(load), "ceiling", is_durable),
        Contestant("UIFusion", words(load), "service", is_durable),
    )
    return Experiment(group, title, contestants, figures)


def inputs(connections, sessions=None):
    return f"inputs --connections {connections} --sessions {sessions or connections}"


def todos(count, *header, is_durable=False):
    """Returns a contestant whose Inputs change one title in a list, by 50 bytes."""
    title = "something that is to be done, and takes fifty bytes"[:50]
    setup = json.dumps([{"add": {"title": title}}] * count, separators=(",", ":"))
    rename = '{"rename":{"id":"$id","title":"%s"}}'
    load = words(inputs(16)) + ("--view-model", "todos", "--setup", setup)
    load += ("--input", rename % ("a" * 50), "--other-input", rename % ("b" * 50)) + header
    size = f"{(count * 122 + 48) / 1000:.1f} KB"
    name = ", ".join([size] + ["answered without it"] * bool(header) + ["durable"] * is_durable)
    return Contestant(name, load, is_durable=is_durable)


def children(count, name="rows", is_durable=False):
    """Returns a contestant whose Inputs change one child of many; the responses leave State out."""
    text = json.dumps({"rows": {"id": "row-5", "input": "count"}})
    load = words(inputs(1)) + ("--view-model", f"{name}-{count}", "--input", text)
    title = f"{count:,}" + ", each with an effect" * (name == "waiting")
    return Contestant(
        title,
        load + ("--header", "Prefer: return=minimal"),
        server="rows",
        is_durable=is_durable,
        flags=words("--max-state 10000000"),
    )


def batch(count):
    text = json.dumps(["increase"] * count) if count > 1 else '"increase"'
    return Contestant(f"{count:,}", words(inputs(64)) + ("--input", text, "--batch", str(count)))


def all_experiments(scale=1.0):
    """Returns all experiments in the order of the table. A small `scale`, of sessions and streams, is for trials."""

    def some(count):
        return max(1, round(count * scale))

    thousand = some(1000)
    idle = some(5000)
    settle = 4 * min(scale, 1)
    minute = 60 * min(scale, 1)
    many = 1 + some(530)  # Todos of 122 bytes.
    minimal = ("--header", "Prefer: return=minimal")
    cores = Figure("server_cores", "cores")
    return [
        beside_ceiling("inputs", "in memory, 64 connections", inputs(64), RATE, COST),
        *[
            beside_ceiling(
                "durable",
                f"durable, {count} connection{'s' * (count > 1)}",
                inputs(count),
                *{1: (RATE, P50), 32: (RATE, COST)}.get(count, (RATE,)),
                is_durable=True,
            )
            for count in (1, 32, 256, 512)
        ],
        *[
            beside_ceiling(
                "events",
                f"input → event, {rate:,}/s",
                f"events --sessions {some(100)} --rate {rate}",
                P50,
                P99,
            )
            for rate in (1000, 4000)
        ],
        beside_ceiling(
            "fanout",
            f"one session's {thousand:,} streams, closed loop",
            f"fan-out --streams {thousand}",
            Figure("server_us", "processor time per event, µs"),
            Figure("rate", "events/s"),
        ),
        beside_ceiling(
            "idle",
            f"{idle:,} idle sessions",
            f"idle --sessions {idle}",
            Figure("session_kb", "KB without a stream"),
            Figure("followed_kb", "KB with its stream"),
        ),
        Experiment(
            "asleep",
            f"{idle:,} durable sessions without streams",
            (
                Contestant("awake", words(f"idle --sessions {idle} --streams 0"), is_durable=True),
                Contestant(
                    "asleep",
                    words(f"idle --sessions {idle} --streams 0 --settle {settle}"),
                    is_durable=True,
                    flags=words("--sleep-after 1"),
                ),
            ),
            (Figure("session_kb", "KB"),),
        ),
        Experiment(
            "alarms",
            f"input → event, 500/s, from the start on, beside alarms due within {minute:g} s",
            tuple(
                Contestant(
                    f"{count:,}",
                    words(f"events --sessions {some(100)} --rate 500 --seconds {minute}"),
                    is_durable=True,
                    alarms=count,
                )
                for count in (0, some(100_000))
            ),
            (Figure("peak_mb", "MB at the most"), Figure("alarms_left", "not rung"), P50, P99),
        ),
        Experiment(
            "streams",
            "4,000 events/s beside idle streams",
            tuple(
                Contestant(
                    f"{count:,}",
                    words(f"events --sessions {some(100)} --rate 4000 --idle {count}"),
                )
                for count in (0, some(2000), some(8000))
            ),
            (P50, P99, cores),
        ),
        Experiment(
            "sessions",
            "sessions, 64 connections",
            tuple(
                Contestant(f"{count:,}", words(inputs(64, count)))
                for count in (thousand, 1, some(10_000), some(100_000))
            ),
            (RATE, COST),
        ),
        Experiment(
            "state",
            "size of State, a change of 50 bytes, 16 connections",
            (
                todos(1),
                todos(many),
                todos(many, *minimal),
                todos(1, is_durable=True),
                todos(many, is_durable=True),
            ),
            (RATE, COST),
        ),
        *[
            Experiment(
                "children",
                f"an Action of one of many children, {where}, 1 connection",
                (
                    *(children(count, is_durable=where == "durable") for count in (10, 1_000, 10_000)),
                    *(children(count, "waiting", where == "durable") for count in (10, 10_000)),
                ),
                (RATE, COST),
            )
            for where in ("in memory", "durable")
        ],
        Experiment(
            "batch",
            "Inputs in a batch, 64 connections",
            tuple(batch(count) for count in (1, 10, 100)),
            (RATE, COST),
        ),
    ]
