"""Finds the faults of a history of sessions that are counters, to which each Input adds one."""

import bisect
from collections import defaultdict
from itertools import pairwise


def check(history, finals, within):
    """Returns all faults. `finals` has each session's last value by node; `within` is the number of seconds for which
    a stream may be late without a disturbance."""
    return [
        *history.complaints,
        *one_history(history),
        *nothing_stale(history),
        *each_once(history, finals),
        *streams_grow(history),
        *streams_come_back(history, within),
    ]


def one_history(history):
    """Each version has one State, and later versions follow from earlier ones."""
    values = defaultdict(dict)
    for shown in [*history.answers, *history.events]:
        known = values[shown.session].setdefault(shown.version, shown.value)
        if known != shown.value:
            yield f"{shown.session}: version {shown.version} is {known} and {shown.value}"
    for session, versions in values.items():
        for (before, old), (after, new) in pairwise(sorted(versions.items())):
            if not 0 <= new - old <= after - before:
                yield f"{session}: version {before} is {old}, and version {after} is {new}"


def nothing_stale(history):
    """No response has an older version than one that was seen before its request, and no two Inputs were applied in
    the same version."""
    shown = defaultdict(list)
    for event in history.events:
        shown[event.session].append((event.shown, event.version))
    for session, answers in _by_session(history.answers).items():
        seen = sorted([*((answer.answered, answer.version) for answer in answers), *shown[session]])
        times, newest = [time for time, _ in seen], []
        for _, version in seen:
            newest.append(max(version, newest[-1] if newest else 0))
        taken = {}
        for answer in answers:
            count = bisect.bisect_left(times, answer.asked)
            if count and answer.version < newest[count - 1]:
                yield f"{session}: version {answer.version} after {newest[count - 1]} was seen"
            if answer.key and not answer.is_repeated:
                if taken.setdefault(answer.version, answer.key) != answer.key:
                    yield f"{session}: {answer.key} and {taken[answer.version]} are both version {answer.version}"


def each_once(history, finals):
    """In the end, each session has its first value and each acknowledged Input once, on every node."""
    for session, count in history.acknowledged.items():
        expected = history.values.get(session, 0) + count
        for node, values in finals.items():
            if values.get(session) != expected:
                yield f"{session} at {node}: {values.get(session)}, where {expected} were acknowledged"


def streams_grow(history):
    """Each event of a stream is newer than the one before, even over reconnections."""
    last = {}
    for event in history.events:
        if event.version <= last.get(event.stream, 0):
            yield f"{event.session}: stream {event.stream} shows {event.version} after {last[event.stream]}"
        last[event.stream] = event.version


def streams_come_back(history, within):
    for time, answer, stream in delays(history):
        if time > within:
            yield (f"{answer.session}: stream {stream} has not shown version {answer.version} "
                   f"in {time:.1f} s of calm")


def delays(history):
    """Yields, for each acknowledged Input and each stream of its session, the longest time without a disturbance for
    which the stream had not shown the Input."""
    streams, calm = defaultdict(list), Calm(history.disturbances)
    for event in history.events:
        streams[event.session, event.stream].append(event)
    acknowledged = _by_session(answer for answer in history.answers if answer.key)
    for (session, stream), events in streams.items():
        versions = [event.version for event in events]
        for answer in acknowledged[session]:
            index = bisect.bisect_left(versions, answer.version)
            shown = events[index].shown if index < len(events) else history.ended
            yield calm.longest(answer.answered, shown), answer, stream


class Calm:
    def __init__(self, disturbances):
        self.starts, self.ends = [], []
        for one in sorted(disturbances, key=lambda one: one.start):
            if self.ends and one.start <= self.ends[-1]:
                self.ends[-1] = max(one.end, self.ends[-1])
            else:
                self.starts.append(one.start)
                self.ends.append(one.end)

    def longest(self, start, end):
        """Returns the longest time without a disturbance between two times, in seconds."""
        longest, index = 0, bisect.bisect_left(self.ends, start)
        while index < len(self.starts) and self.starts[index] < end:
            longest, start = max(longest, self.starts[index] - start), self.ends[index]
            index += 1
        return max(longest, end - start)


def _by_session(answers):
    found = defaultdict(list)
    for answer in answers:
        found[answer.session].append(answer)
    return found
