"""The history that the checker judges: what clients received, and when."""

import threading
from dataclasses import dataclass


@dataclass(frozen=True)
class Answer:
    """A State in a response."""

    session: str
    version: int
    value: int
    # The times of the first attempt and of the last one, which got the response.
    begun: float
    asked: float
    answered: float
    # The key of an acknowledged Input. A repeated one may have been applied long before.
    key: str = ""
    is_repeated: bool = False


@dataclass(frozen=True)
class Event:
    """A State in an event of a stream."""

    stream: int
    session: str
    version: int
    value: int
    shown: float


@dataclass(frozen=True)
class Disturbance:
    """A time in which a fault was injected."""

    start: float
    end: float
    name: str = ""


class History:
    def __init__(self, values=None):
        self.lock = threading.Lock()
        # The sessions' values at the beginning.
        self.values = dict(values or {})
        self.answers, self.events, self.disturbances = [], [], []
        self.complaints, self.repeats, self.ended = [], 0, 0.0

    def add(self, entry):
        entries = {Answer: self.answers, Event: self.events, Disturbance: self.disturbances}[type(entry)]
        with self.lock:
            entries.append(entry)

    def complain(self, text):
        with self.lock:
            self.complaints.append(text)

    def repeat(self):
        with self.lock:
            self.repeats += 1

    @property
    def acknowledged(self):
        """The number of acknowledged Inputs of each session."""
        counts = dict.fromkeys(self.values, 0)
        for answer in self.answers:
            if answer.key:
                counts[answer.session] = counts.get(answer.session, 0) + 1
        return counts

    @property
    def slowest(self):
        return max((answer.answered - answer.begun for answer in self.answers if answer.key), default=0)
