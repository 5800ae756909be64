import unittest

from checker import check, delays
from history import Answer, Disturbance, Event, History
from messages import answered_once, once_in_order


def history(*entries, values=None):
    made = History(values or {"S": 0})
    for entry in entries:
        made.add(entry)
    made.ended = max((entry.answered for entry in made.answers), default=0)
    return made


def read(version, value, asked=0, answered=None):
    return Answer("S", version, value, asked, asked, asked + 1 if answered is None else answered)


def added(version, value, asked=0, key="", is_repeated=False):
    return Answer("S", version, value, asked, asked, asked + 1, key or f"key {version}", is_repeated)


def shown(version, value, at, stream=0):
    return Event(stream, "S", version, value, at)


def faults(*entries, final=None, within=6):
    made = history(*entries)
    count = sum(made.acknowledged.values()) if final is None else final
    return check(made, {"red": {"S": count}}, within)


class AChecker(unittest.TestCase):
    def expect(self, text, *entries, **options):
        found = faults(*entries, **options)
        self.assertTrue(any(text in fault for fault in found), found)

    def test_accepts_a_correct_history(self):
        self.assertEqual(faults(
            read(1, 0), shown(1, 0, at=1), added(2, 1, asked=1), shown(2, 1, at=2.5),
            added(3, 2, asked=3), added(3, 2, asked=3, key="again", is_repeated=True), shown(4, 3, at=5)), [])

    def test_finds_an_input_that_is_lost(self):
        self.expect("1, where 2 were acknowledged", added(2, 1), added(3, 2, asked=2), final=1)

    def test_finds_an_input_that_is_applied_twice(self):
        self.expect("2, where 1 were acknowledged", added(2, 1), final=2)

    def test_counts_from_the_sessions_first_values(self):
        self.assertEqual(check(history(added(9, 8), values={"S": 7}), {"red": {"S": 8}}, within=6), [])

    def test_finds_a_session_that_is_lost(self):
        self.assertIn("S at red: 404, where 0 were acknowledged", check(history(), {"red": {"S": "404"}}, within=6))

    def test_finds_a_version_with_two_states(self):
        self.expect("version 2 is 1 and 7", added(2, 1), read(2, 7, asked=2))

    def test_finds_a_version_with_another_state_in_a_stream(self):
        self.expect("version 2 is 1 and 0", added(2, 1), shown(2, 0, at=1))

    def test_finds_a_later_version_with_an_earlier_state(self):
        self.expect("version 2 is 5, and version 3 is 4", read(2, 5), read(3, 4, asked=2))

    def test_finds_a_state_that_counts_more_inputs_than_versions(self):
        self.expect("version 2 is 1, and version 3 is 3", read(2, 1), read(3, 3, asked=2))

    def test_finds_a_response_that_is_older_than_one_before(self):
        self.expect("version 2 after 3 was seen", added(2, 1), added(3, 2, asked=2), read(2, 1, asked=4))

    def test_finds_a_response_that_is_older_than_an_event_before(self):
        self.expect("version 2 after 3 was seen", shown(3, 2, at=1), read(2, 1, asked=2))

    def test_accepts_that_responses_to_concurrent_requests_overtake_each_other(self):
        self.assertEqual(faults(added(3, 2, asked=0), read(1, 0, asked=0.5, answered=9), final=1), [])

    def test_finds_two_inputs_in_one_version(self):
        self.expect("one and other are both version 2", added(2, 1, key="other"), added(2, 1, key="one"))

    def test_finds_a_stream_that_goes_back(self):
        self.expect("stream 0 shows 2 after 3", shown(3, 2, at=1), shown(2, 1, at=2))

    def test_finds_a_stream_that_shows_a_version_again(self):
        self.expect("stream 0 shows 2 after 2", shown(2, 1, at=1), shown(2, 1, at=2))

    def test_finds_a_stream_that_does_not_come_back(self):
        self.expect("stream 0 has not shown version 2 in 8.0 s", shown(1, 0, at=0), added(2, 1), shown(2, 1, at=9))

    def test_finds_a_stream_that_never_comes_back(self):
        self.expect("stream 0 has not shown version 2 in 9.0 s", shown(1, 0, at=0), added(2, 1), read(2, 1, asked=9))

    def test_reports_the_complaints_of_clients(self):
        made = history()
        made.complain("GET S is answered 500")
        self.assertEqual(check(made, {}, within=6), ["GET S is answered 500"])


class AStream(unittest.TestCase):
    def delay(self, *disturbances):
        made = history(shown(1, 0, at=0), added(2, 1), shown(2, 1, at=11), *disturbances)
        return max(time for time, _, _ in delays(made))

    def test_is_late_from_the_acknowledgement_on(self):
        self.assertEqual(self.delay(), 10)

    def test_is_not_late_during_a_disturbance(self):
        self.assertEqual(self.delay(Disturbance(1, 11)), 0)
        self.assertEqual(self.delay(Disturbance(0, 4), Disturbance(5, 9)), 2)

    def test_is_late_for_the_longest_time_without_a_disturbance(self):
        self.assertEqual(self.delay(Disturbance(4, 4), Disturbance(5, 5)), 6)
        self.assertEqual(self.delay(Disturbance(3, 9), Disturbance(4, 5)), 2)


class Messages(unittest.TestCase):
    def faults(self, *arrived):
        return list(once_in_order({1: ["1-0", "1-1"], 2: ["2-0"]}, arrived))

    def test_that_arrive_once_and_in_the_order_of_each_sender_are_accepted(self):
        self.assertEqual(self.faults("1-0", "2-0", "1-1"), [])

    def test_that_are_lost_are_found(self):
        self.assertEqual(self.faults("1-0", "2-0"), ["lost: 1-1"])

    def test_that_are_applied_twice_are_found(self):
        self.assertEqual(self.faults("1-0", "1-1", "2-0", "2-0"), ["applied twice: 2-0"])

    def test_that_come_out_of_order_are_found(self):
        self.assertEqual(self.faults("1-1", "1-0", "2-0"), ["out of order: 1-1, 1-0"])


class Replies(unittest.TestCase):
    """To a seat that has sent two messages, of which the second was settled when it was acknowledged."""

    def faults(self, *replies, settled=(1, 3)):
        cards = [{"id": number, "text": text} for number, text in enumerate(["1-0", "2-0", "1-1"], 1)]
        state = {"columns": [{"id": "To do", "cards": cards}, {"id": "Done", "cards": []}], "undo": steps(replies)}
        return list(answered_once(["1-0", "1-1"], {"1-1": steps(settled)}, state))

    def test_that_come_once_are_accepted(self):
        self.assertEqual(self.faults(1, 3), [])

    def test_that_are_lost_are_found(self):
        self.assertEqual(self.faults(3), ["not answered: 1-0"])

    def test_that_are_doubled_are_found(self):
        self.assertEqual(self.faults(1, 3, 1), ["answered twice: 1-0"])

    def test_that_come_out_of_order_are_found(self):
        self.assertEqual(self.faults(3, 1), ["answered otherwise than asked: 1-1, 1-0"])

    def test_that_belong_to_another_seat_or_to_no_card_are_found(self):
        self.assertEqual(self.faults(1, 2, 3, 9), ["answered otherwise than asked: 1-0, 2-0, 1-1, card 9"])

    def test_that_an_answer_lacks_although_it_is_settled_are_found(self):
        self.assertEqual(self.faults(1, 3, settled=[1]), ["settled without an answer: 1-1"])


def steps(cards):
    return [{"remove": {"card": card}} for card in cards]


if __name__ == "__main__":
    unittest.main()
