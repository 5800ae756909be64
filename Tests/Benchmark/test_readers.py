"""The load generator's readers of responses and its histogram, called in C."""

import ctypes
import pathlib
import tempfile
import unittest

from servers import HERE, compile_c

MORE, BODY, END, BROKEN = range(4)


class Compiled(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            library = pathlib.Path(folder) / "load.so"
            compile_c("Load", library, flags=["-shared", "-fPIC"])
            cls.c = ctypes.CDLL(str(library))
        cls.c.histogram_quantile.restype = ctypes.c_double
        cls.c.histogram_quantile.argtypes = [ctypes.c_void_p, ctypes.c_double]
        cls.c.histogram_add.argtypes = [ctypes.c_void_p, ctypes.c_uint64]


class AHistogram(Compiled):
    def setUp(self):
        # Zeroed, and larger than the struct.
        self.histogram = ctypes.create_string_buffer(1 << 16)

    def quantile(self, part):
        return self.c.histogram_quantile(self.histogram, part)

    def test_keeps_small_values_exactly(self):
        for value in range(1, 101):
            self.c.histogram_add(self.histogram, value)
        self.assertEqual([self.quantile(part) for part in (0.5, 0.99, 1)], [50, 99, 100])

    def test_keeps_larger_values_to_a_hundredth(self):
        for exponent in range(7, 40):
            value = 3 * 2**exponent + 12345
            self.histogram = ctypes.create_string_buffer(1 << 16)
            self.c.histogram_add(self.histogram, value)
            self.assertAlmostEqual(self.quantile(0.5) / value, 1, delta=0.01)

    def test_takes_a_value_of_any_size(self):
        self.c.histogram_add(self.histogram, 2**64 - 1)
        self.assertAlmostEqual(self.quantile(0.5) / 2**64, 1, delta=0.01)

    def test_without_values_is_zero(self):
        self.assertEqual(self.quantile(0.5), 0)


class AnAnswer(Compiled):
    def read(self, pieces):
        """Returns the events of responses that come in pieces, with bodies joined."""
        state = ctypes.create_string_buffer(512)
        events = []
        for piece in pieces:
            buffer = ctypes.create_string_buffer(piece, len(piece))
            start = ctypes.addressof(buffer)
            at, body, length = ctypes.c_void_p(start), ctypes.c_void_p(), ctypes.c_size_t()
            while True:
                end = ctypes.c_void_p(start + len(piece))
                event = self.c.answer_read(
                    state, ctypes.byref(at), end, ctypes.byref(body), ctypes.byref(length)
                )
                if event == MORE:
                    break
                if event == BODY:
                    text = ctypes.string_at(body.value, length.value)
                    if events and isinstance(events[-1], bytes):
                        text = events.pop() + text
                    events.append(text)
                else:
                    events.append(event)
                    if event == BROKEN:
                        return events
        return events

    def expect(self, answers, events):
        """Tries all ways to cut: one piece, two pieces at every place, and single bytes."""
        whole = [[answers], [answers[i : i + 1] for i in range(len(answers))]]
        cut = [[answers[:i], answers[i:]] for i in range(1, len(answers))]
        for pieces in whole + cut:
            self.assertEqual(self.read(pieces), events, pieces)

    def test_has_a_body_of_its_content_length(self):
        answer = b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello"
        self.expect(answer + answer, [b"hello", END, b"hello", END])

    def test_has_a_body_in_chunks(self):
        self.expect(
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
            b"3\r\nabc\r\n00A;x=1\r\n0123456789\r\n0\r\nTrailer: 1\r\n\r\n",
            [b"abc0123456789", END],
        )

    def test_may_have_no_body(self):
        self.expect(b'HTTP/1.1 204 No Content\r\nETag: "8"\r\n\r\n', [END])

    def test_may_have_fields_of_any_length(self):
        field = b"X: " + b"x" * 300
        self.expect(b"HTTP/1.1 200 OK\r\n" + field + b"\r\nContent-Length: 1\r\n\r\ny", [b"y", END])

    def test_that_is_not_http_is_broken(self):
        self.expect(b"SSH-2.0-OpenSSH\r\n", [BROKEN])
        self.expect(
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", [BROKEN]
        )


if __name__ == "__main__":
    unittest.main()
