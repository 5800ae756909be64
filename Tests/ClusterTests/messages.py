"""Sessions that send messages to others, by id and by name: seats at boards, each used by one client."""

import random
import threading
import time

from caller import Caller
from waiting import holds_within

COLUMN = "To do"


class Messages:
    """Two boards, one of which is addressed by its name, and some seats at each."""

    def __init__(self, addresses, history, count=6):
        self.addresses, self.history = addresses, history
        self.is_enough = threading.Event()
        self.caller = Caller(timeout=5)
        plain, named = self.create("board"), self.create("board", name="team")
        ways = [(plain, plain), (named, "@team")]
        self.boards = [plain, named]
        self.seats = [Seat(number, self.create("board-seat"), *ways[number % 2], self) for number in range(count)]

    def create(self, view_model, **options):
        body = "".join(f',"{key}":"{value}"' for key, value in options.items())
        reply = self.caller.ask(self.addresses[0], "POST", "/sessions", f'{{"viewModel":"{view_model}"{body}}}')
        if reply.status != 201:
            raise SystemExit(f"a session cannot be created: {reply}")
        return reply.body["id"]

    def start(self):
        for seat in self.seats:
            seat.start()

    def finish(self, within):
        """Ends the seats, after the last fault; waits until all messages have arrived, and reports those that have not."""
        self.is_enough.set()
        for seat in self.seats:
            seat.join(60)
            if seat.is_alive():
                self.history.complain(f"seat {seat.number} is not answered")
        if holds_within(within, lambda: not self.faults()):
            return self.caller.close()
        for fault in self.faults():
            self.history.complain(fault)
        self.caller.close()

    def faults(self):
        """Returns the present faults, as seen by each node."""
        return [fault for address in self.addresses for board in self.boards for fault in self.faults_of(board, address)]

    def faults_of(self, board, address):
        seats = [seat for seat in self.seats if seat.board == board]
        columns = self.columns(board, address)
        if columns is None:
            return [f"{board} is not shown"]
        texts = [card["text"] for column in columns for card in column["cards"]]
        unlike = [seat.number for seat in seats if self.columns(seat.session, address) != columns]
        return [*once_in_order({seat.number: seat.sent for seat in seats}, texts),
                *(f"seat {number} does not show what its board does" for number in unlike)]

    def columns(self, session, address):
        reply = self.caller.ask(address, "GET", f"/sessions/{session}")
        return reply.body["state"]["columns"] if reply.status == 200 else None

    def __str__(self):
        sent = sum(len(seat.sent) for seat in self.seats)
        shown = [self.columns(board, self.addresses[0]) or [] for board in self.boards]
        arrived = sum(len(column["cards"]) for columns in shown for column in columns)
        return f"{sent} messages sent, {arrived} arrived"


class Seat(threading.Thread):
    """Sends messages to its board, each until it is acknowledged."""

    def __init__(self, number, session, board, way, messages):
        super().__init__(daemon=True)
        self.number, self.session, self.board, self.way, self.messages = number, session, board, way, messages
        self.random, self.caller = random.Random(f"seat {number}"), Caller(timeout=5)
        self.sent = []

    def run(self):
        self.ask(f'{{"open":"{self.way}"}}', "open")
        while not self.messages.is_enough.is_set():
            text = f"{self.number}-{len(self.sent)}"
            self.ask(f'{{"add":{{"text":"{text}","to":"{COLUMN}"}}}}', text)
            self.sent.append(text)
            time.sleep(self.random.uniform(0, 1))
        self.caller.close()

    def ask(self, body, key):
        while True:
            reply = self.caller.ask(self.random.choice(self.messages.addresses), "POST",
                                    f"/sessions/{self.session}/inputs", body, {"Idempotency-Key": key})
            if reply.status == 200:
                return
            if not reply.asks_to_repeat:
                return self.messages.history.complain(f"seat {self.number} is answered {reply.status} {reply.body}")
            self.messages.history.repeat()
            time.sleep(0.1)


def once_in_order(sent, arrived):
    """Yields the faults: each message has to arrive once, after the earlier ones of its sender, with whose number its
    text begins."""
    for sender, texts in sent.items():
        got = [text for text in arrived if text.startswith(f"{sender}-")]
        if lost := [text for text in texts if text not in got]:
            yield f"lost: {', '.join(lost)}"
        elif len(got) > len(set(got)):
            yield f"applied twice: {', '.join(sorted({text for text in got if got.count(text) > 1}))}"
        elif got != texts:
            yield f"out of order: {', '.join(got)}"
