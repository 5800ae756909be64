"""Sessions that send messages to others, by id and by name, and get replies: seats at boards, each with one user."""

import json
import random
import threading
import time
from dataclasses import dataclass, field

from caller import Caller
from waiting import holds_within

COLUMN = "To do"
# A board keeps 200 cards, and a seat the last 20 steps to undo, each of which shows a reply: all have to be seen.
SEATS, QUESTIONS = 3, 15


@dataclass(frozen=True)
class Board:
    session: str
    # How its seats address it: its id, or its name after an at sign.
    way: str


@dataclass(frozen=True)
class Seat:
    number: int
    session: str
    board: Board
    # The texts of the cards that it has asked its board to add.
    sent: list = field(default_factory=list)
    # By text, the steps to undo in the answer that says that this question is settled.
    settled: dict = field(default_factory=dict)

    @property
    def inputs(self):
        return f"/sessions/{self.session}/inputs"


class Messages:
    """Boards, every other one of which is addressed by its name, and users who take one seat after the other."""

    def __init__(self, addresses, history, count=6):
        self.addresses, self.history = addresses, history
        self.is_enough, self.lock = threading.Event(), threading.Lock()
        self.caller = Caller(timeout=5)
        self.boards, self.seats = [], []
        self.users = [User(number, self) for number in range(count)]

    def start(self):
        for user in self.users:
            user.start()

    def new_seat(self, create):
        """Returns a new seat at the newest board, or at a new board if all seats of that are taken."""
        with self.lock:
            if len(self.seats) == SEATS * len(self.boards):
                self.boards.append(new_board(len(self.boards), create))
            self.seats.append(Seat(len(self.seats), create("board-seat"), self.boards[-1]))
            return self.seats[-1]

    def finish(self, within):
        """Ends the users, after the last fault; waits until all messages have arrived and have their replies, and
        reports those that have not."""
        self.is_enough.set()
        for user in self.users:
            user.join(60)
            if user.is_alive():
                self.history.complain(f"user {user.number} is not answered")
        if holds_within(within, lambda: not self.faults()):
            return self.caller.close()
        for fault in self.faults():
            self.history.complain(fault)
        self.caller.close()

    def faults(self):
        """Returns the present faults, as seen by each node."""
        return [fault for address in self.addresses for board in self.boards
                for fault in self.faults_of(board, address)]

    def faults_of(self, board, address):
        state = self.state(board.session, address)
        if state is None:
            return [f"{board.session} is not shown"]
        seats = [seat for seat in self.seats if seat.board == board]
        return [*once_in_order({seat.number: seat.sent for seat in seats}, texts(state).values()),
                *(fault for seat in seats for fault in self.faults_at(seat, state["columns"], address))]

    def faults_at(self, seat, columns, address):
        state = self.state(seat.session, address)
        if state is None or state["columns"] != columns:
            return [f"seat {seat.number} does not show what its board does"]
        return [f"seat {seat.number}: {fault}" for fault in answered_once(seat.sent, seat.settled, state)]

    def state(self, session, address):
        reply = self.caller.ask(address, "GET", f"/sessions/{session}")
        return reply.body["state"] if reply.status == 200 else None

    def __str__(self):
        sent = sum(len(seat.sent) for seat in self.seats)
        settled = sum(len(seat.settled) for seat in self.seats)
        return f"{sent} messages sent from {len(self.seats)} seats, {settled} of them acknowledged as settled"


class User(threading.Thread):
    """Takes one seat after the other, and sends messages to its board, each until it is acknowledged."""

    def __init__(self, number, messages):
        super().__init__(daemon=True)
        self.number, self.messages = number, messages
        self.random, self.caller = random.Random(f"user {number}"), Caller(timeout=5)

    def run(self):
        while not self.messages.is_enough.is_set():
            self.use(self.messages.new_seat(self.create))
        self.caller.close()

    def use(self, seat):
        self.ask(seat.inputs, {"open": seat.board.way}, {"Idempotency-Key": "open"})
        while len(seat.sent) < QUESTIONS and not self.messages.is_enough.is_set():
            text = f"{seat.number}-{len(seat.sent)}"
            answer = self.add(seat, text, self.random.choice([{}, {"Prefer": "wait=3"}]))
            seat.sent.append(text)
            if answer.get("settled"):
                seat.settled[text] = answer["state"]["undo"]
            time.sleep(self.random.uniform(0, 1))

    def add(self, seat, text, wait):
        """Returns the answer: 200, or 202 with a State that shows the card. A 202 alone promises nothing, and those to
        repetitions may be 202 for ever."""
        while True:
            answer = self.ask(seat.inputs, {"add": {"text": text, "to": COLUMN}}, {"Idempotency-Key": text, **wait})
            if "settled" in answer or text in texts(answer["state"]).values():
                return answer
            time.sleep(0.1)

    def create(self, view_model, **options):
        return self.ask("/sessions", {"viewModel": view_model, **options})["id"]

    def ask(self, path, body, headers=None):
        while True:
            address = self.random.choice(self.messages.addresses)
            reply = self.caller.ask(address, "POST", path, json.dumps(body), headers)
            if reply.status in (200, 201, 202):
                return reply.body
            if not reply.asks_to_repeat:
                self.messages.history.complain(f"user {self.number} is answered {reply.status} {reply.body}")
                raise SystemExit
            self.messages.history.repeat()
            time.sleep(0.1)


def new_board(number, create):
    if number % 2 == 0:
        session = create("board")
        return Board(session, session)
    return Board(create("board", name=f"team-{number}"), f"@team-{number}")


def once_in_order(sent, arrived):
    """Yields the faults: each message has to arrive once, after the earlier ones of its sender, with whose number its
    text begins."""
    for sender, asked in sent.items():
        got = [text for text in arrived if text.startswith(f"{sender}-")]
        if lost := [text for text in asked if text not in got]:
            yield f"lost: {', '.join(lost)}"
        elif twice := repeated(got):
            yield f"applied twice: {', '.join(twice)}"
        elif got != asked:
            yield f"out of order: {', '.join(got)}"


def answered_once(sent, settled, state):
    """Yields the faults: each message of a seat has to get one reply, in order, and an answer that says that it is
    settled has to show its reply. In `state`, the seat's last, the replies are steps to undo."""
    known = texts(state)

    def replies(steps):
        cards = (step["remove"]["card"] for step in steps)
        return [known.get(card, f"card {card}") for card in cards]

    got = replies(state["undo"])
    if lost := [text for text in sent if text not in got]:
        yield f"not answered: {', '.join(lost)}"
    elif twice := repeated(got):
        yield f"answered twice: {', '.join(twice)}"
    elif got != sent:
        yield f"answered otherwise than asked: {', '.join(got)}"
    if early := [text for text, steps in settled.items() if text not in replies(steps)]:
        yield f"settled without an answer: {', '.join(early)}"


def texts(state):
    """Returns the texts of a board's cards, by id."""
    return {card["id"]: card["text"] for column in state["columns"] for card in column["cards"]}


def repeated(found):
    return sorted({text for text in found if found.count(text) > 1})
