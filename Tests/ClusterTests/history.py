"""What clients were told, and when: the history that the checker judges."""

import threading
from dataclasses import dataclass


@dataclass(frozen=True)
class Answer:
    """A State that answered a request."""

    session: str
    version: int
    value: int
    # For the first time, and for the last, which is the one that was answered.
    begun: float
    asked: float
    answered: float
    # What acknowledges an Input has its key. One that is repeated may have been taken up long before.
    key: str = ""
    is_repeated: bool = False


@dataclass(frozen=True)
class Event:
    """A State that a stream showed."""

    stream: int
    session: str
    version: int
    value: int
    shown: float


@dataclass(frozen=True)
class Disturbance:
    """A time in which something was wrong."""

    start: float
    end: float
    name: str = ""


class History:
    def __init__(self, values=None):
        self.lock = threading.Lock()
        # What sessions had at the beginning.
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
        """How many Inputs of each session."""
        counts = dict.fromkeys(self.values, 0)
        for answer in self.answers:
            if answer.key:
                counts[answer.session] = counts.get(answer.session, 0) + 1
        return counts

    @property
    def slowest(self):
        return max((answer.answered - answer.begun for answer in self.answers if answer.key), default=0)
